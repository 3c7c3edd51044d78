// The baseline of the purchase reads, as a separate process.
import { saoPauloDay } from '#core/values/day.ts';
import { findCheckoutRecord, listCheckouts } from '../src/credit/purchases/reading-store.ts';
import { listen, queryRows, readCustomerId, server } from './bare-fastify.ts';

const today = saoPauloDay(Date.now());
const PAGE = { offset: 0, limit: 20 };

server.get('/wallet/checkouts', async (request) => {
  const range = { from: '-infinity', to: 'infinity' } as const;
  return { data: await queryRows((db) => listCheckouts(db, readCustomerId(request), range, today, PAGE)) };
});
server.get('/wallet/checkouts/:hash', async (request) => {
  const { hash } = request.params as { hash: string };
  return (await queryRows((db) => findCheckoutRecord(db, readCustomerId(request), hash)))[0];
});
await listen();
