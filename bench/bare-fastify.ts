// Shared by the wallet's baselines: bare Fastify routes that run the service's own statements with pg.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import type { Queryable, Statement } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';

const pool = new pg.Pool({ connectionString: process.argv[2]!, max: 10 });
const vault = new Vault(SANDBOX_SECRETS);
export const server = Fastify();

export const customerOf = (request: FastifyRequest) => request.headers['x-customer'] as string;

/** The rows of the statement that a read of the service runs, as pg returns them. */
export async function rowsOf(read: (db: Queryable) => Promise<unknown>): Promise<unknown[]> {
  return (await pool.query({ ...caught(read) })).rows;
}

/** The service's own statement, captured before it is sent. */
function caught(read: (db: Queryable) => Promise<unknown>): Statement {
  let statement: Statement | undefined;
  const catcher = (caughtNow: Statement) => {
    statement = caughtNow;
    return new Promise<never>(() => undefined);
  };
  void read({ rows: catcher, row: catcher, run: catcher, vault });
  return statement!;
}

export async function listen(): Promise<void> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);
}
