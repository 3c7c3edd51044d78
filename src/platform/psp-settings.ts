import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** The certificate we show the PSP. */
export type PspCertificate =
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
export type PspSettings = {
  /** null: the simulator of the sandbox. */
  connection: PspConnection | null;
  simulatorPort: number;
  pixKey: string;
  receiver: { name: string; city: string };
  callbackSecret: string;
  /** How long one request to the PSP may take. */
  timeoutMs: number;
};

/** Known to everybody, so that the sandbox needs no configuration. */
export const SANDBOX_PIX = {
  key: '5e3a9d1c-0b7f-4c2e-9a64-7d8f1e2b3c4d',
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  callbackSecret: 'sandbox-callback-not-a-secret',
};

export const PSP_SETTINGS = [
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
  { name: 'PSP_PORT', fallback: '3002', meaning: 'port of the PSP simulator (sandbox); 0 picks a free one' },
] as const;

/** A scope as RFC 6749 has it. */
const SCOPE_FORM = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const SECRET_FORM = /^[\w-]{24,200}$/;

type Reader = {
  mode: 'sandbox' | 'live';
  faults: string[];
  text(name: string): string | undefined;
  url(name: string, protocols: readonly string[]): string | null;
  integer(name: string, fallback: number, min: number, max: number): number;
  choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T;
};

export function readPspSettings(reader: Reader): PspSettings {
  const { mode, faults, text, integer } = reader;
  const live = mode === 'live';
  const needed = (name: string, fallback: string, why: string): string => {
    if (live && !text(name)) faults.push(`${name} is missing; ${why}.`);
    return text(name) ?? fallback;
  };
  const callbackSecret = needed(
    'PSP_CALLBACK_SECRET',
    SANDBOX_PIX.callbackSecret,
    `it keeps the callback's address unguessable: make one with 'openssl rand -hex 24'`,
  );
  const isKnown = live && text('PSP_CALLBACK_SECRET') === SANDBOX_PIX.callbackSecret;
  if (!SECRET_FORM.test(callbackSecret) || isKnown)
    faults.push(`PSP_CALLBACK_SECRET must be 24 to 200 letters, digits, _ or -, known to nobody else.`);
  const pixKey = needed('PIX_KEY', SANDBOX_PIX.key, 'live mode receives money at your Pix key');
  if (!/^[\x21-\x7e]{1,77}$/.test(pixKey))
    faults.push('PIX_KEY is not a Pix key: at most 77 characters, no spaces.');
  return {
    connection: live || text('PSP_URL') ? readConnection(reader) : null,
    simulatorPort: integer('PSP_PORT', 3002, 0, 65535),
    pixKey,
    receiver: {
      name: needed('PIX_RECEIVER_NAME', SANDBOX_PIX.receiver.name, 'payers see who receives the money'),
      city: needed('PIX_RECEIVER_CITY', SANDBOX_PIX.receiver.city, 'a code names the city of the receiver'),
    },
    callbackSecret,
    timeoutMs: integer('PSP_TIMEOUT_MS', 4_000, 100, 60_000),
  };
}

function readConnection({ mode, faults, text, url, choice }: Reader): PspConnection {
  const protocols = mode === 'live' ? ['https:'] : ['http:', 'https:'];
  const needed = (name: string): string => {
    if (!text(name)) faults.push(`${name} is missing; the connection to the PSP needs it.`);
    return text(name) ?? '';
  };
  needed('PSP_URL');
  needed('PSP_TOKEN_URL');
  return {
    url: url('PSP_URL', protocols) ?? '',
    tokenUrl: url('PSP_TOKEN_URL', protocols) ?? '',
    clientId: needed('PSP_CLIENT_ID'),
    clientSecret: needed('PSP_CLIENT_SECRET'),
    tokenStyle: choice('PSP_TOKEN_STYLE', ['basic-json', 'form'], 'basic-json'),
    scopes: readScopes(faults, text),
    tls: readCertificate(mode, faults, text),
  };
}

function readScopes(faults: string[], text: Reader['text']): string[] {
  const scopes = (text('PSP_SCOPES') ?? '').split(' ').filter((scope) => scope !== '');
  if (!scopes.every((scope) => SCOPE_FORM.test(scope)))
    faults.push('PSP_SCOPES must be names of scopes separated by spaces, like cob.write cob.read.');
  return scopes;
}

function readCertificate(
  mode: Reader['mode'],
  faults: string[],
  text: Reader['text'],
): PspCertificate | null {
  const file = (name: string): Buffer | undefined => {
    const path = text(name);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      faults.push(`${name} names a file that cannot be read (${(error as { code?: string }).code}).`);
      return Buffer.alloc(0);
    }
  };
  const [cert, key, pfx, ca] = [file('PSP_CERT'), file('PSP_KEY'), file('PSP_PFX'), file('PSP_CA')];
  const authority = ca && { ca };
  if (pfx && (cert || key)) faults.push('PSP_PFX is set beside PSP_CERT or PSP_KEY; use one or the other.');
  if (!pfx && !!cert !== !!key) faults.push('PSP_CERT and PSP_KEY belong together; one of them is missing.');
  const passphrase = text('PSP_PFX_PASSPHRASE');
  if (pfx?.length && !isUsable({ pfx, ...(passphrase !== undefined && { passphrase }) }))
    faults.push(
      'PSP_PFX cannot be opened: it is no PKCS#12 file, or PSP_PFX_PASSPHRASE is not what opens it.',
    );
  if (cert?.length && key?.length && !isUsable({ cert, key }))
    faults.push(
      'PSP_CERT and PSP_KEY are no PEM files of a certificate and of the private key that belongs to it.',
    );
  if (ca?.length && !does(() => new X509Certificate(ca)))
    faults.push('PSP_CA is no PEM file of a certificate.');
  if (pfx) return { pfx, ...(passphrase !== undefined && { passphrase }), ...authority };
  if (cert && key) return { cert, key, ...authority };
  if (mode === 'live' && !cert && !key)
    faults.push('PSP_CERT and PSP_KEY, or PSP_PFX, are missing; PSPs ask for a client certificate.');
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
