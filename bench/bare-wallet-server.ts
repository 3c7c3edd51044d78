// The baseline of /wallet/me, in a process of its own: a bare Fastify route that runs the same SELECT with pg.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import type { Queryable, Sql } from '#platform/db.ts';
import { type CustomerRow, findCustomer } from '../src/customers/store.ts';

const [databaseUrl, customerId] = process.argv.slice(2) as [string, string];
const { name, text } = await statementOf(customerId);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const server = Fastify();
server.get('/wallet/me', async () => {
  const { rows } = await pool.query<CustomerRow>({ name, text, values: [customerId] });
  const { cpf_sealed: _, cpf_key_version: __, ...customer } = rows[0]!;
  return customer;
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);

/** The very statement of the service, caught on its way to the database. */
async function statementOf(id: string): Promise<Sql> {
  let caught: Sql | undefined;
  const catcher = {
    row: async (statement: Sql) => {
      caught = statement;
      return undefined;
    },
  };
  await findCustomer(catcher as unknown as Queryable, id);
  return caught!;
}
