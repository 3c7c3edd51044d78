import type { Client } from 'pg';
import { computeEffectiveDueDay } from '#core/values/calendar.ts';
import type { Cpf } from '#core/values/cpf.ts';
import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { encryptIdentity } from '../src/customers/identity.ts';
import { withClient } from './environment.ts';

/** The maximum number of customers for whom one statement writes. */
const BATCH_CUSTOMERS = 5_000;
/** The number of connections that write concurrently. */
const WRITERS = 2;
/** The age in days of the oldest possible purchase. */
const MAX_DAYS_AGO = 1_000;
/** The number of merchants among whom the customers are distributed. */
const MERCHANTS = 60;
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
  onProgress?: (share: number) => void,
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
        const today = saoPauloDay(Date.now());
        await createTemporaryTables(client, today);
        // The writers share this iterator, so that each batch is written once.
        for (const first of remainingStarts) {
          const last = Math.min(customers, first + BATCH_CUSTOMERS - 1);
          await client.query(renderInsertCustomers(first, last));
          await client.query(
            `truncate planned_purchases; insert into planned_purchases ${plan.select(first, last)}; analyze planned_purchases`,
          );
          for (const insert of renderInserts(today, plan.cashbackPpm)) await client.query(insert);
          completedBatches += 1;
          onProgress?.(completedBatches / batchStarts.length);
        }
      }),
    ),
  );
  await withClient(databaseUrl, async (client) => {
    // The stored sums of credit do not include rows that were written without triggers. Without progress they are computed again.
    await client.query('delete from credit_sums_progress');
    await vacuumAndCheckpoint(client);
  });
}

/** Creates the tables that the inserts read: the due days with their next business days, and the planned purchases of a batch. */
async function createTemporaryTables(client: Client, today: Day): Promise<void> {
  await client.query('create temp table due_days (day date primary key, effective_day date not null)');
  const days = Array.from({ length: MAX_DAYS_AGO + 100 }, (_, i) => addDays(today, i - MAX_DAYS_AGO));
  await client.query('insert into due_days select * from unnest($1::date[], $2::date[])', [
    days,
    days.map(computeEffectiveDueDay),
  ]);
  await client.query(
    'create temp table planned_purchases (customer_number int, purchase_number int, days_ago int, paid_installments int, ' +
      'primary key (customer_number, purchase_number))',
  );
}

