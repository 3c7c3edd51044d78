import type { Client } from 'pg';
import { effectiveDueDay } from '#core/values/calendar.ts';
import type { Cpf } from '#core/values/cpf.ts';
import { addDays, saoPauloDay } from '#core/values/day.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { encryptIdentity } from '../src/customers/identity.ts';
import { withClient } from './environment.ts';

/** The number of customers for which one statement writes. */
const BATCH_CUSTOMERS = 5_000;
const WRITERS = 2;
/** The age in days of the oldest possible purchase. */
const MAX_DAYS_AGO = 1_000;
export const INSTALLMENTS = 5;
export const INSTALLMENT_CENTS = 5_000;

export type PurchasePlan = {
  /** The number of customers. They are numbered from 1. */
  customers: number;
  cashbackPpm: number;
  /**
   * Returns a SELECT of the purchases of the customers from `first` to `last`. Its columns: number of the customer, number of the purchase
   * (below 1,000), age of the purchase in days, and number of paid installments. Unpaid installments that were due are overdue.
   */
  select(first: number, last: number): string;
};

/**
 * Generates customers with purchases of R$ 250.00 in five installments. Installments are paid on their due day and have the ledger entries
 * and receipts of real ones, so that the audit of credit passes. Triggers and foreign keys are disabled for speed.
 */
export async function generatePurchases(
  databaseUrl: string,
  plan: PurchasePlan,
  onProgress: (share: number) => void,
): Promise<void> {
  const { customers } = plan;
  const batchStarts = Array.from(
    { length: Math.ceil(customers / BATCH_CUSTOMERS) },
    (_, i) => 1 + i * BATCH_CUSTOMERS,
  );
  const remainingStarts = batchStarts.values();
  let completedBatches = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, () =>
      withClient(databaseUrl, async (client) => {
        await client.query('set session_replication_role = replica; set synchronous_commit = off');
        const today = await createTemporaryTables(client);
        for (const first of remainingStarts) {
          const last = Math.min(customers, first + BATCH_CUSTOMERS - 1);
          await client.query(renderInsertCustomers(first, last));
          await client.query(
            `truncate planned_purchases; insert into planned_purchases ${plan.select(first, last)}; analyze planned_purchases`,
          );
          for (const statement of STATEMENTS) await client.query(statement(today, plan.cashbackPpm));
          completedBatches += 1;
          onProgress(completedBatches / batchStarts.length);
        }
      }),
    ),
  );
  await withClient(databaseUrl, vacuumAndCheckpoint);
}

async function createTemporaryTables(client: Client): Promise<string> {
  const today = saoPauloDay(Date.now());
  await client.query('create temp table due_days (day date primary key, effective date not null)');
  const days = Array.from({ length: MAX_DAYS_AGO + 100 }, (_, i) => addDays(today, i - MAX_DAYS_AGO));
  await client.query('insert into due_days select * from unnest($1::date[], $2::date[])', [
    days,
    days.map(effectiveDueDay),
  ]);
  await client.query(
    'create temp table planned_purchases (n int, k int, days_ago int, paid int, primary key (n, k))',
  );
  return today;
}

