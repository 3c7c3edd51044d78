import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Settings, SettingsReader } from '#platform/settings.ts';

/** The certificate we show the PSP. */
type PspCertificate =
  | { cert: Buffer; key: Buffer; ca?: Buffer }
  | { pfx: Buffer; passphrase?: string; ca?: Buffer };

export type PspConnection = {
  url: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  tokenStyle: 'basic-json' | 'form';
  /** What tokens are to allow; none: whatever the PSP grants by itself. */
  scopes: readonly string[];
  tls: PspCertificate | null;
};

/** Who receives the money, and how the PSP is reached. */
export type PixSettings = {
  /** null: the simulator of the sandbox. */
  connection: PspConnection | null;
  pixKey: string;
  receiver: { name: string; city: string };
  callbackSecret: string;
  /** How long one request to the PSP may take. */
  timeoutMs: number;
  /** For tests: where the process is to end itself. Never in live. */
  crashAt: string | null;
};

/** Known to everybody, so that the sandbox needs no configuration. */
export const SANDBOX_PIX = {
  key: '5e3a9d1c-0b7f-4c2e-9a64-7d8f1e2b3c4d',
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  callbackSecret: 'sandbox-callback-not-a-secret',
};

const DECLARED = [
  {
    name: 'PSP_URL',
    fallback: '(simulator)',
    meaning: 'API Pix of the PSP, up to the version: https://…/v2; required in live',
  },
  { name: 'PSP_TOKEN_URL', fallback: '-', meaning: 'where the PSP gives OAuth2 tokens' },
  { name: 'PSP_CLIENT_ID', fallback: '-', meaning: 'our name at the PSP' },
  { name: 'PSP_CLIENT_SECRET', fallback: '-', meaning: 'its secret' },
  {
    name: 'PSP_TOKEN_STYLE',
    fallback: 'basic-json',
    meaning: 'how tokens are asked for: basic-json or form',
  },
  {
    name: 'PSP_SCOPES',
    fallback: '(none)',
    meaning: 'what tokens are to allow, separated by spaces, where the PSP wants it said',
  },
  {
    name: 'PSP_CERT',
    fallback: '-',
    meaning: 'PEM file of our certificate at the PSP; it or PSP_PFX in live',
  },
  { name: 'PSP_KEY', fallback: '-', meaning: 'PEM file of its private key' },
  { name: 'PSP_PFX', fallback: '-', meaning: 'PKCS#12 file with both, instead of the two' },
  { name: 'PSP_PFX_PASSPHRASE', fallback: '-', meaning: 'what opens it, if anything does' },
  { name: 'PSP_CA', fallback: '(public)', meaning: "PEM file of the PSP's own authority, where it has one" },
  { name: 'PIX_KEY', fallback: '(sandbox)', meaning: 'the Pix key money is received at; required in live' },
  {
    name: 'PIX_RECEIVER_NAME',
    fallback: 'Semana Sandbox',
    meaning: 'who receives, at most 25 characters; required in live',
  },
  {
    name: 'PIX_RECEIVER_CITY',
    fallback: 'Sao Paulo',
    meaning: 'where, at most 15 characters; required in live',
  },
  {
    name: 'PSP_CALLBACK_SECRET',
    fallback: '(known, sandbox only)',
    meaning: "part of the callback's address; required in live",
  },
  { name: 'PSP_TIMEOUT_MS', fallback: '4000', meaning: 'how long one request to the PSP may take' },
  {
    name: 'SEMANA_CRASH_AT',
    fallback: '-',
    meaning: 'for tests: where the process ends itself; never in live',
  },
];

/** A scope as RFC 6749 has it. */
const SCOPE_FORM = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const SECRET_FORM = /^[\w-]{24,200}$/;

export const pixSettings: Settings<PixSettings> = { declared: DECLARED, read: readPixSettings };

