// The baseline of the cashback and referral reads, as a separate process.
import { saoPauloDay } from '#core/values/day.ts';
import { findBalances, findReferral, listMovements } from '../src/rewards/reading-store.ts';
import { listen, queryRows, readCustomerId, server } from './bare-fastify.ts';

const today = saoPauloDay(Date.now());
const LIMIT = 20;

server.get('/wallet/cashback/balance', async (request) => {
  return (await queryRows((db) => findBalances(db, readCustomerId(request), today)))[0];
});
server.get('/wallet/cashback/ledger', async (request) => {
  const { page } = request.query as { page: string };
  const window = { offset: (Number(page) - 1) * LIMIT, limit: LIMIT, upTo: Number.MAX_SAFE_INTEGER };
  return { data: await queryRows((db) => listMovements(db, readCustomerId(request), today, window)) };
});
server.get('/wallet/referral', async (request) => {
  return (
    await queryRows((db) => findReferral(db, readCustomerId(request), { offset: 0, limit: 100, upTo: 1e9 }))
  )[0];
});
await listen();
