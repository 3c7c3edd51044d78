import { type Queryable, sql, type Tx } from '#platform/db.ts';

export type PaymentRow = {
  customer_id: string;
  end_to_end_id: string;
  charge_id: string;
  installment_id: string;
  amount_cents: number;
  paid_at: Date;
  recorded_at: Date;
  receipt: string;
};

export async function findPayment(
  db: Queryable,
  customerId: string,
  endToEndId: string,
): Promise<PaymentRow | undefined> {
  return db.row(sql`
    select * from pix_payments where customer_id = ${customerId} and end_to_end_id = ${endToEndId}`);
}

/** The payments these receipts belong to, also those that no longer stand for them; what is no Pix of ours is left out. */
export async function listPaymentsOfReceipts(
  tx: Tx,
  customerId: string,
  receipts: string[],
): Promise<PaymentRow[]> {
  const endToEndIds = receipts.map(paymentOfReceipt);
  return tx.rows(sql`
    select * from pix_payments where customer_id = ${customerId} and end_to_end_id = any(${endToEndIds})`);
}

/** A receipt is called after its payment, and the rest of one, of which the payer's bank took a part, '... after ...'. */
export function paymentOfReceipt(reference: string): string {
  return reference.split(' ', 1)[0]!;
}

/** What is left of a payment after the payer's bank took something, or after a refund of ours did not take what was left. */
export function remainderReference(endToEndId: string, refundId: string): string {
  return `${endToEndId} after ${refundId}`;
}

/** The receipts of a payment of which something is here, applied or too much, and not on its way back; newest first. */
export async function listLiveReceipts(
  tx: Tx,
  payment: PaymentRow,
): Promise<Array<{ reference: string; excess_cents: number }>> {
  return tx.rows(sql`
    select reference, excess_cents from receipts
    where customer_id = ${payment.customer_id} and split_part(reference, ' ', 1) = ${payment.end_to_end_id}
      and reversed_at is null and amount_cents > refunded_cents
    order by position desc`);
}

/** Whether the payer's bank took back what it had brought. */
export async function isReversed(tx: Tx, customerId: string, reference: string): Promise<boolean> {
  const row = await tx.row<{ reversed: boolean }>(sql`
    select reversed_at is not null as reversed from receipts
    where customer_id = ${customerId} and reference = ${reference}`);
  return row!.reversed;
}

/** The payment has been counted for another charge: nothing may come of it a second time. */
export class EndToEndIdReused extends Error {}

/** From here on it counts for its charge, and for no other; it is no orphan and no discrepancy any more. */
export async function insertPayment(tx: Tx, payment: PaymentRow): Promise<void> {
  const claimed = await tx.row<{ was_orphan: boolean }>(sql`
    insert into pix_end_to_end_ids as known (end_to_end_id, customer_id, charge_id)
    values (${payment.end_to_end_id}, ${payment.customer_id}, ${payment.charge_id})
    on conflict (end_to_end_id) do update
      set customer_id = excluded.customer_id, charge_id = excluded.charge_id where known.customer_id is null
    returning xmax <> 0 as was_orphan`);
  if (!claimed) throw new EndToEndIdReused(payment.end_to_end_id);
  if (claimed.was_orphan)
    await tx.run(sql`delete from pix_orphans where end_to_end_id = ${payment.end_to_end_id}`);
  await tx.run(sql`
    with resolved as (
      update pix_discrepancies set resolved_at = ${payment.recorded_at}
      where customer_id = ${payment.customer_id} and charge_id = ${payment.charge_id} and resolved_at is null
    )
    insert into pix_payments (customer_id, end_to_end_id, charge_id, installment_id, amount_cents, paid_at,
                              recorded_at, receipt)
    values (${payment.customer_id}, ${payment.end_to_end_id}, ${payment.charge_id}, ${payment.installment_id},
            ${payment.amount_cents}, ${payment.paid_at}, ${payment.recorded_at}, ${payment.receipt})`);
}

export async function markReceipt(tx: Tx, payment: PaymentRow, receipt: string): Promise<void> {
  await tx.run(sql`
    update pix_payments set receipt = ${receipt}
    where customer_id = ${payment.customer_id} and end_to_end_id = ${payment.end_to_end_id}`);
}

/** Whose payment it is; both null for an orphan. */
export type PaymentOwner = { end_to_end_id: string; customer_id: string | null; charge_id: string | null };

/** Those of these payments that we know, applied or orphans. */
export async function listPaymentOwners(db: Queryable, endToEndIds: string[]): Promise<PaymentOwner[]> {
  return db.rows(sql`select * from pix_end_to_end_ids where end_to_end_id = any(${endToEndIds})`);
}

/** Says whether it is new: neither an orphan already nor a payment that counts for a charge. */
export async function insertOrphan(
  db: Queryable,
  orphan: { endToEndId: string; txid: string | null; amountCents: number; paidAt: Date; foundAt: Date },
): Promise<boolean> {
  const stored = await db.run(sql`
    with unknown as (
      insert into pix_end_to_end_ids (end_to_end_id) values (${orphan.endToEndId})
      on conflict do nothing returning end_to_end_id
    )
    insert into pix_orphans (end_to_end_id, txid, amount_cents, paid_at, found_at)
    select end_to_end_id, ${orphan.txid}::text, ${orphan.amountCents}::bigint, ${orphan.paidAt}::timestamptz,
           ${orphan.foundAt}::timestamptz
    from unknown`);
  return stored === 1;
}

export type OrphanRow = {
  end_to_end_id: string;
  txid: string | null;
  amount_cents: number;
  paid_at: Date;
  found_at: Date;
};

export async function listOrphans(
  db: Queryable,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; orphans: OrphanRow[] }> {
  const counted = await db.row<{ total: number }>(sql`select count(*) as total from pix_orphans`);
  const orphans = await db.rows<OrphanRow>(sql`
    select * from pix_orphans order by found_at desc, end_to_end_id offset ${offset} limit ${limit}`);
  return { total: counted!.total, orphans };
}
