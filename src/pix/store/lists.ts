import { type Sql, sql } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import { matchesSearch, type SearchTarget } from '#platform/http/search.ts';
import type { AUTHORISATION_STATUSES, AuthorisationRow } from './authorisations.ts';
import type { ChargeRow, ChargeStatus } from './charges.ts';
import type { OrphanRow, OrphanStatus } from './orphans.ts';
import type { PaymentRow } from './payments.ts';
import type { RefundRow, RefundStatus } from './refunds.ts';

type Days = { from?: string | undefined; to?: string | undefined };
/** Of one customer, or what was searched for. */
type PixFilter = Days & { customerId?: string | undefined; target?: SearchTarget | undefined };

/** Of one customer, of one purchase, or both. */
export type Whose = {
  customerId?: string | undefined;
  checkout?: { readonly hash: string; readonly customerId: string } | undefined;
};

/** `isOfCheckout`: whether a row of the purchase's customer is of the purchase. */
const ownedBy = (
  column: Sql,
  { customerId, checkout }: Whose,
  isOfCheckout: (hash: string) => Sql,
): Sql[] => [
  ...(customerId === undefined ? [] : [sql`${column} = ${customerId}`]),
  ...(checkout === undefined ? [] : [sql`${column} = ${checkout.customerId}`, isOfCheckout(checkout.hash)]),
];

export type ListedPayment = PaymentRow & { refunded_cents: number; is_assigned: boolean };

/** With what was refunded of each, and whether a person assigned it. */
export const listedPayments = (
  filter: PixFilter & Whose & { endToEndId?: string | undefined },
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
    ...ownedBy(
      sql`p.customer_id`,
      filter,
      (hash) => sql`exists (select from pix_charges c
                    where c.customer_id = p.customer_id and c.id = p.charge_id and c.checkout_hash = ${hash})`,
    ),
    ...(filter.endToEndId === undefined ? [] : [sql`p.end_to_end_id = ${filter.endToEndId}`]),
    ...onDays(sql`p.paid_at`, filter),
  ],
  by: [sql`p.paid_at`, sql`p.end_to_end_id`],
  keyOf: ({ paid_at, end_to_end_id }) => [paid_at, end_to_end_id],
  sum: sql`amount_cents`,
  only: matchesSearch(filter.target, {
    customer: sql`p.customer_id`,
    owned: [
      sql`p.end_to_end_id`,
      sql`p.charge_id`,
      sql`(select c.checkout_hash from pix_charges c where c.customer_id = p.customer_id and c.id = p.charge_id)`,
    ],
  }),
});

/** One of them. */
export const paymentOf = (customerId: string, endToEndId: string) =>
  listedPayments({ customerId, endToEndId });

type ChargeFilter = PixFilter &
  Whose & {
    type?: string | undefined;
    status?: Exclude<ChargeStatus, 'creating' | 'discarded'> | undefined;
  };

/** Those whose code was seen. A charge expires by time alone. */
export const listedCharges = (
  { target, type, status, ...filter }: ChargeFilter,
  now: Date,
): Listing<ChargeRow> => ({
  of: sql`select * from pix_charges`,
  where: [
    sql`br_code is not null`,
    ...ownedBy(sql`customer_id`, filter, (hash) => sql`checkout_hash = ${hash}`),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(status === undefined ? [] : [statusNow(status, now)]),
    ...onDays(sql`created_at`, filter),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`value_cents`,
  only: matchesSearch(target, { customer: sql`customer_id`, owned: [sql`id`, sql`checkout_hash`] }),
});

function statusNow(status: string, now: Date) {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or status = 'pending' and expires_at <= ${now})`;
  return sql`status = ${status}`;
}

export const listedRefunds = ({
  target,
  status,
  ...filter
}: PixFilter & Whose & { status?: RefundStatus | undefined }): Listing<RefundRow> => ({
  of: sql`select * from pix_refunds r`,
  where: [
    ...ownedBy(
      sql`r.customer_id`,
      filter,
      (hash) => sql`exists (select from pix_payments p
                    join pix_charges c on c.customer_id = p.customer_id and c.id = p.charge_id
                    where p.customer_id = r.customer_id and p.end_to_end_id = r.end_to_end_id
                      and c.checkout_hash = ${hash})`,
    ),
    ...(status === undefined ? [] : [sql`r.status = ${status}`]),
    ...onDays(sql`r.created_at`, filter),
  ],
  by: [sql`r.created_at`, sql`r.id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, { customer: sql`r.customer_id`, owned: [sql`r.id`, sql`r.end_to_end_id`] }),
});

