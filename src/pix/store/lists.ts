import { Type } from 'typebox';
import { CHARGE_TYPES } from '#core/finance/charge.ts';
import { findCustomerByCheckout } from '#credit';
import { filterByCustomer } from '#customers';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { DayParameter, Text } from '#platform/http/schemas.ts';
import { describeSearch } from '#platform/http/search.ts';
import { AUTHORISATION_STATUSES, type AuthorisationRow } from './authorisations.ts';
import type { ChargeRow } from './charges.ts';
import type { DebitRow } from './debits.ts';
import { ORPHAN_STATUSES, type OrphanRow } from './orphans.ts';
import { type PaymentRow, REFUND_STATUSES, type RefundRow } from './payments.ts';

/** Filters by customer and by purchase. `isOfCheckout` is the condition that a row belongs to the purchase. */
const filterByOwner = (column: Sql, isOfCheckout: (hash: string) => Sql) => ({
  customer: filterByCustomer(column),
  checkout: {
    schema: Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'The hash of the purchase.' }),
    // An unknown purchase gets the customer id '', which matches no rows.
    resolve: async (hash: string, db: Queryable) => ({
      hash,
      customerId: (await findCustomerByCheckout(db, hash)) ?? '',
    }),
    where: ({ hash, customerId }: { hash: string; customerId: string }) =>
      sql`${column} = ${customerId} and ${isOfCheckout(hash)}`,
  },
});

export type PaymentListRow = PaymentRow & { refunded_cents: number; is_assigned: boolean };

/** Lists payments with their refunded amount, and whether a staff user assigned them. */
export const paymentList = defineList({
  select: sql`
    select p.*, (select coalesce(sum(r.amount_cents), 0)::bigint from pix_refunds r
                 where r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id and r.status = 'returned'
                ) as refunded_cents,
           (select c.assigned_end_to_end_id is not null from pix_charges c
            where c.customer_id = p.customer_id and c.id = p.charge_id) as is_assigned
    from pix_payments p`,
  where: sql`p.moved_at is null`,
  filters: {
    end_to_end_id: filterBy(
      Text(32, { description: 'The id of the payment in the Pix network.' }),
      sql`p.end_to_end_id`,
    ),
    ...filterByOwner(
      sql`p.customer_id`,
      (hash) => sql`exists (select from pix_charges c
                    where c.customer_id = p.customer_id and c.id = p.charge_id and c.checkout_hash = ${hash})`,
    ),
    ...filterByDays('Paid', sql`p.paid_at`),
  },
  search: {
    description: describeSearch('an end-to-end id, a txid, or the hash of a purchase'),
    customerColumn: sql`p.customer_id`,
    ownedIdColumns: [
      sql`p.end_to_end_id`,
      sql`p.charge_id`,
      sql`(select c.checkout_hash from pix_charges c where c.customer_id = p.customer_id and c.id = p.charge_id)`,
    ],
  },
  orderBy: [sql`p.paid_at`, sql`p.end_to_end_id`],
  keyOf: ({ paid_at, end_to_end_id }: PaymentListRow) => [paid_at, end_to_end_id],
  sumColumn: sql`amount_cents`,
});

/** Charges that have a code. An expired charge may still be stored as pending: see `matchCurrentStatus`. */
export const chargeList = defineList({
  select: sql`select * from pix_charges`,
  where: sql`br_code is not null`,
  filters: {
    status: filterBy(
      Type.Enum(['pending', 'paid', 'expired', 'cancelled'], {
        description: 'Only charges with this current status.',
      }),
      matchCurrentStatus,
    ),
    type: filterBy(Type.Enum([...CHARGE_TYPES]), sql`type`),
    ...filterByOwner(sql`customer_id`, (hash) => sql`checkout_hash = ${hash}`),
    ...filterByDays('Created', sql`created_at`),
  },
  search: {
    description: describeSearch('a txid, or the hash of a purchase'),
    customerColumn: sql`customer_id`,
    ownedIdColumns: [sql`id`, sql`checkout_hash`],
  },
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: ChargeRow) => [created_at, id],
  sumColumn: sql`value_cents`,
});

