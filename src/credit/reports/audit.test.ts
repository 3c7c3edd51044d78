import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../test/commands.ts';
import { openService, tamper } from '../../../test/harness.ts';
import { openShop } from '../../../test/shop.ts';
import { openStall } from '../../../test/stall.ts';

const service = await openService();
const shop = openShop(service);
service.clock.set('2027-03-05T15:00:00.000Z');

const by = await shop.newShopper();
const terms = { weekly_rate_percent: 1 };
const { hash, installments } = await shop.sell(by, {
  amount: 300,
  installments: 3,
  terms,
  purchased_at: '2027-02-24T15:00:00Z',
});
const [first, second] = installments.map(({ id }: { id: string }) => id) as [string, string];
const late = await shop.pay(by.id, first, 60);
await shop.pay(by.id, second, 200); // early, and too much
const stall = await openStall(service);
const offered = await shop.newShopper();
const offer = await stall.offerTo(offered.phone);
const { body: accepted } = await stall.accept(offer.id, await stall.tokenOf(offered));

test('everything agrees, the demo purchases included', async () => {
  assert.deepEqual(await shop.disagreements(), []);
});

const ENTRY = `customer_id = '${by.id}' and posting_id = (
  select id from ledger_postings where customer_id = '${by.id}' and reference = 'receipt ${late.reference}')`;

/** What is changed, how it is restored, and what the audit must report. */
const TAMPERINGS: Array<[name: string, table: string, change: string, back: string, says: RegExp]> = [
  [
    'what an offer was for',
    'offers',
    `update TABLE set amount_cents = amount_cents + 1 where id = '${offer.id}'`,
    `update TABLE set amount_cents = amount_cents - 1 where id = '${offer.id}'`,
    new RegExp(`checkout ${accepted.hash}: financed_cents is 10000, should be 10001`),
  ],
  [
    'whose purchase an offer became',
    'checkouts',
    `update TABLE set offer_id = null where hash = '${accepted.hash}'`,
    `update TABLE set offer_id = '${offer.id}' where hash = '${accepted.hash}'`,
    new RegExp(`offer ${offer.id}: was accepted, but its purchase does not exist`),
  ],
  [
    'an entry',
    'ledger_entries',
    `update TABLE set amount_cents = amount_cents - 1 where ${ENTRY} and account = 'receivable'`,
    `update TABLE set amount_cents = amount_cents + 1 where ${ENTRY} and account = 'receivable'`,
    new RegExp(`posting 'receipt ${late.reference}' is out of balance by -1 centavos`),
  ],
  [
    'an entry moved to another account',
    'ledger_entries',
    `update TABLE set account = 'cashback_owed' where ${ENTRY} and account = 'penalty_income'`,
    `update TABLE set account = 'penalty_income' where ${ENTRY} and account = 'cashback_owed'`,
    new RegExp(`installment ${first}: cashback_owed of its entries is -\\d+, should be 0`),
  ],
  [
    'what the credit was said to cost',
    'checkouts',
    `update TABLE set cet_year_ppm = cet_year_ppm + 100 where hash = '${hash}'`,
    `update TABLE set cet_year_ppm = cet_year_ppm - 100 where hash = '${hash}'`,
    new RegExp(`checkout ${hash}: cet_year_ppm is \\d+, should be \\d+`),
  ],
  [
    'what a receipt came to',
    'receipts',
    `update TABLE set principal_cents = principal_cents + 1, fine_cents = fine_cents - 1 where reference = '${late.reference}'`,
    `update TABLE set principal_cents = principal_cents - 1, fine_cents = fine_cents + 1 where reference = '${late.reference}'`,
    new RegExp(`receipt ${late.reference}: fine_cents is \\d+, should be \\d+`),
  ],
  [
    'the amount of a receipt',
    'receipts',
    `update TABLE set amount_cents = amount_cents + 100, excess_cents = excess_cents + 100 where reference = '${late.reference}'`,
    `update TABLE set amount_cents = amount_cents - 100, excess_cents = excess_cents - 100 where reference = '${late.reference}'`,
    new RegExp(`installment ${first}: pix_clearing of its entries is 6000, should be 6100`),
  ],
  [
    'when a receipt arrived',
    'receipts',
    `update TABLE set received_at = '2027-03-02T15:00:00Z' where reference = '${late.reference}'`,
    `update TABLE set received_at = '2027-03-05T15:00:00Z' where reference = '${late.reference}'`,
    new RegExp(`receipt ${late.reference}: `),
  ],
  [
    'what is outstanding on an installment',
    'installments',
    `update TABLE set outstanding_cents = outstanding_cents - 100, paid_cents = paid_cents + 100 where id = '${first}'`,
    `update TABLE set outstanding_cents = outstanding_cents + 100, paid_cents = paid_cents - 100 where id = '${first}'`,
    new RegExp(`installment ${first}: outstanding_cents is \\d+, should be \\d+`),
  ],
  [
    'the amount of an installment',
    'installments',
    `update TABLE set amount_cents = amount_cents + 1, principal_cents = principal_cents + 1, outstanding_cents = outstanding_cents + 1 where id = '${first}'`,
    `update TABLE set amount_cents = amount_cents - 1, principal_cents = principal_cents - 1, outstanding_cents = outstanding_cents - 1 where id = '${first}'`,
    new RegExp(`installment ${first}: amount_cents is \\d+, should be \\d+`),
  ],
  [
    'a due day',
    'installments',
    `update TABLE set due_on = due_on + 7, effective_due_on = effective_due_on + 7 where id = '${first}'`,
    `update TABLE set due_on = due_on - 7, effective_due_on = effective_due_on - 7 where id = '${first}'`,
    new RegExp(`installment ${first}: due_on is 2027-03-10, should be 2027-03-03`),
  ],
  [
    'what is owed on a checkout, which the credit limit goes by',
    'checkouts',
    `update TABLE set outstanding_cents = 1 where hash = '${hash}'`,
    `update TABLE set outstanding_cents = (
      select sum(i.outstanding_cents) from installments i where i.customer_id = '${by.id}' and i.checkout_hash = '${hash}')
     where customer_id = '${by.id}' and hash = '${hash}'`,
    new RegExp(`checkout ${hash}: outstanding_cents is 1, should be \\d+`),
  ],
  [
    'when a checkout becomes overdue, which the status filter goes by',
    'checkouts',
    `update TABLE set late_after = late_after + 30 where hash = '${hash}'`,
    `update TABLE set late_after = late_after - 30 where hash = '${hash}'`,
    new RegExp(`checkout ${hash}: late_after is 2027-04-02, should be 2027-03-03`),
  ],
  [
    'whether a checkout is written off, which the book goes by',
    'checkouts',
    `update TABLE set written_off_at = '2027-03-03T12:00:00Z' where hash = '${hash}'`,
    `update TABLE set written_off_at = null where hash = '${hash}'`,
    new RegExp(`checkout ${hash}: written_off_at is ${Date.parse('2027-03-03T12:00:00Z')}, should be null`),
  ],
  [
    'the frozen terms',
    'checkouts',
    `update TABLE set weekly_rate_ppm = 20000 where hash = '${hash}'`,
    `update TABLE set weekly_rate_ppm = 10000 where hash = '${hash}'`,
    new RegExp(`checkout ${hash}: total_cents is \\d+, should be \\d+`),
  ],
];