export const listedOrphans = ({
  target,
  status,
  ...days
}: PixFilter & { status?: OrphanStatus | undefined }): Listing<OrphanRow> => ({
  of: sql`select * from pix_orphans`,
  where: [...(status === undefined ? [] : [sql`status = ${status}`]), ...onDays(sql`found_at`, days)],
  by: [sql`found_at`, sql`end_to_end_id`],
  keyOf: ({ found_at, end_to_end_id }) => [found_at, end_to_end_id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, { plain: [sql`end_to_end_id`, sql`txid`] }),
});

type AuthorisationFilter = PixFilter & {
  status?: (typeof AUTHORISATION_STATUSES)[number] | undefined;
};

/** Those whose code was seen. A code expires by time alone. */
export const listedAuthorisations = (
  { customerId, target, status, ...days }: AuthorisationFilter,
  now: Date,
): Listing<AuthorisationRow> => ({
  of: sql`select * from pix_authorisations`,
  where: [
    sql`br_code is not null`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(status === undefined ? [] : [statusNow(status, now)]),
    ...onDays(sql`created_at`, days),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  only: matchesSearch(target, { customer: sql`customer_id`, owned: [sql`checkout_hash`] }),
});

export const DEBIT_STATUSES = ['scheduled', 'trying', 'paid', 'failed', 'withdrawn'] as const;
export type ListedDebit = {
  id: string;
  customer_id: string;
  autopay_id: string;
  checkout_hash: string;
  installment_id: string;
  status: (typeof DEBIT_STATUSES)[number];
  value_cents: number;
  due_on: string;
  attempt_on: string;
  tries: number;
  reason: string | null;
};

const DEBIT_STATUS = sql`
  case c.status when 'paid' then 'paid' when 'expired' then 'failed'
    when 'creating' then case when d.refusals > 0 then 'trying' else 'scheduled' end
    when 'pending' then case when d.refusals > 0 then 'trying' else 'scheduled' end
    else 'withdrawn' end`;

/** By the day on which the installment falls due. */
export const listedDebits = ({
  customerId,
  target,
  status,
  from,
  to,
}: PixFilter & {
  status?: ListedDebit['status'] | undefined;
}): Listing<ListedDebit> => ({
  of: sql`
    select d.charge_id as id, d.customer_id, d.authorisation_id as autopay_id, d.checkout_hash, d.installment_id,
           ${DEBIT_STATUS} as status, c.value_cents, d.due_on, d.attempt_on,
           d.refusals + case when c.status = 'paid' then 1 else 0 end as tries,
           case when c.status <> 'paid' then d.reason end as reason
    from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id`,
  where: [
    ...(customerId === undefined ? [] : [sql`d.customer_id = ${customerId}`]),
    ...(status === undefined ? [] : [sql`${DEBIT_STATUS} = ${status}`]),
    ...(from === undefined ? [] : [sql`d.due_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`d.due_on <= ${to}::date`]),
  ],
  by: [sql`d.due_on`, sql`d.charge_id`],
  keyOf: ({ due_on, id }) => [due_on, id],
  sum: sql`value_cents`,
  only: matchesSearch(target, {
    customer: sql`d.customer_id`,
    owned: [sql`d.charge_id`, sql`d.checkout_hash`],
  }),
});
