import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../test/commands.ts';
import { openService, tamper } from '../../../test/harness.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { createPurchaseDriver } from '../../../test/purchase-driver.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
service.clock.set('2027-03-05T15:00:00.000Z');

const customer = await driver.createCustomer();
const terms = { weekly_rate_percent: 1 };
const { hash, installments } = await driver.sell(customer, {
  amount: 300,
  installments: 3,
  terms,
  purchased_at: '2027-02-24T15:00:00Z',
});
const [firstInstallmentId, secondInstallmentId] = installments.map(({ id }: { id: string }) => id) as [
  string,
  string,
];
const latePayment = await driver.pay(customer.id, firstInstallmentId, 60);
await driver.pay(customer.id, secondInstallmentId, 200); // early, and too much
const offerDriver = await createOfferDriver(service);
const offerRecipient = await driver.createCustomer();
const offer = await offerDriver.createOffer(offerRecipient.phone);
const { body: acceptedCheckout } = await offerDriver.accept(
  offer.id,
  await offerDriver.createToken(offerRecipient),
);

test('the audit finds no mismatch, including the demo purchases', async () => {
  assert.deepEqual(await driver.listMismatches(), []);
});

const ENTRY_CONDITION = `customer_id = '${customer.id}' and posting_id = (
  select id from ledger_postings where customer_id = '${customer.id}' and reference = 'receipt ${latePayment.reference}')`;

/** The statements that change data and undo the change, with `TABLE` for the table, and the mismatch that the audit must report. */
const TAMPERINGS = [
  {
    name: 'the amount of an offer',
    table: 'offers',
    change: `update TABLE set amount_cents = amount_cents + 1 where id = '${offer.id}'`,
    undo: `update TABLE set amount_cents = amount_cents - 1 where id = '${offer.id}'`,
    mismatch: new RegExp(`checkout ${acceptedCheckout.hash}: financed_cents is 10000, should be 10001`),
  },
  {
    name: 'the link from a purchase to its offer',
    table: 'checkouts',
    change: `update TABLE set offer_id = null where hash = '${acceptedCheckout.hash}'`,
    undo: `update TABLE set offer_id = '${offer.id}' where hash = '${acceptedCheckout.hash}'`,
    mismatch: new RegExp(`offer ${offer.id}: was accepted, but its purchase does not exist`),
  },
  {
    name: 'the amount of an entry',
    table: 'ledger_entries',
    change: `update TABLE set amount_cents = amount_cents - 1 where ${ENTRY_CONDITION} and account = 'receivable'`,
    undo: `update TABLE set amount_cents = amount_cents + 1 where ${ENTRY_CONDITION} and account = 'receivable'`,
    mismatch: new RegExp(`posting 'receipt ${latePayment.reference}' is out of balance by -1 centavos`),
  },
  {
    name: 'an entry moved to another account',
    table: 'ledger_entries',
    change: `update TABLE set account = 'cashback_owed' where ${ENTRY_CONDITION} and account = 'penalty_income'`,
    undo: `update TABLE set account = 'penalty_income' where ${ENTRY_CONDITION} and account = 'cashback_owed'`,
    mismatch: new RegExp(
      `installment ${firstInstallmentId}: cashback_owed of its entries is -\\d+, should be 0`,
    ),
  },
  {
    name: 'the CET of a purchase',
    table: 'checkouts',
    change: `update TABLE set cet_year_ppm = cet_year_ppm + 100 where hash = '${hash}'`,
    undo: `update TABLE set cet_year_ppm = cet_year_ppm - 100 where hash = '${hash}'`,
    mismatch: new RegExp(`checkout ${hash}: cet_year_ppm is \\d+, should be \\d+`),
  },
  {
    name: 'the result of a receipt',
    table: 'receipts',
    change: `update TABLE set principal_cents = principal_cents + 1, fine_cents = fine_cents - 1 where reference = '${latePayment.reference}'`,
    undo: `update TABLE set principal_cents = principal_cents - 1, fine_cents = fine_cents + 1 where reference = '${latePayment.reference}'`,
    mismatch: new RegExp(`receipt ${latePayment.reference}: fine_cents is \\d+, should be \\d+`),
  },
  {
    name: 'the amount of a receipt',
    table: 'receipts',
    change: `update TABLE set amount_cents = amount_cents + 100, excess_cents = excess_cents + 100 where reference = '${latePayment.reference}'`,
    undo: `update TABLE set amount_cents = amount_cents - 100, excess_cents = excess_cents - 100 where reference = '${latePayment.reference}'`,
    mismatch: new RegExp(
      `installment ${firstInstallmentId}: pix_clearing of its entries is 6000, should be 6100`,
    ),
  },
  {
    name: 'the arrival time of a receipt',
    table: 'receipts',
    change: `update TABLE set received_at = '2027-03-02T15:00:00Z' where reference = '${latePayment.reference}'`,
    undo: `update TABLE set received_at = '2027-03-05T15:00:00Z' where reference = '${latePayment.reference}'`,
    mismatch: new RegExp(`receipt ${latePayment.reference}: `),
  },
  {
    name: 'the outstanding amount of an installment',
    table: 'installments',
    change: `update TABLE set outstanding_cents = outstanding_cents - 100, paid_cents = paid_cents + 100 where id = '${firstInstallmentId}'`,
    undo: `update TABLE set outstanding_cents = outstanding_cents + 100, paid_cents = paid_cents - 100 where id = '${firstInstallmentId}'`,
    mismatch: new RegExp(`installment ${firstInstallmentId}: outstanding_cents is \\d+, should be \\d+`),
  },
  {
    name: 'the amount of an installment',
    table: 'installments',
    change: `update TABLE set amount_cents = amount_cents + 1, principal_cents = principal_cents + 1, outstanding_cents = outstanding_cents + 1 where id = '${firstInstallmentId}'`,
    undo: `update TABLE set amount_cents = amount_cents - 1, principal_cents = principal_cents - 1, outstanding_cents = outstanding_cents - 1 where id = '${firstInstallmentId}'`,
    mismatch: new RegExp(`installment ${firstInstallmentId}: amount_cents is \\d+, should be \\d+`),
  },
  {
    name: 'a due day',
    table: 'installments',
    change: `update TABLE set due_on = due_on + 7, effective_due_on = effective_due_on + 7 where id = '${firstInstallmentId}'`,
    undo: `update TABLE set due_on = due_on - 7, effective_due_on = effective_due_on - 7 where id = '${firstInstallmentId}'`,
    mismatch: new RegExp(`installment ${firstInstallmentId}: due_on is 2027-03-10, should be 2027-03-03`),
  },
  {
    name: 'the outstanding amount of a checkout, which the credit limit depends on',
    table: 'checkouts',
    change: `update TABLE set outstanding_cents = 1 where hash = '${hash}'`,
    undo: `update TABLE set outstanding_cents = (
      select sum(i.outstanding_cents) from installments i where i.customer_id = '${customer.id}' and i.checkout_hash = '${hash}')
     where customer_id = '${customer.id}' and hash = '${hash}'`,
    mismatch: new RegExp(`checkout ${hash}: outstanding_cents is 1, should be \\d+`),
  },
  {
    name: 'the day when a checkout becomes overdue, which the status filter depends on',
    table: 'checkouts',
    change: `update TABLE set late_after = late_after + 30 where hash = '${hash}'`,
    undo: `update TABLE set late_after = late_after - 30 where hash = '${hash}'`,
    mismatch: new RegExp(`checkout ${hash}: late_after is 2027-04-02, should be 2027-03-03`),
  },
  {
    name: 'the write-off of a checkout, which the ledger depends on',
    table: 'checkouts',
    change: `update TABLE set written_off_at = '2027-03-03T12:00:00Z' where hash = '${hash}'`,
    undo: `update TABLE set written_off_at = null where hash = '${hash}'`,
    mismatch: new RegExp(
      `checkout ${hash}: written_off_at is ${Date.parse('2027-03-03T12:00:00Z')}, should be null`,
    ),
  },
  {
    name: 'the frozen terms',
    table: 'checkouts',
    change: `update TABLE set weekly_rate_ppm = 20000 where hash = '${hash}'`,
    undo: `update TABLE set weekly_rate_ppm = 10000 where hash = '${hash}'`,
    mismatch: new RegExp(`checkout ${hash}: total_cents is \\d+, should be \\d+`),
  },
  {
    name: 'an amount for which no schedule exists',
    table: 'checkouts',
    change: `update TABLE set financed_cents = 2 where hash = '${hash}'`,
    undo: `update TABLE set financed_cents = 30000 where hash = '${hash}'`,
    mismatch: new RegExp(`checkout ${hash}: the amount is too small for 3 installments of at least 0.01`),
  },
];

