import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isProblem } from '#client';
import { MINUTE_MS } from '#core/values/duration.ts';
import type { AppHost } from '../server/app.ts';
import { buildScript } from '../server/assets.ts';
import { PageReader } from '../server/catalog-cache.ts';
import { createQueryReader, createStaticHandler } from '../server/page.ts';
import { readClientIp } from '../server/security.ts';
import { Line, PageHead } from '../ui/components.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'semana-parcelas': { merchant: string; amount: string; installments: string; id?: string };
    }
  }
}

/** Reserves the height of the element until the script is loaded. */
const RESERVE_CSS =
  'semana-parcelas { display: block; min-height: 4.4em; font-size: .875rem; line-height: 1.4 } ' +
  '@media (max-width: 30rem) { semana-parcelas { min-height: 10.2em } }';

const ATTRIBUTES = [
  { name: 'merchant', text: 'O identificador da loja: o fim do endereço da página dela aqui no site.' },
  { name: 'amount', text: 'O valor em reais: 129.90. Quando ele muda, as parcelas mudam junto.' },
  { name: 'installments', text: 'Em quantas semanas. Se não for informado, quatro.' },
];

export const widgetPage: SitePageHandler = async ({ reader, siteUrl }) => {
  const { data } = await reader.read('listMerchants', { query: { page: 1, limit: 1 } });
  const slug = data[0]?.slug ?? 'sua-loja';
  const snippet = `<script src="${siteUrl}/widget.js" async></script>

<semana-parcelas merchant="${slug}" amount="129.90" installments="4"></semana-parcelas>`;
  return (
    <Layout
      head={{
        title: 'Parcelas semanais na página do produto',
        description:
          'Mostre na sua loja virtual quanto o produto custa por semana, com total, CET e credor, com duas linhas de HTML.',
        path: '/widget',
        siteUrl,
      }}
    >
      <article class="wrap article">
        <PageHead
          title="Parcelas na página do produto"
          lead="Duas linhas de HTML mostram quanto o produto custa por semana, com total, CET e credor."
        />
        <div class="prose">
          <h2>Veja como fica</h2>
          <div class="panel">
            <div class="field">
              <label for="valor">Valor do produto, em reais</label>
              <input id="valor" inputMode="decimal" value="129,90" maxLength={12} />
            </div>
            <semana-parcelas id="exemplo" merchant={slug} amount="129.90" installments="4" />
          </div>
          <h2>Como usar</h2>
          <pre>
            <code>{snippet}</code>
          </pre>
          <dl>
            {ATTRIBUTES.map(({ name, text }) => (
              <Line key={name} name={<code>{name}</code>} value={text} />
            ))}
          </dl>
          <p>
            Para que nada se mova enquanto a página carrega, reserve o espaço no seu CSS:{' '}
            <code>{RESERVE_CSS}</code>
          </p>
          <p>
            Se a sua loja tem uma política de segurança (CSP), inclua {siteUrl} em <code>script-src</code> e{' '}
            <code>connect-src</code>. O script tem menos de 5 KB, não usa cookies nem fontes e faz um único
            pedido por valor. Sem resposta, ou com loja ou valor desconhecidos, aparece o texto que estiver
            entre as tags, e o console do navegador diz por quê.
          </p>
        </div>
      </article>
      <script src="/widget.js" async />
    </Layout>
  );
};

/** Limit for each IP address. A person who tries every variant of a product stays far below it. */
const MAX_QUOTES_PER_MINUTE = 120;
/** A changed plan takes up to this time to appear on shops' pages. The offer itself always uses the current plan. */
const QUOTE_CACHE = 'public, max-age=300';
/** The URL of the script never changes, so shops get a new version within an hour. */
const SCRIPT_CACHE = 'public, max-age=3600';

const widget = await buildScript('widget.ts', { target: ['chrome105', 'firefox110', 'safari16.4'] });

/** Serves the script of `<semana-parcelas>` and its quotes to pages of shops. Neither contains personal data. */
export function addWidget({ server, creditorCache, catalog, log }: AppHost): void {
  const sendScript = createStaticHandler(widget, SCRIPT_CACHE);
  server.get('/widget.js', (request, reply) => sendScript(request, allowAnyOrigin(reply)));
  // The time window of an IP address starts with its first quote.
  const quoteWindows = new LRUCache<string, { count: number }>({ max: 50_000, ttl: MINUTE_MS });

  server.get('/public/merchants/:slug/quote', async (request, reply) => {
    allowAnyOrigin(reply);
    const ip = readClientIp(request);
    const quoteWindow = quoteWindows.get(ip) ?? { count: 0 };
    if (quoteWindow.count === 0) quoteWindows.set(ip, quoteWindow);
    quoteWindow.count += 1;
    if (quoteWindow.count > MAX_QUOTES_PER_MINUTE) return sendStatus(reply, 429);
    const quoteQuery = parseQuoteQuery(request);
    if (!quoteQuery) return sendStatus(reply, 400);
    const path = { slug: (request.params as { slug: string }).slug };
    try {
      const quote = await new PageReader(catalog).read('quotePurchase', { path, query: quoteQuery });
      const creditor = creditorCache.getCreditor();
      return await reply.header('cache-control', QUOTE_CACHE).send({
        ...quote,
        creditor: creditor ? { name: creditor.name, cnpj: creditor.cnpj } : null,
      });
    } catch (error) {
      if (isProblem(error) && error.status < 500) return sendStatus(reply, error.status);
      log.warn({ err: error, route: request.routeOptions.url }, 'quote for the widget failed');
      return sendStatus(reply, 503);
    }
  });
}

function parseQuoteQuery(request: FastifyRequest): { amount: number; installments: number } | undefined {
  const { readQuery } = createQueryReader(request);
  const [amount, installments] = [readQuery('amount') ?? '', readQuery('installments') ?? ''];
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(amount) || !/^\d{1,2}$/.test(installments)) return undefined;
  return { amount: Number(amount), installments: Number(installments) };
}

const allowAnyOrigin = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });

/** Responds without a quote: the widget then shows the text between its tags. The body repeats the status for developers. */
const sendStatus = (reply: FastifyReply, status: number): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...(status === 429 && { 'retry-after': '60' }) })
    .send({ status });
