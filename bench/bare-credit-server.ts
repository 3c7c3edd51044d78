// The baseline of purchases, in a process of its own.
import { saoPauloDay } from '#core/day.ts';
import { findCheckoutRecord, listCheckouts } from '../src/credit/purchases/reading-store.ts';
import { customerOf, listen, rowsOf, server } from './bare-fastify.ts';

const today = saoPauloDay(Date.now());
const PAGE = { offset: 0, limit: 20 };

server.get('/wallet/checkouts', async (request) => {
  const range = { from: '-infinity', to: 'infinity' } as const;
  return { data: await rowsOf((db) => listCheckouts(db, customerOf(request), range, today, PAGE)) };
});
server.get('/wallet/checkouts/:hash', async (request) => {
  const { hash } = request.params as { hash: string };
  return (await rowsOf((db) => findCheckoutRecord(db, customerOf(request), hash)))[0];
});
await listen();
