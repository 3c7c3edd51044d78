import type { Auditor } from '#ledger';
import { auditPsp } from './audit-psp.ts';
import { listMismatchedCharges, listMismatchedCustomers, listMismatchedPayments } from './audit-store.ts';
import { REFUND_POSTING } from './post-refund.ts';

/**
 * What the PSP said arrived and went back, next to the receipts and to the book: every payment was received once, each
 * centavo of it is applied, waits to go back, or goes back, and the clearing account holds what arrived less what went back.
 */
export const pixAuditor: Auditor = {
  kinds: [REFUND_POSTING],
  async check(tx, range) {
    const found: string[] = [];
    for (const row of await listMismatchedPayments(tx, range)) {
      const name = `pix ${row.end_to_end_id}`;
      if (row.received_cents !== row.amount_cents)
        found.push(
          `${name}: ${row.received_cents ?? 'nothing'} was received for it, should be ${row.amount_cents}`,
        );
      const { applied_cents, excess_cents, returning_cents } = row;
      if (applied_cents + excess_cents + returning_cents !== row.amount_cents)
        found.push(
          `${name}: ${applied_cents} applied, ${excess_cents} too much and ${returning_cents} going back do not make ` +
            `${row.amount_cents}`,
        );
    }
    for (const { id, status, payments } of await listMismatchedCharges(tx, range))
      found.push(`charge ${id}: is ${status} with ${payments} payments`);
    for (const row of await listMismatchedCustomers(tx, range))
      found.push(
        `customer ${row.customer_id}: pix_clearing is ${row.clearing_cents}, should be ${row.expected_cents}`,
      );
    found.push(...(await auditPsp(tx, range)));
    return found;
  },
};
