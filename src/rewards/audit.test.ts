/** The audit reports every manipulation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sql, sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createCashbackDriver } from '../../test/support/cashback-driver.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z');
const referrer = await cashbackDriver.createCustomer();
const invitedCustomer = await cashbackDriver.createCustomer(await cashbackDriver.getReferralCode(referrer));
const { installmentId } = await cashbackDriver.buyAndPay(invitedCustomer);

/** Runs the statements with triggers disabled, and returns the mismatches of the audit. Restores the table. */
async function listMismatchesAfter(table: string, ...statements: Sql[]): Promise<string[]> {
  await service.db.run({ text: `create table saved_rows as select * from ${table}`, values: [], name: '' });
  const alterTriggers = (action: 'enable' | 'disable') =>
    service.db.run({ text: `alter table ${table} ${action} trigger user`, values: [], name: '' });
  await alterTriggers('disable');
  try {
    for (const statement of statements) await service.db.run(statement);
    return await cashbackDriver.listMismatches();
  } finally {
    const columns = await service.db.rows<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`);
    const keyColumn = table === 'invitations' ? 'invited_id' : 'position';
    const assignments = columns.map(({ name }) => `"${name}" = saved_rows."${name}"`).join(', ');
    const text = `update ${table} set ${assignments} from saved_rows where saved_rows.customer_id = ${table}.customer_id and saved_rows.${keyColumn} = ${table}.${keyColumn}`;
    await service.db.run({ text, values: [], name: '' });
    await alterTriggers('enable');
    await service.db.run({ text: 'drop table saved_rows', values: [], name: '' });
  }
}

test('the audit finds no mismatch in unchanged data', async () => {
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('the audit reports a line with a wrong amount or balance', async () => {
  const mismatches = await listMismatchesAfter(
    'cashback_movements',
    sql`update cashback_movements set amount_cents = amount_cents + 1 where customer_id = ${referrer.id}`,
  );
  assert.ok(
    mismatches.some((line) => /balance_after_cents is 2000, should be 2001/.test(line)),
    mismatches.join('\n'),
  );
  assert.ok(mismatches.some((line) => /cashback_owed of its entries is -2000, should be -2001/.test(line)));
});

test('the audit reports a lot with a wrong remaining amount', async () => {
  const mismatches = await listMismatchesAfter(
    'cashback_lots',
    sql`update cashback_lots set remaining_cents = remaining_cents - 1 where customer_id = ${referrer.id}`,
  );
  assert.deepEqual(mismatches, [
    `cashback lot 1 of customer ${referrer.id}: remaining_cents is 1999, should be 2000`,
  ]);
});

test('the audit reports an installment with missing or wrong cashback', async () => {
  const missingCreditMismatches = await listMismatchesAfter(
    'cashback_lots',
    sql`update cashback_lots set installment_id = null where customer_id = ${invitedCustomer.id}`,
  );
  assert.deepEqual(missingCreditMismatches, [
    `installment ${installmentId}: has earned 0, should have earned 500`,
  ]);
  const otherCreditMismatches = await listMismatchesAfter(
    'cashback_lots',
    sql`update cashback_lots set installment_id = 'ins_nobody' where installment_id = ${installmentId}`,
  );
  assert.deepEqual(otherCreditMismatches.toSorted(), [
    `installment ${installmentId}: has earned 0, should have earned 500`,
    'installment ins_nobody: has earned 500, and is not settled',
  ]);
});

test('the audit reports an invitation with a missing or wrong reward', async () => {
  const name = `invitation of ${invitedCustomer.id} by ${referrer.id}`;
  const missingRewardMismatches = await listMismatchesAfter(
    'invitations',
    sql`update invitations set rewarded_at = null, reward_cents = null, referrer_position = null, invited_position = null
        where customer_id = ${referrer.id}`,
  );
  assert.ok(
    missingRewardMismatches.includes(`${name}: is not rewarded, should be`),
    missingRewardMismatches.join('\n'),
  );
  assert.equal(
    missingRewardMismatches.filter((line) => /no invitation accounts for it/.test(line)).length,
    2,
  );
  const otherRewardMismatches = await listMismatchesAfter(
    'invitations',
    sql`update invitations set reward_cents = 2001 where customer_id = ${referrer.id}`,
  );
  assert.deepEqual(otherRewardMismatches, [
    `${name}: 2000 was credited to the referrer, should be 2001`,
    `${name}: 2001 was credited to the referrer, should be 2000`,
  ]);
});

test('the audit reports cashback with a wrong expiry day, and a reward that differs from the promise', async () => {
  const expiryMismatches = await listMismatchesAfter(
    'cashback_movements',
    sql`update cashback_movements set expires_on = '2030-01-01' where customer_id = ${referrer.id}`,
  );
  assert.ok(
    expiryMismatches.some((line) => /expires_on is 2030-01-01, should be 2027-08-28/.test(line)),
    expiryMismatches.join('\n'),
  );
  const promiseMismatches = await listMismatchesAfter(
    'invitations',
    sql`update invitations set referrer_reward_cents = 3000 where customer_id = ${referrer.id}`,
  );
  assert.deepEqual(promiseMismatches, [
    `invitation of ${invitedCustomer.id} by ${referrer.id}: 2000 was credited to the referrer, should be 3000`,
  ]);
});

test('the audit reports a lot that is marked as reversed without a line', async () => {
  const mismatches = await listMismatchesAfter(
    'cashback_lots',
    sql`update cashback_lots set reversed_at = now(), remaining_cents = 0 where customer_id = ${referrer.id}`,
  );
  assert.ok(
    mismatches.some((line) => /taken back is 0, should be 2000/.test(line)),
    mismatches.join('\n'),
  );
});

test('the audit reports a posting on cashback accounts without a line in a statement', async () => {
  await service.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
      values (${referrer.id}, 'smuggled', 'cashback_adjusted', now(), now())`);
    await tx.run(sql`
      insert into ledger_entries (customer_id, posting_id, line, account, amount_cents)
      select posting.customer_id, posting.id, entry.line, entry.account, entry.amount
      from ledger_postings posting, (values (1, 'cashback_expense', 100), (2, 'cashback_owed', -100)) as entry (line, account, amount)
      where posting.customer_id = ${referrer.id} and posting.reference = 'smuggled'`);
  });
  assert.deepEqual(await cashbackDriver.listMismatches(), [
    `customer ${referrer.id}: posting 'smuggled' touches cashback and is not in the statement`,
  ]);
});
