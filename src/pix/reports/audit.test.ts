import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService, tamper } from '../../../test/harness.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);

const shopper = await till.newShopper();
const checkout = await till.sell(shopper);
const charge = await till.charge(shopper, checkout.installments[0].id, 'settle');
const { end_to_end_id } = await till.payCode(charge.txid, { value: 130 });
await till.whenStatus(shopper, charge.id, 'paid');
await eventually('what was too much is back', async () =>
  (await till.events(shopper.id)).some(({ type }) => type === 'pix.refunded'),
);
await till.whenIdle();
assert.deepEqual(await till.audit(), []);

const of = `where customer_id = '${shopper.id}'`;
const REFUNDED = `${of} and account = 'pix_clearing' and posting_id = (
  select id from ledger_postings ${of} and kind = 'refund')`;
const cases: Array<[what: string, change: string, back: string, says: RegExp]> = [
  [
    'a receipt that is not the whole payment',
    `update pix_payments set amount_cents = 12900 ${of}`,
    `update pix_payments set amount_cents = 13000 ${of}`,
    new RegExp(`^pix ${end_to_end_id}: 13000 was received for it, should be 12900$`),
  ],
  [
    'a refund that nobody made though the money is held for it',
    `update pix_refunds set status = 'failed', settled_at = null ${of}`,
    `update pix_refunds set status = 'returned', settled_at = created_at ${of}`,
    new RegExp(`^pix ${end_to_end_id}: 10000 applied, 0 too much and 0 going back do not make 13000$`),
  ],
  [
    'a refund of more than was held',
    `update pix_refunds set amount_cents = 3001 ${of}`,
    `update pix_refunds set amount_cents = 3000 ${of}`,
    new RegExp(`^pix ${end_to_end_id}: 10000 applied, 0 too much and 3001 going back do not make 13000$`),
  ],
  [
    'a charge that is paid and does not say so',
    `update pix_charges set status = 'pending', paid_at = null ${of}`,
    `update pix_charges set status = 'paid', paid_at = created_at ${of}`,
    new RegExp(`^charge ${charge.id}: is pending with 1 payments$`),
  ],
  [
    'money that left the PSP and is not booked so',
    `update ledger_entries set amount_cents = amount_cents + 1 ${REFUNDED}`,
    `update ledger_entries set amount_cents = amount_cents - 1 ${REFUNDED}`,
    new RegExp(`^customer ${shopper.id}: pix_clearing is 10001, should be 10000$`),
  ],
];
for (const [what, change, back, says] of cases) {
  test(`the audit names ${what}`, async () => {
    await tamper(service, change);
    const found = await till.audit();
    assert.ok(
      found.some((text) => says.test(text)),
      `${says} is not among:\n${found.join('\n')}`,
    );
    await tamper(service, back);
    assert.deepEqual(await till.audit(), [], 'and not when it is set back');
  });
}

test('receipts that did not come by Pix agree too: held, reversed, and reversed while something of them is held', async () => {
  for (const source of ['manual', 'pix'] as const) {
    const buyer = await till.newShopper();
    const { installments } = await till.sell(buyer);
    const installmentId = installments[0].id as string;
    const reference = `demo ${buyer.id}`;
    await till.pay(buyer.id, installmentId, 130, { reference, source });
    assert.deepEqual(await till.audit(), []);
    await till.takeBack(buyer.id, installmentId, reference);
    assert.deepEqual(await till.audit(), [], source);
    const { pix_clearing } = await till.balances(buyer.id);
    assert.equal(pix_clearing, source === 'pix' ? 3_000 : undefined, 'what is held is still here');
  }
});
