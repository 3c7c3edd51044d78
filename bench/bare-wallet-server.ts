// The baseline of /wallet/me, in a process of its own.
import { creditUsed } from '#credit';
import { type CustomerRow, findCustomer } from '../src/customers/store.ts';
import { listen, rowsOf, server } from './bare-fastify.ts';

const customerId = process.argv[3]!;

server.get('/wallet/me', async () => {
  const [row] = await rowsOf((db) => findCustomer(db, customerId, creditUsed));
  const { person_sealed: _, ...customer } = row as CustomerRow;
  return customer;
});
await listen();