function readPixSettings(from: SettingsReader): PixSettings {
  const live = from.mode === 'live';
  const crashAt = from.text('SEMANA_CRASH_AT') ?? null;
  if (live && crashAt) from.fault('SEMANA_CRASH_AT is set; it is for tests only.');
  const callbackSecret = from.needed(
    'PSP_CALLBACK_SECRET',
    SANDBOX_PIX.callbackSecret,
    `it keeps the callback's address unguessable: make one with 'openssl rand -hex 24'`,
  );
  const isKnown = live && from.text('PSP_CALLBACK_SECRET') === SANDBOX_PIX.callbackSecret;
  if (!SECRET_FORM.test(callbackSecret) || isKnown)
    from.fault(`PSP_CALLBACK_SECRET must be 24 to 200 letters, digits, _ or -, known to nobody else.`);
  const pixKey = from.needed('PIX_KEY', SANDBOX_PIX.key, 'live mode receives money at your Pix key');
  if (!/^[\x21-\x7e]{1,77}$/.test(pixKey))
    from.fault('PIX_KEY is not a Pix key: at most 77 characters, no spaces.');
  const { name, city } = SANDBOX_PIX.receiver;
  return {
    connection: live || from.text('PSP_URL') ? readConnection(from) : null,
    pixKey,
    receiver: {
      name: from.needed('PIX_RECEIVER_NAME', name, 'payers see who receives the money'),
      city: from.needed('PIX_RECEIVER_CITY', city, 'a code names the city of the receiver'),
    },
    callbackSecret,
    timeoutMs: from.integer('PSP_TIMEOUT_MS', 4_000, 100, 60_000),
    crashAt,
  };
}

function readConnection(from: SettingsReader): PspConnection {
  const needed = (name: string): string => {
    const value = from.text(name);
    if (!value) from.fault(`${name} is missing; the connection to the PSP needs it.`);
    return value ?? '';
  };
  needed('PSP_URL');
  needed('PSP_TOKEN_URL');
  return {
    url: from.url('PSP_URL', from.webProtocols) ?? '',
    tokenUrl: from.url('PSP_TOKEN_URL', from.webProtocols) ?? '',
    clientId: needed('PSP_CLIENT_ID'),
    clientSecret: needed('PSP_CLIENT_SECRET'),
    tokenStyle: from.choice('PSP_TOKEN_STYLE', ['basic-json', 'form'], 'basic-json'),
    scopes: readScopes(from),
    tls: readCertificate(from),
  };
}

function readScopes(from: SettingsReader): string[] {
  const scopes = (from.text('PSP_SCOPES') ?? '').split(' ').filter((scope) => scope !== '');
  if (!scopes.every((scope) => SCOPE_FORM.test(scope)))
    from.fault('PSP_SCOPES must be names of scopes separated by spaces, like cob.write cob.read.');
  return scopes;
}

function readCertificate(from: SettingsReader): PspCertificate | null {
  const file = (name: string): Buffer | undefined => {
    const path = from.text(name);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      from.fault(`${name} names a file that cannot be read (${(error as { code?: string }).code}).`);
      return Buffer.alloc(0);
    }
  };
  const [cert, key, pfx, ca] = [file('PSP_CERT'), file('PSP_KEY'), file('PSP_PFX'), file('PSP_CA')];
  const authority = ca && { ca };
  if (pfx && (cert || key)) from.fault('PSP_PFX is set beside PSP_CERT or PSP_KEY; use one or the other.');
  if (!pfx && !!cert !== !!key) from.fault('PSP_CERT and PSP_KEY belong together; one of them is missing.');
  const passphrase = from.text('PSP_PFX_PASSPHRASE');
  if (pfx?.length && !isUsable({ pfx, ...(passphrase !== undefined && { passphrase }) }))
    from.fault(
      'PSP_PFX cannot be opened: it is no PKCS#12 file, or PSP_PFX_PASSPHRASE is not what opens it.',
    );
  if (cert?.length && key?.length && !isUsable({ cert, key }))
    from.fault(
      'PSP_CERT and PSP_KEY are no PEM files of a certificate and of the private key that belongs to it.',
    );
  if (ca?.length && !does(() => new X509Certificate(ca)))
    from.fault('PSP_CA is no PEM file of a certificate.');
  if (pfx) return { pfx, ...(passphrase !== undefined && { passphrase }), ...authority };
  if (cert && key) return { cert, key, ...authority };
  if (from.mode === 'live' && !cert && !key)
    from.fault('PSP_CERT and PSP_KEY, or PSP_PFX, are missing; PSPs ask for a client certificate.');
  return null;
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
