import { type Mode, type Settings, WEB_PORT_FALLBACK } from '#platform/settings.ts';

export type WebSettings = {
  mode: Mode;
  /** null: this node shows no pages. */
  port: number | null;
  host: string;
  /** The address people type; canonical links begin with it. */
  url: string | null;
  apiUrl: string | null;
  key: string | null;
  /** Seals cookies. */
  secret: Buffer | null;
  trustProxy: string | false;
  /** Null in live: there is nothing to try out. */
  sandbox: SandboxAccess | null;
};

/** With what the bar of the sandbox does what customers cannot. `staffUrl` null: where the service itself has its staff door. */
export type SandboxAccess = { staffUrl: string | null; staffKey: string; merchantKey: string };

/** Known to everybody: of the sandbox. A backend's, as the pages name the consumer they call for. */
export const SANDBOX_WEB_KEY = 'sandbox-web-key';
const SANDBOX_STAFF_KEY = 'sandbox-operator-key';
const SANDBOX_MERCHANT_KEY = 'sandbox-merchant-key';
const SANDBOX_SECRET = Buffer.from('semana-sandbox-semana-sandbox-se');

export const webSettings: Settings<WebSettings> = {
  declared: [
    {
      name: 'WEB_PORT',
      fallback: String(WEB_PORT_FALLBACK),
      meaning: 'port of the pages; 0 picks a free one, off: none',
    },
    { name: 'WEB_HOST', fallback: '0.0.0.0', meaning: 'address the pages are served on' },
    {
      name: 'WEB_URL',
      fallback: 'http://localhost:WEB_PORT',
      meaning: 'address of the site; https, and required by `semana web` in live',
    },
    {
      name: 'API_URL',
      fallback: 'http://localhost:3000',
      meaning: 'front door that the pages call; required by `semana web` in live',
    },
    {
      name: 'WEB_KEY',
      fallback: '(known, sandbox only)',
      meaning:
        'API key of the pages, scopes public and wallet, marked as a backend; required by `semana web` in live',
    },
    {
      name: 'WEB_SECRET',
      fallback: '(known, sandbox only)',
      meaning: 'base64 of 32 bytes that seal cookies; required by `semana web` in live',
    },
    {
      name: 'WEB_TRUST_PROXY',
      fallback: '(none)',
      meaning: 'addresses of proxies before the pages whose X-Forwarded-For is believed',
    },
    {
      name: 'WEB_STAFF_URL',
      fallback: 'http://localhost:3001',
      meaning: 'staff door for the bar that shows codes, pays and moves the clock, off: no bar; sandbox only',
    },
    {
      name: 'WEB_STAFF_KEY',
      fallback: '(known, sandbox only)',
      meaning: 'operator key for that bar; sandbox only',
    },
    {
      name: 'WEB_MERCHANT_KEY',
      fallback: '(known, sandbox only)',
      meaning: 'merchant key with which that bar makes an offer; sandbox only',
    },
  ],
  read(from) {
    const isOff = from.text('WEB_PORT') === 'off';
    const sandbox = from.mode === 'sandbox';
    const secret = from.text('WEB_SECRET');
    const bytes = secret === undefined ? null : Buffer.from(secret, 'base64');
    if (bytes && bytes.length !== 32)
      from.fault(`WEB_SECRET is not 32 bytes in base64; make one with 'openssl rand -base64 32'.`);
    return {
      mode: from.mode,
      port: isOff ? null : from.integer('WEB_PORT', WEB_PORT_FALLBACK, 0, 65535),
      host: from.text('WEB_HOST') ?? '0.0.0.0',
      url: from.url('WEB_URL', from.webProtocols),
      apiUrl: from.url('API_URL', ['http:', 'https:']),
      key: from.text('WEB_KEY') ?? (sandbox ? SANDBOX_WEB_KEY : null),
      secret: bytes ?? (sandbox ? SANDBOX_SECRET : null),
      trustProxy: from.text('WEB_TRUST_PROXY') ?? false,
      sandbox:
        sandbox && from.text('WEB_STAFF_URL') !== 'off'
          ? {
              staffUrl: from.url('WEB_STAFF_URL', ['http:', 'https:']),
              staffKey: from.text('WEB_STAFF_KEY') ?? SANDBOX_STAFF_KEY,
              merchantKey: from.text('WEB_MERCHANT_KEY') ?? SANDBOX_MERCHANT_KEY,
            }
          : null,
    };
  },
};

/** What the pages cannot do without. The service itself can: it reads these settings, too. */
export function missingSettings({ mode, port, url, apiUrl, key, secret }: WebSettings): string[] {
  const missing = Object.entries({ WEB_URL: url, API_URL: apiUrl, WEB_KEY: key, WEB_SECRET: secret })
    .filter(([, value]) => value === null && mode === 'live')
    .map(([name]) => `${name} is missing; the pages need it in live mode.`);
  return port === null ? [...missing, 'WEB_PORT is off; semana web needs a port.'] : missing;
}
