// Shared by the wallet baselines: bare Fastify routes that run the SQL statements of the service with pg.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import type { Queryable, Statement } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';

const pool = new pg.Pool({ connectionString: process.argv[2]!, max: 10 });
const vault = new Vault(SANDBOX_SECRETS);
export const server = Fastify();

export const readCustomerId = (request: FastifyRequest) => request.headers['x-customer'] as string;

/** Runs the SQL statement of one of the service's read functions, and returns the rows as pg returns them. */
export async function queryRows(read: (db: Queryable) => Promise<unknown>): Promise<unknown[]> {
  return (await pool.query({ ...captureStatement(read) })).rows;
}

/** Returns the statement that a read function would send, without sending it. */
function captureStatement(read: (db: Queryable) => Promise<unknown>): Statement {
  let statement: Statement | undefined;
  const capture = (captured: Statement) => {
    statement = captured;
    return new Promise<never>(() => undefined);
  };
  void read({ rows: capture, row: capture, values: capture, value: capture, run: capture, vault });
  return statement!;
}

export async function listen(): Promise<void> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);
}
