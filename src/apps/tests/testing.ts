import { after } from 'node:test';
import { createLog } from '#platform/observability/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { startWeb, type WebOptions } from '../start.ts';

export type Site = {
  service: Service;
  siteUrl: string;
  readLog(): string;
  /** What the pages are opened with. */
  options(changes?: Partial<WebOptions>): WebOptions;
  /** Another process of the pages, as far as cookies know: with the same secret, and nothing else in common. */
  restartSite(changes?: Partial<WebOptions>): Promise<string>;
};

/** The whole service, and the pages on it over real HTTP. */
export async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const service = await openService({ env });
  const lines: string[] = [];
  const options = (changes: Partial<WebOptions> = {}): WebOptions => ({
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
    // A busy machine is not what these tests are about.
    timeoutMs: 60_000,
    log: createLog('warn', { write: (line: string) => void lines.push(line) }),
    ...changes,
  });
  const restartSite = async (changes: Partial<WebOptions> = {}) => {
    const web = await startWeb(options(changes));
    after(() => web.close());
    return web.url;
  };
  return {
    service,
    siteUrl: await restartSite(),
    restartSite: restartSite,
    options,
    readLog: () => lines.join(''),
  };
}

/** Every page of the site. */
export const PAGES = [
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
