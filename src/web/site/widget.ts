import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isProblem } from '#client';
import { MINUTE_MS } from '#core/duration.ts';
import { buildScript } from '../server/assets.ts';
import type { Host } from '../server/face.ts';
import { queryOf, sendKept } from '../server/page.ts';
import { PageReader } from '../server/reader.ts';
import { visitorAddress } from '../server/security.ts';

/** Quotes an address may ask for in a minute: a person who tries every variant of a product stays far below. */
const MOST_QUOTES = 120;
/** A plan that was changed shows on shops' pages after this time. The offer itself is always of now. */
const QUOTE_CACHE = 'public, max-age=300';
/** Shops name the script by one address for good: a new version reaches them within the hour. */
const SCRIPT_CACHE = 'public, max-age=3600';

const widget = await buildScript('widget.ts', { target: ['chrome105', 'firefox110', 'safari16.4'] });

/** What pages of shops load from us: the script of `<semana-parcelas>`, and the quote that it shows. Neither is for one person. */
export function addWidget({ server, lender, reader, log }: Host): void {
  const script = sendKept(widget, SCRIPT_CACHE);
  server.get('/widget.js', (request, reply) => script(request, forAnybody(reply)));
  const asked = new LRUCache<string, { count: number }>({ max: 50_000, ttl: MINUTE_MS });

  server.get('/public/merchants/:slug/quote', async (request, reply) => {
    forAnybody(reply);
    const address = visitorAddress(request);
    const window = asked.get(address) ?? { count: 0 };
    if (window.count === 0) asked.set(address, window);
    window.count += 1;
    if (window.count > MOST_QUOTES) return refuse(reply, 429);
    const wish = wishOf(request);
    if (!wish) return refuse(reply, 400);
    const path = { slug: (request.params as { slug: string }).slug };
    try {
      const quote = await new PageReader(reader).read('quotePurchase', { path, query: wish });
      const creditor = lender.current();
      return await reply.header('cache-control', QUOTE_CACHE).send({
        ...quote,
        creditor: creditor ? { name: creditor.name, cnpj: creditor.cnpj } : null,
      });
    } catch (error) {
      if (isProblem(error) && error.status < 500) return refuse(reply, error.status);
      log.warn({ err: error, route: request.routeOptions.url }, 'a quote for a shop failed');
      return refuse(reply, 503);
    }
  });
}

function wishOf(request: FastifyRequest): { amount: number; installments: number } | undefined {
  const { query } = queryOf(request);
  const [amount, installments] = [query('amount') ?? '', query('installments') ?? ''];
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(amount) || !/^\d{1,2}$/.test(installments)) return undefined;
  return { amount: Number(amount), installments: Number(installments) };
}

const forAnybody = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });

/** The widget shows nothing then; a person who looks sees the status. */
const refuse = (reply: FastifyReply, status: number): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...(status === 429 && { 'retry-after': '60' }) })
    .send({ status });
