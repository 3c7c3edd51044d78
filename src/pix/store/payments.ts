import { type Queryable, sql, type Tx } from '#platform/db.ts';

export type PaymentRow = {
  customer_id: string;
  end_to_end_id: string;
  charge_id: string;
  installment_id: string;
  amount_cents: number;
  paid_at: Date;
  recorded_at: Date;
};

export async function findPayment(
  db: Queryable,
  customerId: string,
  endToEndId: string,
): Promise<PaymentRow | undefined> {
  return db.row(sql`
    select * from pix_payments where customer_id = ${customerId} and end_to_end_id = ${endToEndId}`);
}

export async function insertPayment(tx: Tx, payment: PaymentRow): Promise<void> {
  await tx.run(sql`
    insert into pix_payments (customer_id, end_to_end_id, charge_id, installment_id, amount_cents, paid_at,
                              recorded_at)
    values (${payment.customer_id}, ${payment.end_to_end_id}, ${payment.charge_id}, ${payment.installment_id},
            ${payment.amount_cents}, ${payment.paid_at}, ${payment.recorded_at})`);
}

/** Which of these have been applied. */
export async function listKnownPayments(db: Queryable, endToEndIds: string[]): Promise<string[]> {
  const rows = await db.rows<{ end_to_end_id: string }>(sql`
    select end_to_end_id from pix_payments where end_to_end_id = any(${endToEndIds})`);
  return rows.map((row) => row.end_to_end_id);
}

/** Says whether it is new. */
export async function insertOrphan(
  db: Queryable,
  orphan: { endToEndId: string; txid: string | null; amountCents: number; paidAt: Date; foundAt: Date },
): Promise<boolean> {
  const stored = await db.run(sql`
    insert into pix_orphans (end_to_end_id, txid, amount_cents, paid_at, found_at)
    values (${orphan.endToEndId}, ${orphan.txid}, ${orphan.amountCents}, ${orphan.paidAt}, ${orphan.foundAt})
    on conflict do nothing`);
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