for (const { name, table, change, undo, mismatch } of TAMPERINGS) {
  test(`the audit reports tampering: ${name}`, async () => {
    await tamper(service, change.replace('TABLE', table));
    const mismatches = await driver.listMismatches();
    await tamper(service, undo.replace('TABLE', table));
    assert.ok(
      mismatches.some((text) => mismatch.test(text)),
      `${mismatch} is not among:\n${mismatches.join('\n')}`,
    );
    assert.deepEqual(await driver.listMismatches(), [], 'no mismatch after the data is restored');
  });
}

test('the audit reports a posting of an unknown kind and a posting for a missing installment', async () => {
  await tamper(
    service,
    `insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
     values ('${customer.id}', 'gift', 'gift', now(), now()), ('${customer.id}', 'ghost', 'receipt', now(), now())`,
    `insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
     select p.customer_id, p.id, e.line, e.account, 'ins_ghost', e.amount
     from ledger_postings p, unnest('{1,2}'::int[], '{pix_clearing,receivable}'::text[], '{5,-5}'::int[])
       as e (line, account, amount)
     where p.customer_id = '${customer.id}' and p.reference in ('gift', 'ghost')`,
  );
  const mismatches = await driver.listMismatches();
  assert.deepEqual(mismatches, [
    `customer ${customer.id}: posting 'gift' is of the kind 'gift', which no auditor declares`,
    'installment ins_ghost: has entries, but does not exist',
    // Payments of R$ 60 and R$ 200, and five centavos of each forged posting.
    `customer ${customer.id}: pix_clearing is 26010, should be 26000`,
  ]);
});

test('semana audit: exit code 1 and a line for each mismatch, or 0 if there is none', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const badOutcome = await runCli(['audit'], env);
  assert.equal(badOutcome.code, 1, badOutcome.stderr);
  assert.match(badOutcome.stdout, /posting 'gift' is of the kind 'gift'[\s\S]*: \d things disagree\./);
  await tamper(
    service,
    `delete from ledger_entries where installment_id = 'ins_ghost'`,
    `delete from ledger_postings where reference in ('gift', 'ghost')`,
  );
  const goodOutcome = await runCli(['audit'], env);
  assert.equal(goodOutcome.code, 0, goodOutcome.stdout);
  assert.match(goodOutcome.stdout, /receivable +\d+\.\d\d\n/);
  // Three customers of the demo data, and two of this file.
  assert.match(goodOutcome.stdout, /Recomputed all money of 5 customers: everything agrees\./);
});