function matchCurrentStatus(status: string, now: Date): Sql {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or (status = 'pending' and expires_at <= ${now}))`;
  return sql`status = ${status}`;
}

export const refundList = defineList({
  select: sql`select * from pix_refunds r`,
  filters: {
    status: filterBy(Type.Enum([...REFUND_STATUSES]), sql`r.status`),
    ...filterByOwner(
      sql`r.customer_id`,
      (hash) => sql`exists (select from pix_payments p
                    join pix_charges c on c.customer_id = p.customer_id and c.id = p.charge_id
                    where p.customer_id = r.customer_id and p.end_to_end_id = r.end_to_end_id
                      and c.checkout_hash = ${hash})`,
    ),
    ...filterByDays('Requested', sql`r.created_at`),
  },
  search: {
    description: describeSearch('the id of a refund, or an end-to-end id'),
    customerColumn: sql`r.customer_id`,
    ownedIdColumns: [sql`r.id`, sql`r.end_to_end_id`],
  },
  orderBy: [sql`r.created_at`, sql`r.id`],
  keyOf: ({ created_at, id }: RefundRow) => [created_at, id],
  sumColumn: sql`amount_cents`,
});

export const orphanList = defineList({
  select: sql`select * from pix_orphans`,
  filters: {
    status: filterBy(Type.Enum([...ORPHAN_STATUSES]), sql`status`),
    ...filterByDays('Found', sql`found_at`),
  },
  search: {
    description: 'An end-to-end id or a txid.',
    idColumns: [sql`end_to_end_id`, sql`txid`],
  },
  orderBy: [sql`found_at`, sql`end_to_end_id`],
  keyOf: ({ found_at, end_to_end_id }: OrphanRow) => [found_at, end_to_end_id],
  sumColumn: sql`amount_cents`,
});

/** Authorisations that have a code. An expired one may still be stored as pending, as a charge may. */
export const authorisationList = defineList({
  select: sql`select * from pix_authorisations`,
  where: sql`br_code is not null`,
  filters: {
    status: filterBy(
      Type.Enum([...AUTHORISATION_STATUSES], {
        description: 'Only authorisations with this current status.',
      }),
      matchCurrentStatus,
    ),
    customer: filterByCustomer(sql`customer_id`),
    ...filterByDays('Requested', sql`created_at`),
  },
  search: {
    description: describeSearch('the hash of a purchase'),
    customerColumn: sql`customer_id`,
    ownedIdColumns: [sql`checkout_hash`],
  },
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: AuthorisationRow) => [created_at, id],
});

export const DEBIT_STATUSES = ['scheduled', 'trying', 'paid', 'failed', 'withdrawn'] as const;
export type DebitListRow = Pick<ChargeRow, 'value_cents'> &
  Pick<DebitRow, 'customer_id' | 'checkout_hash' | 'installment_id' | 'due_on' | 'attempt_on' | 'reason'> & {
    id: string;
    autopay_id: string;
    status: (typeof DEBIT_STATUSES)[number];
    tries: number;
  };

const DEBIT_STATUS = sql`
  case c.status when 'paid' then 'paid' when 'expired' then 'failed'
    when 'creating' then case when d.refusals > 0 then 'trying' else 'scheduled' end
    when 'pending' then case when d.refusals > 0 then 'trying' else 'scheduled' end
    else 'withdrawn' end`;

/** Debits, ordered by the due day of the installment. */
export const debitList = defineList({
  select: sql`
    select d.charge_id as id, d.customer_id, d.authorisation_id as autopay_id, d.checkout_hash, d.installment_id,
           ${DEBIT_STATUS} as status, c.value_cents, d.due_on, d.attempt_on,
           d.refusals + case when c.status = 'paid' then 1 else 0 end as tries,
           case when c.status <> 'paid' then d.reason end as reason
    from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id`,
  filters: {
    status: filterBy(Type.Enum([...DEBIT_STATUSES]), DEBIT_STATUS),
    customer: filterByCustomer(sql`d.customer_id`),
    from: filterBy(DayParameter('Due on or after this day'), (from) => sql`d.due_on >= ${from}::date`),
    to: filterBy(DayParameter('Due on or before this day'), (to) => sql`d.due_on <= ${to}::date`),
  },
  search: {
    description: describeSearch('the hash of a purchase'),
    customerColumn: sql`d.customer_id`,
    ownedIdColumns: [sql`d.charge_id`, sql`d.checkout_hash`],
  },
  orderBy: [sql`d.due_on`, sql`d.charge_id`],
  keyOf: ({ due_on, id }: DebitListRow) => [due_on, id],
  sumColumn: sql`value_cents`,
});
