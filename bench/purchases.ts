import { importJWK, type JWK, SignJWT } from 'jose';
import pg from 'pg';
import { effectiveDueDay } from '#core/calendar.ts';
import { addDays, saoPauloDay } from '#core/day.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';

/** Customers written by one statement of each kind. */
const LOT = 5_000;
const INSTALLMENTS_EACH = 10;

export const customersFor = (installments: number): number => installments / INSTALLMENTS_EACH;

/**
 * Made-up customers, each with two purchases of R$ 250.00 in five: one from ten weeks ago, paid, and one from 17 days ago with
 * one installment paid and, for every other customer, one overdue. All with the entries and receipts that real ones would
 * have: 'semana audit' agrees. Triggers and foreign keys are left aside, which is what makes it fast.
 */
export async function makePurchases(
  databaseUrl: string,
  installments: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const today = saoPauloDay(Date.now());
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await client.query(`create temp table due_days (day date primary key, effective date not null)`);
    const days = Array.from({ length: 200 }, (_, i) => addDays(today, i - 100));
    await client.query('insert into due_days select * from unnest($1::date[], $2::date[])', [
      days,
      days.map(effectiveDueDay),
    ]);
    const customers = customersFor(installments);
    for (let first = 1; first <= customers; first += LOT) {
      const last = Math.min(customers, first + LOT - 1);
      for (const statement of STATEMENTS) await client.query(statement(today, first, last));
      onProgress(last / customers);
    }
    await client.query('vacuum analyze');
    // What was written is on the disk before anything is measured.
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Ids are in the order of creation, as real ones are. */
const CUSTOMER = `'cus_' || lpad(c.n::text, 26, '0')`;
/** The same hash for the same customer and purchase every time, and of even distribution. */
const HASH = `substr(md5('checkout ' || c.n || ' ' || p.k), 1, 22)`;
const OF_LOT = (first: number, last: number) => `generate_series(${first}, ${last}) as c (n)`;
/** Purchase 1 is the older one. */
const PURCHASES = `(values (1, 70), (2, 17)) as p (k, days_ago)`;

const STATEMENTS: Array<(today: string, first: number, last: number) => string> = [
  (_today, first, last) => `
    insert into customers (id, name, phone, email, cpf_sealed, cpf_key_version, cpf_hash, credit_limit_cents,
                           referral_code, created_at)
    select ${CUSTOMER}, 'Cliente ' || c.n, '+55119' || lpad(c.n::text, 8, '0'), 'c@example.com', '\\x00', 1,
           sha256(c.n::text::bytea), 100000, 'BENCH' || c.n, now() - interval '100 days'
    from ${OF_LOT(first, last)}`,

  (today, first, last) => `
    insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, description, purchased_at,
      created_at, financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm,
      extension_fee_ppm, extension_days, extension_limit, cashback_ppm, paid_cents, outstanding_cents,
      installments_paid, next_due_on, late_after, settled_at)
    select ${CUSTOMER}, ${HASH}, m.id, m.slug, m.name, 'Compra ' || p.k, at.bought, at.bought, 25000, 25000,
      5, 0, 20000, 10000, 50000, 7, 2, 25000, f.paid * 5000, 25000 - f.paid * 5000, f.paid,
      case when f.paid < 5 then due.day end, case when f.paid < 5 then due.effective else 'infinity' end,
      case when f.paid = 5 then at.bought + interval '35 days' end
    from ${OF_LOT(first, last)}, ${PURCHASES},
      lateral (select (date '${today}' - p.days_ago) + time '15:00' at time zone 'UTC' as bought) as at,
      lateral (select case when p.k = 1 then 5 else 1 + c.n % 2 end as paid) as f,
      lateral (select day, effective from due_days where day = date '${today}' - p.days_ago + 7 * (f.paid + 1)) as due,
      lateral (select id, slug, name from merchants order by id offset c.n % 60 limit 1) as m`,

  (today, first, last) => `
    insert into installments (customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents,
      agreed_due_on, due_on, effective_due_on, paid_cents, outstanding_cents, paid_at)
    select ${CUSTOMER}, 'ins_' || lpad((c.n * 100 + p.k * 10 + i.number)::text, 26, '0'), ${HASH}, i.number, 5000, 5000, 0,
      due.day, due.day, due.effective, case when f.paid then 5000 else 0 end, case when f.paid then 0 else 5000 end,
      case when f.paid then due.day + time '15:00' at time zone 'UTC' end
    from ${OF_LOT(first, last)}, ${PURCHASES}, generate_series(1, 5) as i (number),
      lateral (select p.k = 1 or i.number <= 1 + c.n % 2 as paid) as f,
      due_days due where due.day = date '${today}' - p.days_ago + 7 * i.number`,

  (_today, first, last) => `
    insert into receipts (customer_id, reference, installment_id, checkout_hash, received_at, recorded_at, amount_cents,
      purpose, came_to, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents, excess_cents)
    select i.customer_id, 'E' || substr(i.id, 5), i.id, i.checkout_hash, i.paid_at, i.paid_at, 5000, 'pay', 'payment', 0, 0,
      5000, 0, 0, 0
    from ${OF_LOT(first, last)} join installments i on i.customer_id = ${CUSTOMER}
    where i.paid_at is not null order by i.paid_at`,

  (_today, first, last) => `
    insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
    select k.customer_id, 'checkout ' || k.hash, 'checkout', k.purchased_at, k.purchased_at
    from ${OF_LOT(first, last)} join checkouts k on k.customer_id = ${CUSTOMER}
    union all
    select r.customer_id, 'receipt ' || r.reference, 'receipt', r.received_at, r.received_at
    from ${OF_LOT(first, last)} join receipts r on r.customer_id = ${CUSTOMER}`,

  (_today, first, last) => `
    insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
    select p.customer_id, p.id, 2 * i.number - e.line, e.account, i.id, e.amount
    from ${OF_LOT(first, last)}
    join ledger_postings p on p.customer_id = ${CUSTOMER} and p.kind = 'checkout'
    join installments i on i.customer_id = p.customer_id and i.checkout_hash = substr(p.reference, 10),
    (values (1, 'receivable', 5000), (0, 'merchant_payable', -5000)) as e (line, account, amount)
    union all
    select p.customer_id, p.id, e.line, e.account, r.installment_id, e.amount
    from ${OF_LOT(first, last)}
    join ledger_postings p on p.customer_id = ${CUSTOMER} and p.kind = 'receipt'
    join receipts r on r.customer_id = p.customer_id and r.reference = substr(p.reference, 9),
    (values (1, 'pix_clearing', 5000), (2, 'receivable', -5000)) as e (line, account, amount)`,
];

export type Visitor = { customerId: string; token: string; hash: string };

/** Customers spread evenly over all, with tokens signed by the service's own key, and the newer purchase of each. */
export async function pickVisitors(
  databaseUrl: string,
  installments: number,
  count: number,
): Promise<Visitor[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const step = customersFor(installments) / count;
    const { rows } = await client.query<{ customer_id: string; hash: string }>(
      `select ${CUSTOMER} as customer_id, ${HASH} as hash
       from unnest($1::int[]) as c (n), (values (2)) as p (k)`,
      [
        Array.from({ length: count }, (_, i) =>
          Math.min(Math.floor(i * step) + 1 + (i % 2), customersFor(installments)),
        ),
      ],
    );
    const { rows: keys } = await client.query(
      'select kid, private_sealed, private_key_version from signing_keys order by signs_from desc limit 1',
    );
    const { rows: partners } = await client.query(`select id from partners where name = 'Demo partner'`);
    const { kid, private_sealed: bytes, private_key_version: version } = keys[0];
    const jwk = JSON.parse(new Vault(SANDBOX_SECRETS).open({ bytes, version }, kid)) as JWK;
    const key = await importJWK(jwk, 'EdDSA');
    const sign = (customerId: string) =>
      new SignJWT({ sid: `bench ${customerId}` })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
        .setIssuer('bench')
        .setAudience(partners[0].id)
        .setSubject(customerId)
        .setIssuedAt()
        .setExpirationTime('2h')
        .sign(key);
    return Promise.all(
      rows.map(async ({ customer_id: customerId, hash }) => ({
        customerId,
        hash,
        token: await sign(customerId),
      })),
    );
  } finally {
    await client.end();
  }
}