/** Runs vacuum, analyze and a checkpoint, so that none of them runs during the measurement. */
export async function vacuumAndCheckpoint(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** The ids are in the order of creation, like real ids. */
export const customerIdSql = (n: string) => `'cus_' || lpad((${n})::text, 26, '0')`;
export const installmentIdSql = (n: string, k: string, number: string) =>
  `'ins_' || lpad((${n} * 10000::bigint + ${k} * 10 + ${number})::text, 26, '0')`;
/** Renders a deterministic hash of customer and purchase. */
export const hashSql = (n: string, k: string) => `substr(md5('checkout ' || ${n} || ' ' || ${k}), 1, 22)`;
/** Renders 15:00 UTC on a day, which is the same day in São Paulo. */
export const afternoonSql = (day: string) => `((${day}) + time '15:00') at time zone 'UTC'`;

const CUSTOMER = customerIdSql('b.n');
const HASH = hashSql('b.n', 'b.k');

const renderInsertCustomers = (first: number, last: number) => `
  insert into customers (id, person_sealed, phone_hash, credit_limit_cents, referral_code, created_at)
  select ${customerIdSql('c.n')}, '\\x00000001', sha256(c.n::text::bytea), 100000, 'BENCH' || c.n, now() - interval '${MAX_DAYS_AGO} days'
  from generate_series(${first}, ${last}) as c (n)`;

const STATEMENTS: Array<(today: string, cashbackPpm: number) => string> = [
  (today, cashbackPpm) => `
    insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, description, purchased_at,
      created_at, financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm,
      extension_fee_ppm, extension_days, extension_limit, cashback_ppm, cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days,
      paid_cents, outstanding_cents, installments_paid, next_due_on, late_after, settled_at)
    select ${CUSTOMER}, ${HASH}, m.id, m.slug, m.name, 'Compra ' || b.k, at.bought, at.bought,
      ${INSTALLMENTS * INSTALLMENT_CENTS}, ${INSTALLMENTS * INSTALLMENT_CENTS}, ${INSTALLMENTS}, 0, 20000, 10000, 50000,
      7, 2, ${cashbackPpm}, 0, 0, 0, 2, b.paid * ${INSTALLMENT_CENTS}, (${INSTALLMENTS} - b.paid) * ${INSTALLMENT_CENTS}, b.paid,
      case when b.paid < ${INSTALLMENTS} then due.day end,
      case when b.paid < ${INSTALLMENTS} then due.effective else 'infinity' end,
      case when b.paid = ${INSTALLMENTS} then at.bought + interval '${INSTALLMENTS * 7} days' end
    from planned_purchases b
    join due_days due on due.day = date '${today}' - b.days_ago + 7 * (b.paid + 1)
    join (select row_number() over (order by id) - 1 as place, id, slug, name from merchants order by id limit 60) as m
      on m.place = b.n % 60,
      lateral (select ${afternoonSql(`date '${today}' - b.days_ago`)} as bought) as at`,

  (today) => `
    insert into installments (customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents,
      agreed_due_on, due_on, effective_due_on, paid_cents, outstanding_cents, paid_at)
    select ${CUSTOMER}, ${installmentIdSql('b.n', 'b.k', 'i.number')}, ${HASH}, i.number, ${INSTALLMENT_CENTS},
      ${INSTALLMENT_CENTS}, 0, due.day, due.day, due.effective,
      case when f.paid then ${INSTALLMENT_CENTS} else 0 end, case when f.paid then 0 else ${INSTALLMENT_CENTS} end,
      case when f.paid then ${afternoonSql('due.day')} end
    from planned_purchases b cross join generate_series(1, ${INSTALLMENTS}) as i (number)
    join due_days due on due.day = date '${today}' - b.days_ago + 7 * i.number,
      lateral (select i.number <= b.paid as paid) as f`,

  () => `
    insert into receipts (customer_id, reference, installment_id, checkout_hash, received_at, recorded_at, amount_cents,
      purpose, outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents, excess_cents)
    select i.customer_id, 'E' || substr(i.id, 5), i.id, i.checkout_hash, i.paid_at, i.paid_at, i.amount_cents, 'pay',
      'payment', 0, 0, i.amount_cents, 0, 0, 0
    from planned_purchases b join installments i on i.customer_id = ${CUSTOMER} and i.checkout_hash = ${HASH}
    where i.paid_at is not null order by i.paid_at`,

  () => `
    insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at, written_at)
    select k.customer_id, 'checkout ' || k.hash, 'checkout', k.purchased_at, k.purchased_at, k.purchased_at
    from planned_purchases b join checkouts k on k.customer_id = ${CUSTOMER} and k.hash = ${HASH}
    union all
    select r.customer_id, 'receipt ' || r.reference, 'receipt', r.received_at, r.received_at, r.received_at
    from planned_purchases b join receipts r on r.customer_id = ${CUSTOMER} and r.checkout_hash = ${HASH}`,

  () => `
    insert into ledger_entries (customer_id, posting_id, line, account, installment_id, merchant_id, amount_cents)
    select p.customer_id, p.id, 2 * i.number - e.line, e.account, i.id,
           case when e.account = 'merchant_payable' then k.merchant_id end, e.sign * i.amount_cents
    from planned_purchases b
    join ledger_postings p on p.customer_id = ${CUSTOMER} and p.reference = 'checkout ' || ${HASH}
    join checkouts k on k.customer_id = p.customer_id and k.hash = ${HASH}
    join installments i on i.customer_id = p.customer_id and i.checkout_hash = ${HASH},
    (values (1, 'receivable', 1), (0, 'merchant_payable', -1)) as e (line, account, sign)
    union all
    select p.customer_id, p.id, e.line, e.account, r.installment_id, null, e.sign * r.amount_cents
    from planned_purchases b
    join receipts r on r.customer_id = ${CUSTOMER} and r.checkout_hash = ${HASH}
    join ledger_postings p on p.customer_id = r.customer_id and p.reference = 'receipt ' || r.reference,
    (values (1, 'pix_clearing', 1), (2, 'receivable', -1)) as e (line, account, sign)`,
];

/** Stores an encrypted name and phone for the customers of `generatePurchases`. */
export async function encryptCustomerIdentities(db: Db): Promise<void> {
  const rows = await db.rows<{ id: string }>(sql`select id from customers where referral_code like 'BENCH%'`);
  const sealed = rows.map(({ id }, i) =>
    encryptIdentity(db.vault, id, {
      name: 'Davi Teste',
      phone: `+55119${String(80_000_000 + i)}`,
      email: 'davi@example.com',
      cpf: '52998224725' as Cpf,
      birth_date: null,
    }),
  );
  for (let i = 0; i < rows.length; i += BATCH_CUSTOMERS)
    await db.run(sql`
      update customers c set person_sealed = k.sealed
      from unnest(${rows.slice(i, i + BATCH_CUSTOMERS).map(({ id }) => id)}::text[], ${sealed.slice(i, i + BATCH_CUSTOMERS)}::bytea[])
        as k (id, sealed)
      where c.id = k.id`);
}
