import { after } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
import { createLog } from '#platform/observability/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { startWeb, type WebOptions } from '../start.ts';

export type Site = {
  service: Service;
  siteUrl: string;
  readLog(): string;
  /** Returns the options of the pages' server, with these changes. */
  createOptions(changes?: Partial<WebOptions>): WebOptions;
  /** Starts another instance of the pages, which shares only the secret with the first one. Returns its URL. */
  startSite(changes?: Partial<WebOptions>): Promise<string>;
};

export const MAX_SCRIPT_BYTES = 15_000;
/** A phone gets another code only after a minute. */
export const CODE_PAUSE_MS = MINUTE_MS + SECOND_MS;
/** No server listens on this port. */
export const UNREACHABLE_URL = 'http://127.0.0.1:1';
/** Reads the code that the sandbox bar of a page shows, because no message is sent. */
export function readSandboxCode(html: string): string {
  const [, code] = /class="sandbox-code">.*?<b>(\d{6})/s.exec(html)!;
  return code!;
}

export function readTitle(html: string): string {
  const [, title] = /<title>([^<]*)/.exec(html)!;
  return title!;
}

/** Returns a code of 6 digits that is not the right one. */
export const pickWrongCode = (rightCode: string) => (rightCode === '000000' ? '111111' : '000000');

/** Starts the service, and the pages that call it over real HTTP. */
export async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const service = await openService({ env });
  const logLines: string[] = [];
  const createOptions = (changes: Partial<WebOptions> = {}): WebOptions => ({
    port: 0,
    host: '127.0.0.1',
    url: null,
    trustProxy: false,
    apiUrl: service.partnerUrl,
    key: 'sandbox-web-key',
    tillKey: 'sandbox-till-key',
    secret: Buffer.alloc(32, 7),
    sandbox: {
      staffUrl: service.staffUrl,
      staffKey: 'sandbox-operator-key',
      merchantKey: 'sandbox-merchant-key',
    },
    // A slow machine must not fail these tests.
    apiTimeoutMs: 60_000,
    log: createLog('warn', { write: (line: string) => void logLines.push(line) }),
    ...changes,
  });
  const startSite = async (changes: Partial<WebOptions> = {}) => {
    const web = await startWeb(createOptions(changes));
    after(() => web.close());
    return web.url;
  };
  return {
    service,
    siteUrl: await startSite(),
    startSite,
    createOptions,
    readLog: () => logLines.join(''),
  };
}

/** Paths of the public site. One search has a typo and finds shops, another search finds nothing. */
export const SITE_PATHS = [
  '/',
  '/lojas',
  '/lojas?categoria=padarias&q=padria',
  '/lojas?q=nada+disso',
  '/lojas/padaria-flor-do-trigo',
  '/perguntas',
  '/perguntas?q=juros',
  '/blog',
  '/blog?pagina=2',
  '/blog/por-que-pensar-o-dinheiro-por-semana',
  '/seja-parceiro',
  '/seja-parceiro/obrigado',
  '/contato',
  '/contato/obrigado',
  '/convite/K7RW29AX',
  '/termos',
  '/privacidade',
  '/widget',
];
