/** Random sequences of autopay on and off, codes, returns and faults: stored rows, the ledger and the PSP's data agree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from '#platform/database/db.ts';
import { createAutopayDriver } from '../../../test/autopay-driver.ts';
import { openService } from '../../../test/harness.ts';
import type { TestCustomer } from '../../../test/purchase-driver.ts';

const service = await openService();
const autopayDriver = createAutopayDriver(service);

/** A run takes seconds. The environment variable RUNS overrides this number. */
const DEFAULT_RUNS = 4;

const anyOrder = fc.record({
  amount: fc.integer({ min: 1_000, max: 30_001 }).map((centavos) => centavos / 100),
  installments: fc.integer({ min: 1, max: 4 }),
  terms: fc.record({
    weekly_rate_percent: fc.constantFrom(0, 1.25),
    cashback_percent: fc.constantFrom(0, 3),
  }),
});

/** Repeated values, here and below, are drawn more often. */
const ACTIONS = [
  'authorise',
  'authorise',
  'authorise and pay the first',
  'end autopay',
  'end autopay at the bank',
  'pay in part',
  'extend',
  'return',
  'create a code',
  'wait',
] as const;
type Action = (typeof ACTIONS)[number];

const anyStep = fc.record({
  action: fc.constantFrom(...ACTIONS),
  installmentIndex: fc.nat(3),
  debits: fc.constantFrom('paid', 'paid', 'no_money', 'cap', 'silent'),
  movedDays: fc.constantFrom(0, 0, 1),
  /** The time until the next step. Most debits are requested, cancelled and made within some days. */
  hours: fc.constantFrom(1, 5, 20, 48, 100, 170),
});

test('in random histories with autopay on and off the audit finds nothing, and every centavo is counted once', async () => {
  await fc.assert(
    fc.asyncProperty(anyOrder, fc.array(anyStep, { minLength: 3, maxLength: 8 }), async (order, steps) => {
      service.clock.set('2026-11-23T15:00:00Z');
      const customer = await autopayDriver.createCustomer();
      const { hash, installments } = await autopayDriver.sell(customer, order);
      for (const { action, installmentIndex, debits, movedDays, hours } of steps) {
        await autopayDriver.setPspFaults({ debits, debits_moved_days: movedDays });
        const installmentId = installments[installmentIndex % installments.length].id;
        await performAction(action, { customer, hash, returnedAmount: order.amount / 4 }, installmentId);
        await autopayDriver.moveClock({ advance: `PT${hours}H` });
      }
      await autopayDriver.setPspFaults({});
      await autopayDriver.moveClock({ advance: 'P12D' });
      await autopayDriver.runJob('pix_sweep');
      await autopayDriver.runJob('pix_reconcile');
      await autopayDriver.runJob('pix_autopay');

      assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
      const payments = await listPayments(customer.id);
      assert.deepEqual(
        payments.map(({ stored_cents }) => stored_cents),
        payments.map(({ psp_cents }) => psp_cents),
        'every payment at the PSP is stored with its amount',
      );
      const openDebits = sql`
        select count(*) from pix_charges where customer_id = ${customer.id} and status in ('creating', 'pending')
          and authorisation_id is not null and expires_at < ${service.clock.now()}`;
      assert.equal(await autopayDriver.readCount(openDebits), 0, 'no debit is left behind');
    }),
    { numRuns: Number(process.env.RUNS ?? DEFAULT_RUNS) },
  );
});

type Purchase = { customer: TestCustomer; hash: string; returnedAmount: number };

async function performAction(action: Action, purchase: Purchase, installmentId: string): Promise<void> {
  const { customer, hash, returnedAmount } = purchase;
  switch (action) {
    case 'authorise':
    case 'authorise and pay the first': {
      const first = action === 'authorise and pay the first';
      const { status, body, text } = await autopayDriver.requestAuthorisation(customer, hash, { first });
      if (status < 300) await autopayDriver.decideAsBank(body.id, 'authorise');
      else assert.equal(status, 409, text);
      return;
    }
    case 'end autopay':
      return assertNoServerError(await autopayDriver.endAuthorisation(customer, hash));
    case 'end autopay at the bank': {
      const { id: autopayId } = await autopayDriver.getAuthorisation(customer, hash);
      if (autopayId) assertNoServerError(await autopayDriver.decideAsBank(autopayId, 'cancel'));
      return;
    }
    case 'return': {
      const body = { amount: Math.round(returnedAmount * 100) / 100, reason: 'troca' };
      return assertNoServerError(
        await autopayDriver.callStaff('POST', `/admin/checkouts/${hash}/returns`, body),
      );
    }
    case 'wait':
      return;
    default: {
      const response = await autopayDriver.requestCharge(customer, installmentId, CHARGE_REQUESTS[action]);
      assertNoServerError(response);
      if (response.status < 300 && action !== 'create a code')
        await autopayDriver.payCharge(response.body.txid);
    }
  }
}

const CHARGE_REQUESTS = {
  'pay in part': { type: 'settle_partial', value: 1.01 },
  extend: { type: 'extend' },
  'create a code': { type: 'settle_with_penalty' },
};

function assertNoServerError({ status, text }: { status: number; text: string }): void {
  assert.ok(status < 500, text);
}

/** Lists the payments at the PSP for the customer's charges, with the stored payments of the same ids. */
const listPayments = (customerId: string) =>
  service.db.rows<{ psp_cents: number; stored_cents: number | null }>(sql`
    select s.amount_cents as psp_cents, p.amount_cents as stored_cents
    from psp_sim_pix s join pix_charges c on c.txid = s.txid and c.customer_id = ${customerId}
    left join pix_payments p on p.customer_id = c.customer_id and p.end_to_end_id = s.end_to_end_id`);