for (const [name, table, change, back, says] of TAMPERINGS) {
  test(`tampering is found and named: ${name}`, async () => {
    await tamper(service, change.replace('TABLE', table));
    const found = await shop.disagreements();
    await tamper(service, back.replace('TABLE', table));
    assert.ok(
      found.some((text) => says.test(text)),
      `${says} is not among:\n${found.join('\n')}`,
    );
    assert.deepEqual(await shop.disagreements(), [], 'and gone when it is set back');
  });
}

test('a posting of a kind nobody makes, and one for an installment there is not, are named', async () => {
  await tamper(
    service,
    `insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
     values ('${by.id}', 'gift', 'gift', now(), now()), ('${by.id}', 'ghost', 'receipt', now(), now())`,
    `insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
     select p.customer_id, p.id, e.line, e.account, 'ins_ghost', e.amount
     from ledger_postings p, unnest('{1,2}'::int[], '{pix_clearing,receivable}'::text[], '{5,-5}'::int[])
       as e (line, account, amount)
     where p.customer_id = '${by.id}' and p.reference in ('gift', 'ghost')`,
  );
  const found = await shop.disagreements();
  assert.deepEqual(found, [
    `customer ${by.id}: posting 'gift' is of the kind 'gift', which nobody makes`,
    'installment ins_ghost: has entries, but does not exist',
    `customer ${by.id}: pix_clearing is 26010, should be 26000`,
  ]);
});

test('semana audit: exit code 1 and a line for each thing that disagrees; 0 when everything agrees', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const bad = await commandLine(['audit'], env);
  assert.equal(bad.code, 1, bad.stderr);
  assert.match(bad.stdout, /posting 'gift' is of the kind 'gift'[\s\S]*: \d things disagree\./);
  await tamper(
    service,
    `delete from ledger_entries where installment_id = 'ins_ghost'`,
    `delete from ledger_postings where reference in ('gift', 'ghost')`,
  );
  const good = await commandLine(['audit'], env);
  assert.equal(good.code, 0, good.stdout);
  assert.match(good.stdout, /receivable +\d+\.\d\d\n/);
  assert.match(good.stdout, /Recomputed all money of 5 customers: everything agrees\./);
});
