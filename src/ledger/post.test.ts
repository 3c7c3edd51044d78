import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerTransaction, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { newCustomer } from '../../test/purchase-driver.ts';
import type { Account, Entry } from './accounts.ts';
import { post } from './post.ts';

const service = await openService();
const { id: customerId } = await newCustomer(service);
const now = new Date('2027-03-01T12:00:00Z');
/** Error codes of PostgreSQL. */
const CHECK_VIOLATION = '23514';
const RESTRICT_VIOLATION = '23001';

const buildEntry = (
  account: Account,
  amountCents: number,
  installmentId: string | null = 'ins_1',
): Entry => ({
  account,
  installmentId,
  amountCents,
});
const buildPosting = (reference: string, ...entries: Entry[]) => ({
  customerId,
  reference,
  kind: 'receipt',
  occurredAt: now,
  entries,
});
const writePosting = (reference: string, ...entries: Entry[]) =>
  customerTransaction(service.db, customerId, async (tx) =>
    post(tx, buildPosting(reference, ...entries), now),
  );
const listEntries = (reference: string) =>
  service.db.rows<{ account: string; installment_id: string | null; amount_cents: number }>(sql`
    select e.account, e.installment_id, e.amount_cents
    from ledger_postings p join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
    where p.customer_id = ${customerId} and p.reference = ${reference} order by e.line`);
const countPostings = async () =>
  (await service.db.row<{ count: number }>(sql`select count(*) from ledger_postings`))!.count;

test('a posting is written with one entry for each account and installment', async () => {
  await writePosting(
    'receipt 1',
    buildEntry('pix_clearing', 10_223),
    buildEntry('penalty_income', -23),
    buildEntry('penalty_income', -200),
    buildEntry('receivable', -10_000),
    buildEntry('refunds_payable', 0),
  );
  assert.deepEqual(await listEntries('receipt 1'), [
    { account: 'pix_clearing', installment_id: 'ins_1', amount_cents: 10_223 },
    { account: 'penalty_income', installment_id: 'ins_1', amount_cents: -223 },
    { account: 'receivable', installment_id: 'ins_1', amount_cents: -10_000 },
  ]);
});

test('a posting whose entries cancel out is not written', async () => {
  const postingCountBefore = await countPostings();
  await writePosting('receipt 2', buildEntry('receivable', 5), buildEntry('receivable', -5));
  await writePosting('receipt 3');
  assert.equal(await countPostings(), postingCountBefore);
});

test('entries that do not add up to zero are rejected before they reach the database', async () => {
  const postingCountBefore = await countPostings();
  await assert.rejects(
    writePosting('receipt 4', buildEntry('pix_clearing', 100), buildEntry('receivable', -99)),
    /out of balance by 1 centavos/,
  );
  await assert.rejects(
    writePosting('receipt 4', buildEntry('pix_clearing', 0.5), buildEntry('receivable', -0.5)),
    /0\.5/,
  );
  assert.equal(await countPostings(), postingCountBefore);
});

test('the same reference cannot be posted twice, and the refused posting changes nothing', async () => {
  await writePosting('receipt 5', buildEntry('pix_clearing', 100), buildEntry('receivable', -100));
  const postingCountBefore = await countPostings();
  await assert.rejects(
    writePosting('receipt 5', buildEntry('pix_clearing', 100), buildEntry('receivable', -100)),
    /duplicate key value .* "ledger_postings_customer_id_reference_key/,
  );
  assert.equal(await countPostings(), postingCountBefore);
});

/** The error of the database for a posting that does not balance. */
const UNBALANCED = { code: CHECK_VIOLATION, message: /is out of balance by -?1 centavos/ };

test('the database rejects entries that leave a posting out of balance', async () => {
  await assert.rejects(
    service.db.transaction(async (tx) => {
      tx.queueWrite(sql`
        insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
        values (${customerId}, 'unbalanced', 'receipt', now(), now())`);
      tx.queueWrite(sql`
        insert into ledger_entries (customer_id, posting_id, line, account, amount_cents)
        select p.customer_id, p.id, e.line, e.account, e.amount
        from ledger_postings p, unnest('{1,2}'::int[], '{pix_clearing,receivable}'::text[], '{100,-99}'::int[])
          as e (line, account, amount)
        where p.customer_id = ${customerId} and p.reference = 'unbalanced'`);
    }),
    UNBALANCED,
  );
  await writePosting('receipt 6', buildEntry('pix_clearing', 100), buildEntry('receivable', -100));
  await assert.rejects(
    service.db.run(sql`
      insert into ledger_entries (customer_id, posting_id, line, account, amount_cents)
      select customer_id, id, 3, 'receivable', 1 from ledger_postings where reference = 'receipt 6'`),
    UNBALANCED,
  );
  assert.equal((await listEntries('receipt 6')).length, 2);
});

test('entries on unknown accounts and entries of zero are rejected', async () => {
  for (const [account, amount] of [
    ['petty_cash', 1],
    ['receivable', 0],
  ] as const) {
    await assert.rejects(
      service.db.run(sql`
        insert into ledger_entries (customer_id, posting_id, line, account, amount_cents)
        select customer_id, id, 9, ${account}, ${amount} from ledger_postings where reference = 'receipt 6'`),
      { code: CHECK_VIOLATION },
    );
  }
});

test('postings and entries are append-only: no update, delete or truncate', async () => {
  const statements = [
    sql`update ledger_entries set amount_cents = amount_cents * 2`,
    sql`delete from ledger_entries`,
    sql`truncate ledger_entries`,
    sql`update ledger_postings set kind = 'other'`,
    sql`delete from ledger_postings`,
    sql`truncate ledger_postings cascade`,
  ];
  for (const statement of statements) {
    await assert.rejects(service.db.run(statement), { code: RESTRICT_VIOLATION }, statement.text);
  }
  assert.equal((await listEntries('receipt 1')).length, 3);
});

test('of two concurrent postings of one customer the second waits and gets the greater number', async () => {
  const lockSignal = Promise.withResolvers<void>();
  const commitSignal = Promise.withResolvers<void>();
  const postLocked = (reference: string, waitBeforePosting: () => Promise<void>) =>
    // `forNewCustomers` does not serialise the transactions in memory, so that they are concurrent, as on two nodes.
    forNewCustomers(service.db).transaction(async (tx) => {
      await tx.run(sql`select from customers where id = ${customerId} for no key update`);
      await waitBeforePosting();
      post(tx, buildPosting(reference, buildEntry('pix_clearing', 1), buildEntry('receivable', -1)), now);
    });
  const firstPosting = postLocked('first', () => {
    lockSignal.resolve();
    return commitSignal.promise;
  });
  await lockSignal.promise;
  const secondPosting = postLocked('second', () => Promise.resolve());
  commitSignal.resolve();
  await Promise.all([firstPosting, secondPosting]);
  const rows = await service.db.rows<{ reference: string }>(sql`
    select reference from ledger_postings where reference in ('first', 'second') order by id`);
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    ['first', 'second'],
  );
});
