// The baseline of the cashback and referral reads, as a separate process.
import { saoPauloDay } from '#core/values/day.ts';
import { findBalances, findReferral, listMovements } from '../src/rewards/reading-store.ts';
import { listen, queryRows, readCustomerId, server } from './bare-fastify.ts';

const today = saoPauloDay(Date.now());
const LIMIT = 20;
/** Includes all lines and invitations, whatever their position. */
const NO_MAX_POSITION = Number.MAX_SAFE_INTEGER;

server.get('/wallet/cashback/balance', async (request) => {
  return (await queryRows((db) => findBalances(db, readCustomerId(request), today)))[0];
});
server.get('/wallet/cashback/ledger', async (request) => {
  const { page } = request.query as { page: string };
  const window = { offset: (Number(page) - 1) * LIMIT, limit: LIMIT, maxPosition: NO_MAX_POSITION };
  return { data: await queryRows((db) => listMovements(db, readCustomerId(request), today, window)) };
});
server.get('/wallet/referral', async (request) => {
  const window = { offset: 0, limit: 100, pagedCount: NO_MAX_POSITION };
  return (await queryRows((db) => findReferral(db, readCustomerId(request), window)))[0];
});
await listen();
