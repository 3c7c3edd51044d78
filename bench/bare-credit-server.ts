// The baseline of purchases, in a process of its own: bare Fastify routes that run the same SELECTs with pg.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { saoPauloDay } from '#core/day.ts';
import type { Queryable, Sql } from '#platform/db.ts';
import { findCheckoutFile, listCheckouts } from '../src/credit/reading-store.ts';

const pool = new pg.Pool({ connectionString: process.argv[2]!, max: 10 });
const today = saoPauloDay(Date.now());
const PAGE = { offset: 0, limit: 20 };
const server = Fastify();
const customerOf = (request: FastifyRequest) => request.headers['x-customer'] as string;

server.get('/wallet/checkouts', async (request) => {
  const range = { from: '-infinity', to: 'infinity' } as const;
  const statement = caught((db) => listCheckouts(db, customerOf(request), range, today, PAGE));
  return { data: (await pool.query({ ...statement })).rows };
});
server.get('/wallet/checkouts/:hash', async (request) => {
  const { hash } = request.params as { hash: string };
  const statement = caught((db) => findCheckoutFile(db, customerOf(request), hash));
  return (await pool.query({ ...statement })).rows[0];
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);

/** The very statement of the service, caught on its way to the database. */
function caught(read: (db: Queryable) => Promise<unknown>): Sql {
  let statement: Sql | undefined;
  const catcher = (caughtNow: Sql) => {
    statement = caughtNow;
    return new Promise<never>(() => undefined);
  };
  void read({ rows: catcher, row: catcher, run: catcher });
  return statement!;
}
