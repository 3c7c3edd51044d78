import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from './harness.ts';
import { ANA, getMe, logIn, newCustomer } from './shop.ts';

const service = await openService();
const { token } = await logIn(service, ANA);
const ana = (await getMe(service, token)).body.id;

/** Whose statements are counted. */
let counted: string = ana;

/** Statements about them sent to PostgreSQL by the pool that serves requests; jobs and housekeeping use it, too. */
const statements: string[] = [];
type SentStatement = { text: string; values?: unknown[] };
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client & { connectionParameters: object }, ...args: never) {
  const { application_name: label } = this.connectionParameters as { application_name?: string };
  const [sent] = args as [SentStatement & { statements?: SentStatement[] }];
  const about = (sent.statements ?? [sent]).filter(({ values }) => values?.includes(counted));
  if (label === 'semana') statements.push(...about.map(({ text }) => text));
  if (label === 'semana' && about.length > 0) trips.push(about.map(({ text }) => text));
  return (query as (...given: never) => unknown).apply(this, args);
} as typeof query;

/** Round trips in which something about them was sent, with what was sent together. */
const trips: string[][] = [];

async function countStatements(work: () => Promise<{ status: number; text: string }>): Promise<number> {
  await work(); // fills caches, which are not counted
  statements.length = 0;
  const answer = await work();
  assert.ok(answer.status < 300, answer.text);
  return statements.length;
}

test('each read of the wallet is one statement, a purchase with its debits two, the overview one for each part', async () => {
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
  // The debits of a purchase are of another module: they are read beside it, not after it. The overview has credit, cashback, due
  // payments with the debits of both purchases, the phone and its offers, and purchases.
  const allowed = (path: string) => (path.endsWith(hash) ? 2 : path.endsWith('home') ? 8 : 1);
  assert.deepEqual(counts, new Map(paths.map((path) => [path, allowed(path)])));
});

test('an acceptance reads the facts of its decision in the same round trip as the amounts the customer owes', async () => {
  const buyer = await newCustomer(service);
  const offer = { phone: buyer.phone, amount: 20, installments: 1 };
  const createResponse = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  const { token: theirs } = await logIn(service, buyer);
  trips.length = 0;
  counted = buyer.id;
  const acceptResponse = await service.post(
    `/wallet/offers/${createResponse.body.id}/accept`,
    {},
    { token: theirs },
  );
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  const withFacts = trips.filter((trip) => trip.some((text) => text.includes('worst_days_late')));
  assert.equal(withFacts.length, 1);
  for (const part of ['cashback_owed_cents', 'refusals_month', 'credit_standings'])
    assert.ok(
      withFacts[0]!.some((text) => text.includes(part)),
      part,
    );
  assert.ok(
    trips.find((trip) => trip.some((text) => text.includes('into credit_decisions')))!.length > 1,
    'the decision is written with other rows',
  );
});
