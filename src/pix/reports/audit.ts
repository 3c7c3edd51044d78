import { listReceived } from '#credit';
import { listAccountBalances } from '#ledger';
import type { Auditor } from '#module';
import { REFUND_POSTING } from '../refunds/post-refund.ts';
import { auditPsp } from './audit-psp.ts';
import { listAuditedPayments, listMismatchedCharges } from './audit-store.ts';

/**
 * Compares the PSP's payments and refunds with the receipts and the ledger: every payment was received once, and counts where its
 * moves say; each centavo of it is applied, waits to be refunded, or is refunded, and the clearing account holds what arrived less what was refunded.
 */
export const pixAuditor: Auditor = {
  kinds: [REFUND_POSTING],
  async check(tx, range) {
    const found: string[] = [];
    const received = new Map(
      (await listReceived(tx, range)).map((money) => [`${money.customer_id} ${money.reference}`, money]),
    );
    const clearing = new Map<string, number>();
    const expect = (customerId: string, cents: number) =>
      clearing.set(customerId, (clearing.get(customerId) ?? 0) + cents);
    for (const payment of await listAuditedPayments(tx, range)) {
      const { customer_id, end_to_end_id, amount_cents, refunded_cents, forced_cents, is_here } = payment;
      const hereCents = is_here ? amount_cents : 0;
      const arrivedCents = payment.arrived_here ? amount_cents : 0;
      expect(customer_id, hereCents - payment.returned_cents);
      const key = `${customer_id} ${end_to_end_id}`;
      const money = received.get(key);
      received.delete(key);
      const name = `pix ${end_to_end_id}`;
      if (money?.received_cents !== arrivedCents)
        found.push(
          `${name}: ${money?.received_cents ?? 'nothing'} was received for it, should be ${arrivedCents}`,
        );
      if (is_here !== payment.should_be_here)
        found.push(`${name}: counts for customer ${customer_id}: ${is_here}, should be ${!is_here}`);
      const { applied_cents, excess_cents, refunded_cents: held, credited_cents } = money ?? NOTHING;
      // By Pix, or as cashback.
      const returning = refunded_cents + forced_cents + credited_cents;
      if (applied_cents + excess_cents + returning !== hereCents)
        found.push(
          `${name}: ${applied_cents} applied, ${excess_cents} too much and ${returning} going back do not make ` +
            `${hereCents}`,
        );
      if (held !== refunded_cents)
        found.push(`${name}: ${held} is held for refunds, should be ${refunded_cents}`);
    }
    // Receipts from other sources than Pix are not checked here.
    for (const { customer_id, source, applied_cents, excess_cents, ...gone } of received.values())
      if (source !== 'cashback')
        expect(customer_id, applied_cents + excess_cents + gone.refunded_cents + gone.credited_cents);
    for (const { id, status, payments } of await listMismatchedCharges(tx, range))
      found.push(`charge ${id}: is ${status} with ${payments} payments`);
    const booked = await listAccountBalances(tx, range, 'pix_clearing');
    for (const { customer_id, amount_cents } of booked) {
      const right = clearing.get(customer_id) ?? 0;
      clearing.delete(customer_id);
      if (amount_cents !== right)
        found.push(`customer ${customer_id}: pix_clearing is ${amount_cents}, should be ${right}`);
    }
    for (const [customerId, right] of clearing)
      if (right !== 0) found.push(`customer ${customerId}: pix_clearing is 0, should be ${right}`);
    found.push(...(await auditPsp(tx, range)));
    return found;
  },
};

const NOTHING = { applied_cents: 0, excess_cents: 0, refunded_cents: 0, credited_cents: 0 };
