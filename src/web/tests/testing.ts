import { after } from 'node:test';
import { openLog } from '#platform/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { openWeb } from '../open.ts';

/** The whole service, and the pages on it over real HTTP. */
export async function openSite(): Promise<{ service: Service; siteUrl: string; logged(): string }> {
  const service = await openService();
  const lines: string[] = [];
  const web = await openWeb({
    ...{ port: 0, host: '127.0.0.1', url: null, trustProxy: false, apiUrl: service.frontUrl },
    ...{ key: 'sandbox-web-key', secret: Buffer.alloc(32, 7) },
    sandbox: {
      ...{ staffUrl: service.staffUrl, staffKey: 'sandbox-operator-key' },
      merchantKey: 'sandbox-merchant-key',
    },
    log: openLog('warn', { write: (line: string) => void lines.push(line) }),
  });
  after(() => web.close());
  return { service, siteUrl: web.url, logged: () => lines.join('') };
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
];
