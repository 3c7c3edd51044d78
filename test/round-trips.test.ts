import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { shareService } from './harness.ts';
import { ANA, getMe, logIn, newCustomer } from './purchase-driver.ts';

const service = await shareService();
const { token } = await logIn(service, ANA);
const anaId = (await getMe(service, token)).body.id;

/** The id of the customer whose statements are counted. */
let countedCustomerId: string = anaId;

/** The texts of the statements about the customer, in each round trip that has any. Jobs and housekeeping send round trips, too. */
const roundTrips: string[][] = [];

type SentStatement = { text: string; values?: unknown[] };
/** A single statement, or a batch that is sent in one round trip. */
type SentQuery = SentStatement & { statements?: SentStatement[] };

// The driver is patched, because only it sees what is sent together.
const { query: originalQuery } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client & { connectionParameters: object }, ...args: never) {
  const { application_name } = this.connectionParameters as { application_name?: string };
  const [query] = args as [SentQuery];
  const texts = (query.statements ?? [query])
    .filter(({ values }) => values?.includes(countedCustomerId))
    .map(({ text }) => text);
  const isPoolForRequests = application_name === 'semana';
  if (isPoolForRequests && texts.length > 0) roundTrips.push(texts);
  return (originalQuery as (...parameters: never) => unknown).apply(this, args);
} as typeof originalQuery;

/** Returns the number of statements about the customer that a request causes. */
async function countStatements(
  sendRequest: () => Promise<{ status: number; text: string }>,
): Promise<number> {
  await sendRequest(); // fills caches, which are not counted
  roundTrips.length = 0;
  const response = await sendRequest();
  assert.ok(response.status < 300, response.text);
  return roundTrips.flat().length;
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
  const specialCounts = new Map([
    // The debits of a purchase belong to another module, which reads them concurrently.
    [`/wallet/checkouts/${hash}`, 2],
    // Credit, cashback, due payments with the debits of both purchases, the phone and its offers, and purchases.
    ['/wallet/home', 8],
  ]);
  assert.deepEqual(counts, new Map(paths.map((path) => [path, specialCounts.get(path) ?? 1])));
});

test('an acceptance reads the facts of its decision in the same round trip as the amounts that the customer owes', async () => {
  const customer = await newCustomer(service);
  const offer = { phone: customer.phone, amount: 20, installments: 1 };
  const createResponse = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  const { token: buyerToken } = await logIn(service, customer);
  roundTrips.length = 0;
  countedCustomerId = customer.id;
  const acceptResponse = await service.post(
    `/wallet/offers/${createResponse.body.id}/accept`,
    {},
    { token: buyerToken },
  );
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  const findTrips = (sqlPart: string) =>
    roundTrips.filter((texts) => texts.some((text) => text.includes(sqlPart)));
  const tripsWithFacts = findTrips('worst_days_late');
  assert.equal(tripsWithFacts.length, 1);
  for (const column of ['cashback_owed_cents', 'refusals_month', 'credit_standings'])
    assert.ok(
      tripsWithFacts[0]!.some((text) => text.includes(column)),
      column,
    );
  const [tripWithDecision] = findTrips('into credit_decisions');
  assert.ok(tripWithDecision!.length > 1, 'the decision is written with other rows');
});
