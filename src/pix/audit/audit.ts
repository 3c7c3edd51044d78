import { listReceivedMoney } from '#credit';
import { listAccountBalances } from '#ledger';
import type { Auditor } from '#module';
import { REFUND_POSTING } from '../refunds/post-refund.ts';
import { auditPsp } from './audit-psp.ts';
import { listAuditedPayments, listMismatchedCharges } from './audit-store.ts';

/**
 * Compares Pix payments and refunds with the receipts and the ledger. Every payment was received once, and is assigned as its
 * moves say. Each centavo of it is applied, excess, refunded or cashback. The clearing account holds what arrived minus what was
 * returned.
 */
export const pixAuditor: Auditor = {
  kinds: [REFUND_POSTING],
  async check(tx, range) {
    const findings: string[] = [];
    const received = new Map(
      (await listReceivedMoney(tx, range)).map((money) => [`${money.customer_id} ${money.reference}`, money]),
    );
    const expectedClearing = new Map<string, number>();
    const addExpected = (customerId: string, cents: number) =>
      expectedClearing.set(customerId, (expectedClearing.get(customerId) ?? 0) + cents);
    for (const payment of await listAuditedPayments(tx, range)) {
      const { customer_id, end_to_end_id, amount_cents, refunded_cents, forced_cents, is_here } = payment;
      const hereCents = is_here ? amount_cents : 0;
      const arrivedCents = payment.arrived_here ? amount_cents : 0;
      addExpected(customer_id, hereCents - payment.returned_cents);
      const key = `${customer_id} ${end_to_end_id}`;
      const money = received.get(key);
      received.delete(key);
      const name = `pix ${end_to_end_id}`;
      if (money?.received_cents !== arrivedCents)
        findings.push(
          `${name}: ${money?.received_cents ?? 'nothing'} was received for it, should be ${arrivedCents}`,
        );
      if (is_here !== payment.should_be_here)
        findings.push(`${name}: is assigned to customer ${customer_id}: ${is_here}, should be ${!is_here}`);
      const { applied_cents, excess_cents, refunded_cents: heldCents, credited_cents } = money ?? NOTHING;
      // Returned by Pix, or as cashback.
      const returnedCents = refunded_cents + forced_cents + credited_cents;
      if (applied_cents + excess_cents + returnedCents !== hereCents)
        findings.push(
          `${name}: ${applied_cents} applied, ${excess_cents} excess and ${returnedCents} returned do not add up to ` +
            `${hereCents}`,
        );
      if (heldCents !== refunded_cents)
        findings.push(`${name}: ${heldCents} is held for refunds, should be ${refunded_cents}`);
    }
    // Receipts without a Pix payment, such as manual ones, also go through the clearing account. Cashback does not.
    for (const { customer_id, source, applied_cents, excess_cents, ...others } of received.values())
      if (source !== 'cashback')
        addExpected(
          customer_id,
          applied_cents + excess_cents + others.refunded_cents + others.credited_cents,
        );
    for (const { id, status, payments } of await listMismatchedCharges(tx, range))
      findings.push(`charge ${id}: is ${status} with ${payments} payments`);
    const balances = await listAccountBalances(tx, range, 'pix_clearing');
    for (const { customer_id, amount_cents } of balances) {
      const expectedCents = expectedClearing.get(customer_id) ?? 0;
      expectedClearing.delete(customer_id);
      if (amount_cents !== expectedCents)
        findings.push(`customer ${customer_id}: pix_clearing is ${amount_cents}, should be ${expectedCents}`);
    }
    for (const [customerId, expectedCents] of expectedClearing)
      if (expectedCents !== 0)
        findings.push(`customer ${customerId}: pix_clearing is 0, should be ${expectedCents}`);
    findings.push(...(await auditPsp(tx, range)));
    return findings;
  },
};

const NOTHING = { applied_cents: 0, excess_cents: 0, refunded_cents: 0, credited_cents: 0 };
