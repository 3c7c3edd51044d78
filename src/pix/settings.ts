import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import {
  type Checks,
  choice,
  defineSettings,
  integer,
  type Mode,
  type SettingsOf,
  text,
  WrongValue,
  webUrl,
} from '#platform/settings.ts';
import type { ClientCertificate } from './psp/index.ts';

export type PspConnection = {
  url: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  tokenStyle: 'basic-json' | 'form';
  /** The scopes of the token; none: the PSP's default. */
  scopes: readonly string[];
  tls: ClientCertificate | null;
};

/** Public, so that the sandbox needs no configuration. */
export const SANDBOX_PIX = {
  key: '5e3a9d1c-0b7f-4c2e-9a64-7d8f1e2b3c4d',
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  callbackSecret: 'sandbox-callback-not-a-secret',
};

/** A scope as defined by RFC 6749. */
const SCOPE_FORM = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

const matching = (form: RegExp, fault: string) => (given: string) => {
  if (form.test(given)) return given;
  throw new WrongValue(fault);
};

/** The receiver of the money, and the connection to the PSP. */
export const pixSettings = defineSettings(
  {
    url: {
      name: 'PSP_URL',
      meaning: {
        en: 'API Pix of the PSP, up to the version: https://…/v2; required in live',
        pt: 'endereço da API Pix do PSP, até a versão: https://…/v2; obrigatório em produção',
      },
      shown: { en: '(simulator)', pt: '(simulador)' },
      read: webUrl,
    },
    tokenUrl: {
      name: 'PSP_TOKEN_URL',
      meaning: { en: 'where the PSP gives OAuth2 tokens', pt: 'onde o PSP emite os tokens OAuth2' },
      read: webUrl,
    },
    clientId: {
      name: 'PSP_CLIENT_ID',
      meaning: { en: 'our name at the PSP', pt: 'nossa identificação no PSP' },
      read: text,
    },
    clientSecret: {
      name: 'PSP_CLIENT_SECRET',
      meaning: { en: 'its secret', pt: 'segredo da nossa identificação no PSP' },
      secret: true,
      read: text,
    },
    tokenStyle: {
      name: 'PSP_TOKEN_STYLE',
      meaning: {
        en: 'how tokens are asked for: basic-json or form',
        pt: 'como os tokens são pedidos: basic-json ou form',
      },
      default: 'basic-json',
      read: choice('basic-json', 'form'),
    },
    scopes: {
      name: 'PSP_SCOPES',
      meaning: {
        en: 'what tokens are to allow, separated by spaces, where the PSP wants it said',
        pt: 'o que os tokens devem permitir, separado por espaços, se o PSP exigir que se diga',
      },
      shown: { en: '(none)', pt: '(nenhum)' },
      read: scopes,
    },
    cert: {
      name: 'PSP_CERT',
      meaning: {
        en: 'PEM file of our certificate at the PSP; it or PSP_PFX in live',
        pt: 'arquivo PEM do nosso certificado no PSP; em produção, ele ou PSP_PFX',
      },
      read: file,
    },
    key: {
      name: 'PSP_KEY',
      meaning: { en: 'PEM file of its private key', pt: 'arquivo PEM da chave privada do certificado' },
      read: file,
    },
    pfx: {
      name: 'PSP_PFX',
      meaning: {
        en: 'PKCS#12 file with both, instead of the two',
        pt: 'arquivo PKCS#12 com certificado e chave, em vez dos dois PEM',
      },
      read: file,
    },
    passphrase: {
      name: 'PSP_PFX_PASSPHRASE',
      meaning: { en: 'what opens it, if anything does', pt: 'senha do arquivo PKCS#12, se houver' },
      secret: true,
      read: text,
    },
    ca: {
      name: 'PSP_CA',
      meaning: {
        en: "PEM file of the PSP's own authority, where it has one",
        pt: 'arquivo PEM da autoridade certificadora própria do PSP, se houver',
      },
      shown: { en: '(public)', pt: '(pública)' },
      read: file,
    },
    pixKey: {
      name: 'PIX_KEY',
      meaning: {
        en: 'the Pix key money is received at; required in live',
        pt: 'chave Pix em que o dinheiro é recebido; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.key },
      shown: { en: '(sandbox)', pt: '(da sandbox)' },
      neededInLive: 'live mode receives money at your Pix key',
      read: matching(/^[\x21-\x7e]{1,77}$/, 'is not a Pix key: at most 77 characters, no spaces.'),
    },
    receiverName: {
      name: 'PIX_RECEIVER_NAME',
      meaning: {
        en: 'who receives, at most 25 characters; required in live',
        pt: 'nome do recebedor, até 25 caracteres; obrigatório em produção',
      },
      default: { sandbox: SANDBOX_PIX.receiver.name },
      neededInLive: 'payers see who receives the money',
      read: text,
    },
    receiverCity: {
      name: 'PIX_RECEIVER_CITY',
      meaning: {
        en: 'where, at most 15 characters; required in live',
        pt: 'cidade do recebedor, até 15 caracteres; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.receiver.city },
      neededInLive: 'a code names the city of the receiver',
      read: text,
    },
    callbackSecret: {
      name: 'PSP_CALLBACK_SECRET',
      meaning: {
        en: "part of the callback's address; required in live",
        pt: 'parte secreta do endereço que o PSP chama; obrigatória em produção',
      },
      default: { sandbox: SANDBOX_PIX.callbackSecret },
      neededInLive: `it keeps the callback's address unguessable: make one with 'openssl rand -hex 24'`,
      secret: true,
      read: matching(/^[\w-]{24,200}$/, 'must be 24 to 200 letters, digits, _ or -, known to nobody else.'),
    },
    accountNumber: {
      name: 'PIX_ACCOUNT',
      meaning: {
        en: 'the account that debits are credited to, at most 20 characters; without it autopay is not offered',
        pt: 'conta em que os débitos são creditados, até 20 caracteres; sem ela não há débito automático',
      },
      default: { sandbox: '12345678' },
      shown: { en: '(sandbox)', pt: '(da sandbox)' },
      read: matching(/^[\x21-\x7e]{1,20}$/, 'must be at most 20 letters and digits.'),
    },
    accountType: {
      name: 'PIX_ACCOUNT_TYPE',
      meaning: {
        en: 'its type: CORRENTE, POUPANCA or PAGAMENTO',
        pt: 'tipo da conta dos débitos: CORRENTE, POUPANCA ou PAGAMENTO',
      },
      default: 'CORRENTE',
      read: choice('CORRENTE', 'POUPANCA', 'PAGAMENTO'),
    },
    accountBranch: {
      name: 'PIX_ACCOUNT_BRANCH',
      meaning: {
        en: 'its branch, at most 4 characters, where it has one',
        pt: 'agência da conta dos débitos, até 4 caracteres, se houver',
      },
      shown: { en: '(none)', pt: '(nenhum)' },
      read: matching(/^[\x21-\x7e]{1,4}$/, 'must be at most 4 letters and digits.'),
    },
    leadDays: {
      name: 'AUTOPAY_LEAD_DAYS',
      meaning: {
        en: 'how many days before it a debit is asked for, 2 to 10',
        pt: 'quantos dias antes do vencimento o débito automático é pedido, 2 a 10',
      },
      default: '3',
      read: integer(2, 10),
    },
    retryDays: {
      name: 'AUTOPAY_RETRIES',
      meaning: {
        en: 'how many days after it a refused debit is tried again: up to three of 1 to 6, rising; - for never',
        pt: 'quantos dias depois da primeira tentativa um débito recusado é tentado de novo: até três números de 1 a 6, crescentes; - para nunca',
      },
      default: '1,3,5',
      read: retries,
    },
    timeoutMs: {
      name: 'PSP_TIMEOUT_MS',
      meaning: {
        en: 'how long one request to the PSP may take',
        pt: 'quantos milissegundos pode levar uma chamada ao PSP',
      },
      default: '4000',
      read: integer(100, 60_000),
    },
    crashAt: {
      name: 'SEMANA_CRASH_AT',
      meaning: {
        en: 'for tests: where the process ends itself; never in live',
        pt: 'para testes: onde o processo se encerra; nunca em produção',
      },
      read: crashPoint,
    },
  },
  (given, checks) => {
    const { url, tokenUrl, clientId, clientSecret, tokenStyle, scopes } = given;
    const hasPsp = checks.mode === 'live' || url !== null;
    if (hasPsp)
      checks.require(['url', 'tokenUrl', 'clientId', 'clientSecret'], 'the connection to the PSP needs it');
    const tls = hasPsp ? certificateOf(given, checks) : null;
    const reached = { url, tokenUrl, clientId, clientSecret, tokenStyle, scopes: scopes ?? [], tls };
    return {
      /** Null: the simulator of the sandbox. */
      connection: hasPsp ? (reached as PspConnection) : null,
      pixKey: given.pixKey,
      receiver: { name: given.receiverName, city: given.receiverCity },
      callbackSecret: given.callbackSecret,
      /** Null: autopay is not offered. */
      account:
        given.accountNumber === null
          ? null
          : { number: given.accountNumber, type: given.accountType, branch: given.accountBranch },
      autopay: { leadDays: given.leadDays, retryDays: given.retryDays },
      timeoutMs: given.timeoutMs,
      crashAt: given.crashAt,
    };
  },
);

export type PixSettings = SettingsOf<typeof pixSettings>;

type Files = Record<'cert' | 'key' | 'pfx' | 'ca', Buffer | null> & { passphrase: string | null };

function certificateOf(given: Files, { mode, fault, isSet }: Checks<keyof Files>): ClientCertificate | null {
  const { cert, key, pfx, ca, passphrase } = given;
  if (isSet('pfx') && (isSet('cert') || isSet('key')))
    fault('PSP_PFX is set beside PSP_CERT or PSP_KEY; use one or the other.');
  if (!isSet('pfx') && isSet('cert') !== isSet('key'))
    fault('PSP_CERT and PSP_KEY belong together; one of them is missing.');
  if (mode === 'live' && !isSet('pfx') && !isSet('cert') && !isSet('key'))
    fault('PSP_CERT and PSP_KEY, or PSP_PFX, are missing; PSPs ask for a client certificate.');
  const authority = ca && { ca };
  const both = pfx && { pfx, ...(passphrase !== null && { passphrase }) };
  if (both && !isUsable(both))
    fault('PSP_PFX cannot be opened: it is no PKCS#12 file, or PSP_PFX_PASSPHRASE is not what opens it.');
  if (cert && key && !isUsable({ cert, key }))
    fault(
      'PSP_CERT and PSP_KEY are no PEM files of a certificate and of the private key that belongs to it.',
    );
  if (ca && !does(() => new X509Certificate(ca))) fault('PSP_CA is no PEM file of a certificate.');
  if (both) return { ...both, ...authority };
  return cert && key ? { cert, key, ...authority } : null;
}

/** The standard allows three retries within seven days; a week later is the next debit. */
function retries(given: string): number[] {
  if (given === '-') return [];
  const days = given.split(',').map(Number);
  const isRising = days.every(
    (on, i) => Number.isInteger(on) && on >= 1 && on <= 6 && on > (days[i - 1] ?? 0),
  );
  if (isRising && days.length <= 3) return days;
  throw new WrongValue(
    `is '${given}'; write up to three rising days from 1 to 6, like 1,3,5, or - for none.`,
  );
}

function scopes(given: string): string[] {
  const names = given.split(' ').filter((name) => name !== '');
  if (names.every((name) => SCOPE_FORM.test(name))) return names;
  throw new WrongValue('must be names of scopes separated by spaces, like cob.write cob.read.');
}

function file(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new WrongValue(`names a file that cannot be read (${(error as { code?: string }).code}).`);
  }
}

function crashPoint(given: string, mode: Mode): string {
  if (mode === 'sandbox') return given;
  throw new WrongValue('is set; it is for tests only.');
}

function isUsable(tls: SecureContextOptions): boolean {
  return does(() => createSecureContext(tls));
}

function does(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
