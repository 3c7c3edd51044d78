// The baseline of /wallet/me, as a separate process.
import { selectCreditUsed } from '#credit';
import { type CustomerRow, findCustomer } from '../src/customers/store.ts';
import { selectPurchaseBlock } from '../src/decisions/store.ts';
import { listen, queryRows, server } from './bare-fastify.ts';

const customerId = process.argv[3]!;

server.get('/wallet/me', async () => {
  const [row] = await queryRows((db) =>
    findCustomer(db, customerId, { selectCreditUsed, selectPurchaseBlock }, new Date()),
  );
  const { person_sealed: _, ...customer } = row as CustomerRow;
  return customer;
});
await listen();
