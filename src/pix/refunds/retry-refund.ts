import type { Static } from 'typebox';
import { cents, sum, toReais } from '#core/values/money.ts';
import { refundStranded } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import type { Pix } from '../pix.ts';
import { refundNotGivenUp } from '../problems.ts';
import { PixRefund } from '../schemas.ts';
import { findPayment } from '../store/payments.ts';
import { findRefund, findRefundKey, type RefundRow } from '../store/refunds.ts';
import { requestRefunds } from './request-refunds.ts';

export const renderRefund = (refund: RefundRow): Static<typeof PixRefund> => ({
  ...project(PixRefund, refund),
  value: toReais(cents(refund.amount_cents)),
});

/** Reading it locks the customer. */
const refundAuditEntity: AuditEntity<Static<typeof PixRefund>, CustomerTx> = {
  kind: 'pix_refund',
  async read(tx, id) {
    const key = await findRefundKey(tx, id);
    if (!key) return undefined;
    await lockCustomerById(tx, key.customer_id);
    return renderRefund((await findRefund(tx, key))!);
  },
};

/**
 * Requests the amount of a refund that was given up again, as a new refund with a new retry budget. Returns the amount. The
 * customer is locked by {@link refundAuditEntity}.
 */
async function retryUnaudited(tx: CustomerTx, context: Pick<Pix, 'events' | 'clock'>, id: string) {
  const refund = (await findRefund(tx, (await findRefundKey(tx, id))!))!;
  if (refund.status !== 'given_up') throw refundNotGivenUp(id, refund.status);
  const { customer_id: customerId, end_to_end_id: reference, part } = refund;
  const { installment_id: installmentId } = (await findPayment(tx, customerId, reference))!;
  const { clock, events } = context;
  const payment = { customerId, installmentId, reference, part };
  const reallocation = await refundStranded(tx, payment, { events, now: clock.now() });
  const retried: RefundRow = { ...refund, status: 'failed', stranded_cents: 0 };
  await requestRefunds(tx, context, customerId, reallocation, [retried]);
  return sum(reallocation.toRefund.map(({ amountCents }) => amountCents));
}

export async function retryRefund(
  db: Db,
  context: Pick<Pix, 'events' | 'clock'>,
  id: string,
  auditContext: AuditContext,
): Promise<{ refund: Static<typeof PixRefund>; requestedCents: number } | undefined> {
  const key = await findRefundKey(db, id);
  if (!key) return undefined;
  return customerTransaction(db, key.customer_id, async (tx) => {
    let requestedCents = 0;
    const refund = await withAuditedUpdate(tx, auditContext, { entity: refundAuditEntity, id }, async () => {
      requestedCents = await retryUnaudited(tx, context, id);
    });
    return refund && { refund, requestedCents };
  });
}
