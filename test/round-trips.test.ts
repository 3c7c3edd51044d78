import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from './harness.ts';
import { ANA, getMe, logIn, newCustomer } from './shop.ts';

const service = await openService();
const { token } = await logIn(service, ANA);
const ana = (await getMe(service, token)).body.id;

/** The id of the customer whose statements are counted. */
let countedCustomerId: string = ana;

/** Statements about the customer that the pool for requests has sent. Jobs and housekeeping use this pool, too. */
const statements: string[] = [];
type SentStatement = { text: string; values?: unknown[] };
const { query: originalQuery } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client & { connectionParameters: object }, ...args: never) {
  const { application_name: label } = this.connectionParameters as { application_name?: string };
  const [query] = args as [SentStatement & { statements?: SentStatement[] }];
  const customerStatements = (query.statements ?? [query]).filter(({ values }) =>
    values?.includes(countedCustomerId),
  );
  if (label === 'semana') statements.push(...customerStatements.map(({ text }) => text));
  if (label === 'semana' && customerStatements.length > 0)
    roundTrips.push(customerStatements.map(({ text }) => text));
  return (originalQuery as (...parameters: never) => unknown).apply(this, args);
} as typeof originalQuery;

/** The statements about the customer in each round trip that has any. */
const roundTrips: string[][] = [];

async function countStatements(
  sendRequest: () => Promise<{ status: number; text: string }>,
): Promise<number> {
  await sendRequest(); // fills caches, which are not counted
  statements.length = 0;
  const response = await sendRequest();
  assert.ok(response.status < 300, response.text);
  return statements.length;
}

test('each read of the wallet takes one statement, a purchase with its debits two, the overview one for each of its sections', async () => {
  const { body } = await service.get('/wallet/checkouts', { token });
  const { hash } = body.data[0];
  const paths = [
    '/wallet/me',
    '/wallet/checkouts',
    '/wallet/checkouts?status=overdue',
    `/wallet/checkouts/${hash}`,
    '/wallet/cashback/balance',
    '/wallet/cashback/ledger',
    '/wallet/referral',
    '/wallet/home',
  ];
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, await countStatements(() => service.get(path, { token })));
  // The debits of a purchase belong to another module, which reads them concurrently. The overview has credit, cashback, due
  // payments with the debits of both purchases, the phone and its offers, and purchases.
  const getAllowedCount = (path: string) => (path.endsWith(hash) ? 2 : path.endsWith('home') ? 8 : 1);
  assert.deepEqual(counts, new Map(paths.map((path) => [path, getAllowedCount(path)])));
});

test('an acceptance reads the facts of its decision in the same round trip as the amounts that the customer owes', async () => {
  const buyer = await newCustomer(service);
  const offer = { phone: buyer.phone, amount: 20, installments: 1 };
  const createResponse = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  const { token: buyerToken } = await logIn(service, buyer);
  roundTrips.length = 0;
  countedCustomerId = buyer.id;
  const acceptResponse = await service.post(
    `/wallet/offers/${createResponse.body.id}/accept`,
    {},
    { token: buyerToken },
  );
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  const tripsWithFacts = roundTrips.filter((statements) =>
    statements.some((text) => text.includes('worst_days_late')),
  );
  assert.equal(tripsWithFacts.length, 1);
  for (const column of ['cashback_owed_cents', 'refusals_month', 'credit_standings'])
    assert.ok(
      tripsWithFacts[0]!.some((text) => text.includes(column)),
      column,
    );
  assert.ok(
    roundTrips.find((statements) => statements.some((text) => text.includes('into credit_decisions')))!
      .length > 1,
    'the decision is written with other rows',
  );
});
