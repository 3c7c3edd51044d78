import { RECEIPT_SOURCES } from '#core/finance/receipts.ts';
import { listReceivedMoney } from '#credit';
import { listAccountBalances } from '#ledger';
import type { Auditor, CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';
import { REFUND_POSTING } from '../refunds/sync-refunds.ts';

/**
 * Compares Pix payments and refunds with the receipts and the ledger. Every payment must have been received once, and be assigned
 * according to its moves. Each centavo of a payment must be applied, excess, refunded or cashback. The balance of the clearing account is the
 * sum of the payments minus the sum of the refunds.
 */
export const pixAuditor: Auditor = {
  postingKinds: [REFUND_POSTING],
  async check(tx, range) {
    const findings: string[] = [];
    const receiptsByPayment = new Map(
      (await listReceivedMoney(tx, range)).map((receipt) => [
        `${receipt.customer_id} ${receipt.reference}`,
        receipt,
      ]),
    );
    const expectedClearing = new Map<string, number>();
    const addExpectedClearing = (customerId: string, cents: number) =>
      expectedClearing.set(customerId, (expectedClearing.get(customerId) ?? 0) + cents);
    for (const payment of await listAuditedPayments(tx, range)) {
      const key = `${payment.customer_id} ${payment.end_to_end_id}`;
      findings.push(...auditPayment(payment, receiptsByPayment.get(key)));
      receiptsByPayment.delete(key);
      const assignedCents = payment.is_assigned ? payment.amount_cents : 0;
      addExpectedClearing(payment.customer_id, assignedCents - payment.returned_cents);
    }
    // Receipts without a Pix payment, such as manual ones, may also go through the clearing account.
    for (const receipt of receiptsByPayment.values()) {
      const { customer_id, applied_cents, excess_cents, refunded_cents, credited_cents } = receipt;
      if (RECEIPT_SOURCES[receipt.source].clearing === 'pix_clearing')
        addExpectedClearing(customer_id, applied_cents + excess_cents + refunded_cents + credited_cents);
    }
    for (const { id, status, payment_count } of await listMismatchedCharges(tx, range))
      findings.push(`charge ${id}: is ${status} with ${payment_count} payments`);
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

const NOTHING_RECEIVED = {
  received_cents: 0,
  applied_cents: 0,
  excess_cents: 0,
  refunded_cents: 0,
  credited_cents: 0,
};

/** Compares a payment with its receipt, whose `refunded_cents` is the amount held for refunds that are in progress or done. */
function auditPayment(payment: AuditedPayment, receipt: typeof NOTHING_RECEIVED | undefined): string[] {
  const { customer_id, end_to_end_id, amount_cents, refunded_cents, is_assigned } = payment;
  const assignedCents = is_assigned ? amount_cents : 0;
  const arrivedCents = payment.arrived_for_customer ? amount_cents : 0;
  const findings: string[] = [];
  const paymentName = `pix ${end_to_end_id}`;
  if (receipt?.received_cents !== arrivedCents)
    findings.push(
      `${paymentName}: ${receipt?.received_cents ?? 'nothing'} was received for it, should be ${arrivedCents}`,
    );
  if (is_assigned !== payment.should_be_assigned)
    findings.push(
      `${paymentName}: is assigned to customer ${customer_id}: ${is_assigned}, should be ${!is_assigned}`,
    );
  const { applied_cents, excess_cents, credited_cents } = receipt ?? NOTHING_RECEIVED;
  const heldCents = receipt?.refunded_cents ?? 0;
  // The amount returned by refunds, which are in progress or done, and as cashback.
  const givenBackCents = refunded_cents + payment.external_refund_cents + credited_cents;
  if (applied_cents + excess_cents + givenBackCents !== assignedCents)
    findings.push(
      `${paymentName}: ${applied_cents} applied, ${excess_cents} excess and ${givenBackCents} returned do not add up to ` +
        `${assignedCents}`,
    );
  if (heldCents !== refunded_cents)
    findings.push(`${paymentName}: ${heldCents} is held for refunds, should be ${refunded_cents}`);
  return findings;
}

/** Reports payments that only the PSP has, applied payments that also belong elsewhere, and authorisations that have ended only here. */
async function auditPsp(tx: Tx, range: CustomerRange): Promise<string[]> {
  const discrepancies = (await listOpenDiscrepancies(tx, range)).map(({ charge_id, kind, end_to_end_id }) =>
    kind === 'paid_without_payment'
      ? `charge ${charge_id}: is paid at the PSP, and no payment of it was found`
      : `charge ${charge_id}: the PSP has a payment ${end_to_end_id} for it that cannot be parsed`,
  );
  const misplacements = (await listMisplacedPayments(tx, range)).map(
    ({ end_to_end_id, problem }) => `pix ${end_to_end_id}: ${problem}`,
  );
  const liveAuthorisations = (await listAuthorisationsLiveAtPsp(tx, range)).map(
    ({ id, status }) => `authorisation ${id}: is ${status}, and the PSP may still debit by it`,
  );
  return [...discrepancies, ...misplacements, ...liveAuthorisations];
}

/** Lists authorisations that have ended here, and could not be ended at the PSP: a failed attempt to end one there updates `synced_at`. */
const listAuthorisationsLiveAtPsp = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<{ id: string; status: string }>(sql`
    select id, status from pix_authorisations
    where customer_id > ${afterId} and customer_id <= ${lastId} and ended_at is not null and removed_at is null
      and synced_at > ended_at
    order by id`);

const listOpenDiscrepancies = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<{ charge_id: string; kind: string; end_to_end_id: string }>(sql`
    select d.charge_id, d.kind, d.end_to_end_id from pix_discrepancies d
    join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.customer_id > ${afterId} and d.customer_id <= ${lastId} and d.resolved_at is null
      and (d.kind = 'unreadable_payment' or (d.kind = 'paid_without_payment' and c.status <> 'paid'))
    order by d.charge_id, d.kind, d.end_to_end_id`);

const listMisplacedPayments = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<{ end_to_end_id: string; problem: string }>(sql`
    select p.end_to_end_id,
           case when o.end_to_end_id is not null then 'is applied, and also an orphan'
                when p.moved_at is null then 'is applied, and assigned to another charge'
                else 'was moved, and is still assigned to the charge that it was moved from' end as problem
    from pix_payments p
    left join pix_end_to_end_ids owner on owner.end_to_end_id = p.end_to_end_id
    left join pix_orphans o on o.end_to_end_id = p.end_to_end_id
    where p.customer_id > ${afterId} and p.customer_id <= ${lastId}
      and (o.end_to_end_id is not null
           or (p.moved_at is null and owner.charge_id is distinct from p.charge_id)
           or (p.moved_at is not null and owner.charge_id is not distinct from p.charge_id))
    order by p.end_to_end_id`);

type AuditedPayment = {
  customer_id: string;
  end_to_end_id: string;
  amount_cents: number;
  /** Whether the payment is assigned to this customer now. A move changes this. */
  is_assigned: boolean;
  /** Whether the payment arrived for this customer. A move does not change this. */
  arrived_for_customer: boolean;
  /** The value of `is_assigned` that follows from the moves of the payment. */
  should_be_assigned: boolean;
  /** Our refunds that are in progress or done. */
  refunded_cents: number;
  /** Chargebacks, and refunds by hand at the PSP. */
  external_refund_cents: number;
  /** Refunds of both kinds that are done. */
  returned_cents: number;
};

const listAuditedPayments = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedPayment>(sql`
    select p.customer_id, p.end_to_end_id, p.amount_cents, p.moved_at is null as is_assigned,
           coalesce((select m.side = 'from' from pix_moves m
                     where m.customer_id = p.customer_id and m.end_to_end_id = p.end_to_end_id
                     order by m.position limit 1), true) as arrived_for_customer,
           coalesce((select m.side = 'to' from pix_moves m
                     where m.customer_id = p.customer_id and m.end_to_end_id = p.end_to_end_id
                     order by m.position desc limit 1), true) as should_be_assigned,
           coalesce(sum(r.amount_cents) filter (where not r.forced), 0)::bigint as refunded_cents,
           coalesce(sum(r.amount_cents) filter (where r.forced), 0)::bigint as external_refund_cents,
           coalesce(sum(r.amount_cents) filter (where r.status = 'returned'), 0)::bigint as returned_cents
    from pix_payments p
    left join pix_refunds r on r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id
                           and r.status in ('asked', 'processing', 'returned')
    where p.customer_id > ${afterId} and p.customer_id <= ${lastId}
    group by p.customer_id, p.end_to_end_id order by p.customer_id, p.end_to_end_id`);

/** Lists charges that are paid without a payment, or have a payment and are not paid. A payment that was moved away later also counts. */
const listMismatchedCharges = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<{ id: string; status: string; payment_count: number }>(sql`
    select * from (
      select c.id, c.status, (select count(*) from pix_payments p
                              where p.customer_id = c.customer_id and p.charge_id = c.id and p.moved_at is null)
                             + (select count(*) from pix_moves m
                                where m.customer_id = c.customer_id and m.charge_id = c.id and m.side = 'from') as payment_count
      from pix_charges c where c.customer_id > ${afterId} and c.customer_id <= ${lastId}
    ) as counted_charges
    where (status = 'paid') <> (payment_count > 0) order by id`);
