import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from './harness.ts';
import { ANA, logIn, me } from './shop.ts';

const service = await openService();
const { token } = await logIn(service, ANA);
const ana = (await me(service, token)).body.id;

/** Statements about Ana sent to PostgreSQL by the pool that serves requests; jobs and housekeeping use it, too. */
const statements: string[] = [];
type Sent = { text: string; values?: unknown[] };
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client & { connectionParameters: object }, ...args: never) {
  const { application_name: label } = this.connectionParameters as { application_name?: string };
  const [sent] = args as [Sent & { statements?: Sent[] }];
  const about = (sent.statements ?? [sent]).filter(({ values }) => values?.includes(ana));
  if (label === 'semana') statements.push(...about.map(({ text }) => text));
  return (query as (...given: never) => unknown).apply(this, args);
} as typeof query;

async function countStatements(work: () => Promise<{ status: number; text: string }>): Promise<number> {
  await work(); // fills caches, which are not counted
  statements.length = 0;
  const answer = await work();
  assert.ok(answer.status < 300, answer.text);
  return statements.length;
}

test('each read of the wallet is one statement', async () => {
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
  ];
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, await countStatements(() => service.get(path, { token })));
  assert.deepEqual(counts, new Map(paths.map((path) => [path, 1])));
});
