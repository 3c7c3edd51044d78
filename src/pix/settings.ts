import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import {
  choice,
  defineSettings,
  InvalidValue,
  integer,
  type Mode,
  type SettingChecks,
  type SettingsOf,
  text,
  webUrl,
} from '#platform/settings.ts';
import type { ClientCertificate } from './psp/index.ts';

export type PspConnection = {
  url: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  tokenStyle: 'basic-json' | 'form';
  /** The requested scopes of the token. Empty: the PSP's default. */
  scopes: readonly string[];
  tls: ClientCertificate | null;
};

/** Published values, so that the sandbox needs no configuration. */
export const SANDBOX_PIX = {
  key: '5e3a9d1c-0b7f-4c2e-9a64-7d8f1e2b3c4d',
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  callbackSecret: 'sandbox-callback-not-a-secret',
};

const SCOPE_PATTERN = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

const matchPattern = (pattern: RegExp, message: string) => (value: string) => {
  if (pattern.test(value)) return value;
  throw new InvalidValue(message);
};

const defineFileSetting = (en: string, pt: string) => ({ description: { en, pt }, parse: readFile });

export const pixSettings = defineSettings(
  {
    url: {
      name: 'PSP_URL',
      description: {
        en: 'URL of the API Pix of the PSP, up to the version: https://…/v2; required in live',
        pt: 'endereço da API Pix do PSP, até a versão: https://…/v2; obrigatório em produção',
      },
      defaultLabel: { en: '(simulator)', pt: '(simulador)' },
      parse: webUrl,
    },
    tokenUrl: {
      name: 'PSP_TOKEN_URL',
      description: {
        en: 'URL at which the PSP issues OAuth2 tokens',
        pt: 'onde o PSP emite os tokens OAuth2',
      },
      parse: webUrl,
    },
    clientId: {
      name: 'PSP_CLIENT_ID',
      description: { en: 'OAuth2 client id at the PSP', pt: 'nossa identificação no PSP' },
      parse: text,
    },
    clientSecret: {
      name: 'PSP_CLIENT_SECRET',
      description: { en: 'OAuth2 client secret at the PSP', pt: 'segredo da nossa identificação no PSP' },
      secret: true,
      parse: text,
    },
    tokenStyle: {
      name: 'PSP_TOKEN_STYLE',
      description: {
        en: 'how tokens are requested: basic-json or form',
        pt: 'como os tokens são pedidos: basic-json ou form',
      },
      default: 'basic-json',
      parse: choice('basic-json', 'form'),
    },
    scopes: {
      name: 'PSP_SCOPES',
      description: {
        en: 'scopes to request for tokens, separated by spaces, if the PSP requires it',
        pt: 'o que os tokens devem permitir, separado por espaços, se o PSP exigir que se diga',
      },
      defaultLabel: { en: '(none)', pt: '(nenhum)' },
      parse: readScopes,
    },
    cert: {
      name: 'PSP_CERT',
      ...defineFileSetting(
        'PEM file of our client certificate; PSP_CERT or PSP_PFX is required in live',
        'arquivo PEM do nosso certificado no PSP; em produção, ele ou PSP_PFX',
      ),
    },
    key: {
      name: 'PSP_KEY',
      ...defineFileSetting(
        'PEM file of the private key of PSP_CERT',
        'arquivo PEM da chave privada do certificado',
      ),
    },
    pfx: {
      name: 'PSP_PFX',
      ...defineFileSetting(
        'PKCS#12 file with certificate and key, instead of PSP_CERT and PSP_KEY',
        'arquivo PKCS#12 com certificado e chave, em vez dos dois PEM',
      ),
    },
    passphrase: {
      name: 'PSP_PFX_PASSPHRASE',
      description: { en: 'passphrase of PSP_PFX, if it has one', pt: 'senha do arquivo PKCS#12, se houver' },
      secret: true,
      parse: text,
    },
    ca: {
      name: 'PSP_CA',
      ...defineFileSetting(
        "PEM file of the PSP's own certificate authority, if it has one",
        'arquivo PEM da autoridade certificadora própria do PSP, se houver',
      ),
      defaultLabel: { en: '(public)', pt: '(pública)' },
    },
    pixKey: {
      name: 'PIX_KEY',
      description: {
        en: 'Pix key that receives payments; required in live',
        pt: 'chave Pix em que o dinheiro é recebido; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.key },
      defaultLabel: { en: '(sandbox)', pt: '(da sandbox)' },
      requiredInLive: 'live mode receives payments at your Pix key',
      parse: matchPattern(/^[\x21-\x7e]{1,77}$/, 'is not a Pix key: at most 77 characters, no spaces.'),
    },
    receiverName: {
      name: 'PIX_RECEIVER_NAME',
      description: {
        en: 'name of the receiver, at most 25 characters; required in live',
        pt: 'nome do recebedor, até 25 caracteres; obrigatório em produção',
      },
      default: { sandbox: SANDBOX_PIX.receiver.name },
      requiredInLive: 'payers see the name of the receiver',
      parse: text,
    },
    receiverCity: {
      name: 'PIX_RECEIVER_CITY',
      description: {
        en: 'city of the receiver, at most 15 characters; required in live',
        pt: 'cidade do recebedor, até 15 caracteres; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.receiver.city },
      requiredInLive: 'every code contains the city of the receiver',
      parse: text,
    },
    callbackSecret: {
      name: 'PSP_CALLBACK_SECRET',
      description: {
        en: 'secret part of the callback URL; required in live',
        pt: 'parte secreta do endereço que o PSP chama; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.callbackSecret },
      requiredInLive: `it makes the callback URL unguessable: create one with 'openssl rand -hex 24'`,
      secret: true,
      parse: matchPattern(/^[\w-]{24,200}$/, 'must be 24 to 200 letters, digits, _ or -, and secret.'),
    },
    accountNumber: {
      name: 'PIX_ACCOUNT',
      description: {
        en: 'number of the account that debits are credited to, at most 20 characters; without it autopay is not offered',
        pt: 'conta em que os débitos são creditados, até 20 caracteres; sem ela não há débito automático',
      },
      default: { sandbox: '12345678' },
      defaultLabel: { en: '(sandbox)', pt: '(da sandbox)' },
      parse: matchPattern(/^[\x21-\x7e]{1,20}$/, 'must be at most 20 letters and digits.'),
    },
    accountType: {
      name: 'PIX_ACCOUNT_TYPE',
      description: {
        en: 'type of PIX_ACCOUNT: CORRENTE, POUPANCA or PAGAMENTO',
        pt: 'tipo da conta dos débitos: CORRENTE, POUPANCA ou PAGAMENTO',
      },
      default: 'CORRENTE',
      parse: choice('CORRENTE', 'POUPANCA', 'PAGAMENTO'),
    },
    accountBranch: {
      name: 'PIX_ACCOUNT_BRANCH',
      description: {
        en: 'branch of PIX_ACCOUNT, at most 4 characters, if it has one',
        pt: 'agência da conta dos débitos, até 4 caracteres, se houver',
      },
      defaultLabel: { en: '(none)', pt: '(nenhum)' },
      parse: matchPattern(/^[\x21-\x7e]{1,4}$/, 'must be at most 4 letters and digits.'),
    },
    leadDays: {
      name: 'AUTOPAY_LEAD_DAYS',
      description: {
        en: 'days before the due day at which a debit is requested, 2 to 10',
        pt: 'quantos dias antes do vencimento o débito automático é pedido, 2 a 10',
      },
      default: '3',
      parse: integer(2, 10),
    },
    retryDays: {
      name: 'AUTOPAY_RETRIES',
      description: {
        en: 'days after the first attempt at which a refused debit is retried: up to three ascending numbers from 1 to 6; - for never',
        pt: 'quantos dias depois da primeira tentativa um débito recusado é tentado de novo: até três números de 1 a 6, crescentes; - para nunca',
      },
      default: '1,3,5',
      parse: readRetryDays,
    },
    waivesPenalties: {
      name: 'AUTOPAY_WAIVES_PENALTY',
      description: {
        en: 'whether penalties are waived if a retried debit succeeds: true or false',
        pt: 'se multa e juros são dispensados quando um débito tentado de novo é pago: true ou false',
      },
      default: 'true',
      parse: choice('true', 'false'),
    },
    timeoutMs: {
      name: 'PSP_TIMEOUT_MS',
      description: {
        en: 'timeout of one request to the PSP, in milliseconds',
        pt: 'quantos milissegundos pode levar uma chamada ao PSP',
      },
      default: '4000',
      parse: integer(100, 60_000),
    },
    failpoint: {
      name: 'SEMANA_CRASH_AT',
      description: {
        en: 'for tests: the failpoint at which the process kills itself; not allowed in live',
        pt: 'para testes: onde o processo se encerra; nunca em produção',
      },
      parse: readFailpoint,
    },
  },
  (values, checks) => {
    const { url, tokenUrl, clientId, clientSecret, tokenStyle, scopes } = values;
    const hasPsp = checks.mode === 'live' || url !== null;
    if (hasPsp)
      checks.requireSet(
        ['url', 'tokenUrl', 'clientId', 'clientSecret'],
        'the connection to the PSP requires it',
      );
    const tls = hasPsp ? readCertificate(values, checks) : null;
    const connection = { url, tokenUrl, clientId, clientSecret, tokenStyle, scopes: scopes ?? [], tls };
    return {
      /** Null: the PSP is the simulator of the sandbox. */
      connection: hasPsp ? (connection as PspConnection) : null,
      pixKey: values.pixKey,
      receiver: { name: values.receiverName, city: values.receiverCity },
      callbackSecret: values.callbackSecret,
      /** Null: autopay is not offered. */
      account:
        values.accountNumber === null
          ? null
          : { number: values.accountNumber, type: values.accountType, branch: values.accountBranch },
      autopay: {
        leadDays: values.leadDays,
        retryDays: values.retryDays,
        waivesPenalties: values.waivesPenalties === 'true',
      },
      timeoutMs: values.timeoutMs,
      failpoint: values.failpoint,
    };
  },
);

export type PixSettings = SettingsOf<typeof pixSettings>;

type CertificateFiles = Record<'cert' | 'key' | 'pfx' | 'ca', Buffer | null> & { passphrase: string | null };

function readCertificate(
  files: CertificateFiles,
  { mode, addError, isSet }: SettingChecks<keyof CertificateFiles>,
) {
  const { cert, key, pfx, ca, passphrase } = files;
  if (isSet('pfx') && (isSet('cert') || isSet('key')))
    addError('PSP_PFX is set together with PSP_CERT or PSP_KEY; use one or the other.');
  if (!isSet('pfx') && isSet('cert') !== isSet('key'))
    addError('PSP_CERT and PSP_KEY belong together; one of them is missing.');
  if (mode === 'live' && !isSet('pfx') && !isSet('cert') && !isSet('key'))
    addError('PSP_CERT and PSP_KEY, or PSP_PFX, are missing; PSPs require a client certificate.');
  const authorityOptions = ca && { ca };
  const pkcs12 = pfx && { pfx, ...(passphrase !== null && { passphrase }) };
  if (pkcs12 && !isUsable(pkcs12))
    addError('PSP_PFX cannot be opened: it is not a PKCS#12 file, or PSP_PFX_PASSPHRASE does not open it.');
  if (cert && key && !isUsable({ cert, key }))
    addError('PSP_CERT and PSP_KEY are not PEM files of a certificate and its private key.');
  if (ca && !succeeds(() => new X509Certificate(ca))) addError('PSP_CA is not a PEM file of a certificate.');
  if (pkcs12) return { ...pkcs12, ...authorityOptions };
  return cert && key ? { cert, key, ...authorityOptions } : null;
}

/** The standard allows three retries within seven days; the next debit follows a week later. */
function readRetryDays(value: string): number[] {
  if (value === '-') return [];
  const days = value.split(',').map(Number);
  const isAscending = days.every(
    (day, i) => Number.isInteger(day) && day >= 1 && day <= 6 && day > (days[i - 1] ?? 0),
  );
  if (isAscending && days.length <= 3) return days;
  throw new InvalidValue(
    `is '${value}'; it must be up to three ascending days from 1 to 6, such as 1,3,5, or - for none.`,
  );
}

function readScopes(value: string): string[] {
  const scopes = value.split(' ').filter((scope) => scope !== '');
  if (scopes.every((scope) => SCOPE_PATTERN.test(scope))) return scopes;
  throw new InvalidValue('must be names of scopes separated by spaces, such as cob.write cob.read.');
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InvalidValue(`names a file that cannot be read (${(error as { code?: string }).code}).`);
  }
}

function readFailpoint(value: string, mode: Mode): string {
  if (mode === 'sandbox') return value;
  throw new InvalidValue('is set; it is only for tests.');
}

const isUsable = (tls: SecureContextOptions): boolean => succeeds(() => createSecureContext(tls));

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