/** Runs vacuum, analyze and a checkpoint, so that none of them runs during the measurement. */
export async function vacuumAndCheckpoint(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Renders an id of a customer. The ids of customers and installments are in the order of creation, like real ids. */
export const customerIdSql = (customerNumber: string) => `'cus_' || lpad((${customerNumber})::text, 26, '0')`;
export const installmentIdSql = (customerNumber: string, purchaseNumber: string, installmentNumber: string) =>
  `'ins_' || lpad((${customerNumber} * 10000::bigint + ${purchaseNumber} * 10 + ${installmentNumber})::text, 26, '0')`;
/** Renders a hash for a purchase, which depends only on the two numbers. */
export const checkoutHashSql = (customerNumber: string, purchaseNumber: string) =>
  `substr(md5('checkout ' || ${customerNumber} || ' ' || ${purchaseNumber}), 1, 22)`;
/** Renders 15:00 UTC on a day, which is the same day in São Paulo. */
export const afternoonSql = (day: string) => `((${day}) + time '15:00') at time zone 'UTC'`;

/** The id of the customer and the hash of the purchase in a row of `planned_purchases planned`. */
const CUSTOMER_ID_SQL = customerIdSql('planned.customer_number');
const HASH_SQL = checkoutHashSql('planned.customer_number', 'planned.purchase_number');

/** The encrypted identity is a placeholder until `encryptCustomerIdentities` replaces it. */
const renderInsertCustomers = (first: number, last: number) => `
  insert into customers (id, person_sealed, phone_hash, credit_limit_cents, referral_code, created_at)
  select ${customerIdSql('n')}, '\\x00000001', sha256(n::text::bytea), 100000, 'BENCH' || n, now() - interval '${MAX_DAYS_AGO} days'
  from generate_series(${first}, ${last}) as n`;

/** Renders the SQL statements that insert the planned purchases of a batch and everything that follows from them. */
const renderInserts = (today: Day, cashbackPpm: number): string[] => [
  `insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, description, purchased_at,
     created_at, financed_cents, total_cents, installments_total,
     weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm,
     cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days,
     paid_cents, outstanding_cents, installments_paid,
     next_due_on, late_after, settled_at)
   select ${CUSTOMER_ID_SQL}, ${HASH_SQL}, merchant.id, merchant.slug, merchant.name, 'Compra ' || planned.purchase_number, purchase.bought_at,
     purchase.bought_at, ${INSTALLMENTS * INSTALLMENT_CENTS}, ${INSTALLMENTS * INSTALLMENT_CENTS}, ${INSTALLMENTS},
     0, 20000, 10000, 50000, 7, 2, ${cashbackPpm},
     0, 0, 0, 2,
     paid_installments * ${INSTALLMENT_CENTS}, (${INSTALLMENTS} - paid_installments) * ${INSTALLMENT_CENTS}, paid_installments,
     case when paid_installments < ${INSTALLMENTS} then next_due.day end,
     case when paid_installments < ${INSTALLMENTS} then next_due.effective_day else 'infinity' end,
     case when paid_installments = ${INSTALLMENTS} then purchase.bought_at + interval '${INSTALLMENTS * 7} days' end
   from planned_purchases planned
   join due_days next_due on next_due.day = date '${today}' - days_ago + 7 * (paid_installments + 1)
   join (select row_number() over (order by id) - 1 as position, id, slug, name from merchants order by id limit ${MERCHANTS}) as merchant
     on merchant.position = planned.customer_number % ${MERCHANTS},
     lateral (select ${afternoonSql(`date '${today}' - days_ago`)} as bought_at) as purchase`,

  `insert into installments (customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents,
     agreed_due_on, due_on, effective_due_on, paid_cents, outstanding_cents, paid_at)
   select ${CUSTOMER_ID_SQL}, ${installmentIdSql('planned.customer_number', 'planned.purchase_number', 'number')}, ${HASH_SQL}, number, ${INSTALLMENT_CENTS},
     ${INSTALLMENT_CENTS}, 0, due.day, due.day, due.effective_day,
     case when is_paid then ${INSTALLMENT_CENTS} else 0 end, case when is_paid then 0 else ${INSTALLMENT_CENTS} end,
     case when is_paid then ${afternoonSql('due.day')} end
   from planned_purchases planned cross join generate_series(1, ${INSTALLMENTS}) as number
   join due_days due on due.day = date '${today}' - days_ago + 7 * number,
     lateral (select number <= paid_installments as is_paid) as status`,

  `insert into receipts (customer_id, reference, installment_id, checkout_hash, received_at, recorded_at, amount_cents,
     purpose, outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents, excess_cents)
   select customer_id, 'E' || substr(id, 5), id, checkout_hash, paid_at, paid_at, amount_cents,
     'pay', 'payment', 0, 0, amount_cents, 0, 0, 0
   from planned_purchases planned join installments on customer_id = ${CUSTOMER_ID_SQL} and checkout_hash = ${HASH_SQL}
   where paid_at is not null order by paid_at`,

  `insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at, written_at)
   select customer_id, 'checkout ' || hash, 'checkout', purchased_at, purchased_at, purchased_at
   from planned_purchases planned join checkouts on customer_id = ${CUSTOMER_ID_SQL} and hash = ${HASH_SQL}
   union all
   select customer_id, 'receipt ' || reference, 'receipt', received_at, received_at, received_at
   from planned_purchases planned join receipts on customer_id = ${CUSTOMER_ID_SQL} and checkout_hash = ${HASH_SQL}`,

  // The posting of a checkout has two lines for each installment: lines 1 and 2 for the first, 3 and 4 for the second, and so on.
  `insert into ledger_entries (customer_id, posting_id, line, account, installment_id, merchant_id, amount_cents)
   select posting.customer_id, posting.id, 2 * installment.number - entry.lines_before_last, entry.account, installment.id,
          case when entry.account = 'merchant_payable' then checkout.merchant_id end, entry.sign * installment.amount_cents
   from planned_purchases planned
   join ledger_postings posting on posting.customer_id = ${CUSTOMER_ID_SQL} and posting.reference = 'checkout ' || ${HASH_SQL}
   join checkouts checkout on checkout.customer_id = posting.customer_id and checkout.hash = ${HASH_SQL}
   join installments installment on installment.customer_id = posting.customer_id and installment.checkout_hash = ${HASH_SQL},
   (values (1, 'receivable', 1), (0, 'merchant_payable', -1)) as entry (lines_before_last, account, sign)
   union all
   select posting.customer_id, posting.id, entry.line, entry.account, receipt.installment_id, null, entry.sign * receipt.amount_cents
   from planned_purchases planned
   join receipts receipt on receipt.customer_id = ${CUSTOMER_ID_SQL} and receipt.checkout_hash = ${HASH_SQL}
   join ledger_postings posting on posting.customer_id = receipt.customer_id and posting.reference = 'receipt ' || receipt.reference,
   (values (1, 'pix_clearing', 1), (2, 'receivable', -1)) as entry (line, account, sign)`,
];

/** Stores an encrypted identity, with its own phone, for each customer of `generatePurchases`. */
export async function encryptCustomerIdentities(db: Db): Promise<void> {
  const customers = await db.rows<{ id: string }>(
    sql`select id from customers where referral_code like 'BENCH%'`,
  );
  const identities = customers.map(({ id }, i) => ({
    id,
    encryptedIdentity: encryptIdentity(db.vault, id, {
      name: 'Davi Teste',
      phone: `+55119${String(80_000_000 + i)}`,
      email: 'davi@example.com',
      cpf: '52998224725' as Cpf,
      birth_date: null,
    }),
  }));
  for (let i = 0; i < identities.length; i += BATCH_CUSTOMERS) {
    const batch = identities.slice(i, i + BATCH_CUSTOMERS);
    await db.run(sql`
      update customers set person_sealed = identity.encrypted
      from unnest(${batch.map(({ id }) => id)}::text[], ${batch.map(({ encryptedIdentity }) => encryptedIdentity)}::bytea[])
        as identity (id, encrypted)
      where customers.id = identity.id`);
  }
}
