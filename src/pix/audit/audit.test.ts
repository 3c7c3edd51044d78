import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService, tamper } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

const customer = await pixDriver.createCustomer();
const checkout = await pixDriver.sell(customer);
const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
const { end_to_end_id } = await pixDriver.payCharge(charge.txid, { value: 130 });
await pixDriver.waitForStatus(customer, charge.id, 'paid');
await eventually('the excess is refunded', async () =>
  (await pixDriver.listEvents(customer.id)).some(({ type }) => type === 'pix.refunded'),
);
await pixDriver.waitForJobs();
assert.deepEqual(await pixDriver.listMismatches(), []);

const customerFilter = `where customer_id = '${customer.id}'`;
const refundFilter = `${customerFilter} and account = 'pix_clearing' and posting_id = (
  select id from ledger_postings ${customerFilter} and kind = 'refund')`;
const cases: Array<[caseName: string, change: string, revert: string, expectedFinding: RegExp]> = [
  [
    'a receipt that differs from the payment',
    `update pix_payments set amount_cents = 12900 ${customerFilter}`,
    `update pix_payments set amount_cents = 13000 ${customerFilter}`,
    new RegExp(`^pix ${end_to_end_id}: 13000 was received for it, should be 12900$`),
  ],
  [
    'a failed refund whose excess is not recorded',
    `update pix_refunds set status = 'failed', settled_at = null ${customerFilter}`,
    `update pix_refunds set status = 'returned', settled_at = created_at ${customerFilter}`,
    new RegExp(`^pix ${end_to_end_id}: 10000 applied, 0 excess and 0 returned do not add up to 13000$`),
  ],
  [
    'a refund above the excess',
    `update pix_refunds set amount_cents = 3001 ${customerFilter}`,
    `update pix_refunds set amount_cents = 3000 ${customerFilter}`,
    new RegExp(`^pix ${end_to_end_id}: 10000 applied, 0 excess and 3001 returned do not add up to 13000$`),
  ],
  [
    'an unpaid charge that has a payment',
    `update pix_charges set status = 'pending', paid_at = null ${customerFilter}`,
    `update pix_charges set status = 'paid', paid_at = created_at ${customerFilter}`,
    new RegExp(`^charge ${charge.id}: is pending with 1 payments$`),
  ],
  [
    'a wrong ledger entry of a refund',
    `update ledger_entries set amount_cents = amount_cents + 1 ${refundFilter}`,
    `update ledger_entries set amount_cents = amount_cents - 1 ${refundFilter}`,
    new RegExp(`^customer ${customer.id}: pix_clearing is 10001, should be 10000$`),
  ],
];
for (const [caseName, change, revert, expectedFinding] of cases) {
  test(`the audit finds ${caseName}`, async () => {
    await tamper(service, change);
    const findings = await pixDriver.listMismatches();
    assert.ok(
      findings.some((text) => expectedFinding.test(text)),
      `${expectedFinding} is not among:\n${findings.join('\n')}`,
    );
    await tamper(service, revert);
    assert.deepEqual(
      await pixDriver.listMismatches(),
      [],
      'the audit finds nothing after the change is reverted',
    );
  });
}

test('the audit accepts receipts without a Pix payment, before and after a chargeback, for both sources', async () => {
  for (const source of ['manual', 'pix'] as const) {
    const otherCustomer = await pixDriver.createCustomer();
    const { installments } = await pixDriver.sell(otherCustomer);
    const installmentId = installments[0].id as string;
    const reference = `demo ${otherCustomer.id}`;
    await pixDriver.pay(otherCustomer.id, installmentId, 130, { reference, source });
    assert.deepEqual(await pixDriver.listMismatches(), []);
    await pixDriver.chargeBack(otherCustomer.id, installmentId, reference);
    assert.deepEqual(await pixDriver.listMismatches(), [], source);
    const { pix_clearing } = await pixDriver.readBalances(otherCustomer.id);
    assert.equal(
      pix_clearing,
      source === 'pix' ? 3_000 : undefined,
      'the excess of a Pix receipt stays in the clearing account',
    );
  }
});
