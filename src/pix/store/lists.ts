import { sql } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import type { ChargeRow, ChargeStatus } from './charges.ts';
import type { OrphanRow, OrphanStatus } from './orphans.ts';
import type { PaymentRow } from './payments.ts';
import type { RefundRow, RefundStatus } from './refunds.ts';

type Days = { from?: string | undefined; to?: string | undefined };

export type ListedPayment = PaymentRow & { refunded_cents: number; is_assigned: boolean };

/** With what was refunded of each, and whether a person assigned it. */
export const listedPayments = (
  filter: Days & { customerId?: string | undefined; endToEndId?: string | undefined },
): Listing<ListedPayment> => ({
  of: sql`
    select p.*, (select coalesce(sum(r.amount_cents), 0)::bigint from pix_refunds r
                 where r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id and r.status = 'returned'
                ) as refunded_cents,
           (select c.assigned_end_to_end_id is not null from pix_charges c
            where c.customer_id = p.customer_id and c.id = p.charge_id) as is_assigned
    from pix_payments p`,
  where: [
    sql`p.moved_at is null`,
    ...(filter.customerId === undefined ? [] : [sql`p.customer_id = ${filter.customerId}`]),
    ...(filter.endToEndId === undefined ? [] : [sql`p.end_to_end_id = ${filter.endToEndId}`]),
    ...onDays(sql`p.paid_at`, filter),
  ],
  by: [sql`p.paid_at`, sql`p.end_to_end_id`],
  keyOf: ({ paid_at, end_to_end_id }) => [paid_at, end_to_end_id],
  sum: sql`amount_cents`,
});

/** One of them. */
export const paymentOf = (customerId: string, endToEndId: string): Listing<ListedPayment> => {
  const all = listedPayments({ customerId });
  return { ...all, where: [...all.where, sql`p.end_to_end_id = ${endToEndId}`] };
};

type ChargeFilter = Days & {
  customerId?: string | undefined;
  type?: string | undefined;
  status?: Exclude<ChargeStatus, 'creating' | 'discarded'> | undefined;
};

/** Those whose code was seen. A charge expires by time alone. */
export const listedCharges = (
  { customerId, type, status, ...days }: ChargeFilter,
  now: Date,
): Listing<ChargeRow> => ({
  of: sql`select * from pix_charges`,
  where: [
    sql`br_code is not null`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(status === undefined ? [] : [statusNow(status, now)]),
    ...onDays(sql`created_at`, days),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`value_cents`,
});

function statusNow(status: NonNullable<ChargeFilter['status']>, now: Date) {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or status = 'pending' and expires_at <= ${now})`;
  return sql`status = ${status}`;
}

export const listedRefunds = ({
  customerId,
  status,
  ...days
}: Days & { customerId?: string | undefined; status?: RefundStatus | undefined }): Listing<RefundRow> => ({
  of: sql`select * from pix_refunds`,
  where: [
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...onDays(sql`created_at`, days),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`amount_cents`,
});

export const listedOrphans = ({
  status,
  ...days
}: Days & { status?: OrphanStatus | undefined }): Listing<OrphanRow> => ({
  of: sql`select * from pix_orphans`,
  where: [...(status === undefined ? [] : [sql`status = ${status}`]), ...onDays(sql`found_at`, days)],
  by: [sql`found_at`, sql`end_to_end_id`],
  keyOf: ({ found_at, end_to_end_id }) => [found_at, end_to_end_id],
  sum: sql`amount_cents`,
});
