// The baseline of cashback and referral, in a process of its own.
import { saoPauloDay } from '#core/day.ts';
import { findBalances, findReferral, listMovements } from '../src/rewards/reading-store.ts';
import { customerOf, listen, rowsOf, server } from './bare-fastify.ts';

const today = saoPauloDay(Date.now());
const LIMIT = 20;

server.get('/wallet/cashback/balance', async (request) => {
  return (await rowsOf((db) => findBalances(db, customerOf(request), today)))[0];
});
server.get('/wallet/cashback/ledger', async (request) => {
  const { page } = request.query as { page: string };
  const window = { offset: (Number(page) - 1) * LIMIT, limit: LIMIT, upTo: Number.MAX_SAFE_INTEGER };
  return { data: await rowsOf((db) => listMovements(db, customerOf(request), today, window)) };
});
server.get('/wallet/referral', async (request) => {
  return (
    await rowsOf((db) => findReferral(db, customerOf(request), { offset: 0, limit: 100, upTo: 1e9 }))
  )[0];
});
await listen();
