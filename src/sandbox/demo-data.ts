import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SANDBOX_TILL_KEY, SANDBOX_WEB_KEY } from '#apps';
import { findMerchantWithPlan, writeContent } from '#catalog';
import { parseCpf } from '#core/values/cpf.ts';
import { addDays, type Day, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import {
  applyReceipt,
  approvePurchase,
  hasPurchases,
  OFFER_TTL_MS,
  openCheckout,
  publishOverdue,
  recordOffer,
  toDefaultTerms,
  toPayoutTerms,
} from '#credit';
import { findCustomerId, selectReferralCode, upsertDemoCustomer } from '#customers';
import type { Events } from '#events';
import { insertMember } from '#members';
import { createPartner, ensureKey, findPartner, type NewKeyInput, replaceReturnOrigins } from '#partners';
import { createPayouts, markPayoutPaid } from '#payouts';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Db, sql, type Tx } from '#platform/database/db.ts';
import { withPublishedIds } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import { selectCashbackDebt } from '#rewards';
import { ensureStaffUser } from '#staff';

const DEMO_FOLDER = join(import.meta.dirname, '../../demo');

/** Published keys: sandbox only. */
export const DEMO_PARTNER_KEY = 'sandbox-demo-key';
export const DEMO_OPERATOR_KEY = 'sandbox-operator-key';
export const DEMO_MERCHANT_KEY = 'sandbox-merchant-key';
export const DEMO_MERCHANT_SLUG = 'padaria-flor-do-trigo';
/** The URL of the bakery's example shop, which `npm run shop` starts. */
export const DEMO_SHOP_URL = 'http://localhost:3005';
export const DEMO_MEMBERS = [
  {
    id: 'mbr_00000000000000000000000001',
    name: 'Lúcia Prado',
    phone: '+5511987650010',
    role: 'owner',
    max_amount_cents: null,
    may_return: true,
  },
  {
    id: 'mbr_00000000000000000000000002',
    name: 'Téo Nogueira',
    phone: '+5511987650011',
    role: 'clerk',
    max_amount_cents: cents(300_00),
    may_return: false,
  },
] as const;

type SeedDeps = { clock: Clock; vault: Vault; events: Events };

const PUBLISHED_IDS = { seed: 'semana demo', prefixes: ['cus', 'ins', 'off', 'ptn', 'key', 'pay'] };

/**
 * Writes the demo data into an empty database. Ids and hashes that are written on the same day are the same on every machine, so that
 * guides and tests can name them.
 */
export function seedEmptyDatabase(tx: CustomerTx, deps: SeedDeps): Promise<void> {
  const today = new Date(startOfDay(saoPauloDay(deps.clock.now().getTime())));
  return withPublishedIds(PUBLISHED_IDS, () => seedDemo(tx, deps, { now: () => today }));
}

/** Writes or overwrites the demo data. Its dates are relative to today; ids contain the time of `clock`. */
export async function seedDemo(tx: CustomerTx, deps: SeedDeps, clock: Clock = deps.clock): Promise<void> {
  const { vault, events } = deps;
  await writeContent(tx, 'categories', await readRecords('categories.jsonl'));
  await writeContent(tx, 'merchants', await readRecords('merchants.jsonl'));
  await writeContent(tx, 'faq', await readRecords('faq.jsonl'));
  await writeContent(
    tx,
    'posts',
    (await readRecords('posts.jsonl')).map((post) => withPublishedAt(post, deps.clock.now())),
  );
  await seedKeys(tx, clock);
  await seedMembers(tx, clock);
  await seedCustomers(tx, { clock, vault, events });
  await seedPurchases(tx, { clock, events });
  await seedOffer(tx, { clock, events });
}

async function seedKeys(tx: Tx, clock: Clock): Promise<void> {
  const seedKey = (secret: string, key: NewKeyInput) =>
    ensureKey(tx, { allowed_origins: ['*'], ...key }, { mode: 'sandbox', clock, secret });
  const partnerId = await ensurePartner(tx, 'Demo partner', clock);
  await seedKey(DEMO_PARTNER_KEY, { partner_id: partnerId, label: 'demo', scopes: ['public', 'wallet'] });
  const semanaKeyFields = { partner_id: await ensurePartner(tx, 'Semana', clock), backend: true };
  await seedKey(SANDBOX_WEB_KEY, {
    ...semanaKeyFields,
    label: 'web',
    scopes: ['public', 'wallet'],
    allowed_origins: [],
  });
  await seedKey(SANDBOX_TILL_KEY, { ...semanaKeyFields, label: 'till', scopes: ['till'] });
  const admin = { id: 'stf_00000000000000000000000001', name: 'Demo admin', role: 'admin' } as const;
  await ensureStaffUser(tx, admin, { mode: 'sandbox', clock, secret: DEMO_OPERATOR_KEY });
  const { id, name } = (await findMerchantWithPlan(tx, DEMO_MERCHANT_SLUG))!;
  await seedKey(DEMO_MERCHANT_KEY, {
    partner_id: await ensurePartner(tx, name, clock),
    label: 'demo',
    scopes: ['merchant'],
    merchant_id: id,
    return_origins: [DEMO_SHOP_URL, ...listSiteOrigins('http://localhost:3003')],
  });
}

/** Allows the demo merchant key to return customers to the site at its current URL, and no longer at the URL of an earlier start. */
export const allowReturnToSite = (db: Db, siteUrl: string): Promise<void> =>
  db.transaction((tx) =>
    replaceReturnOrigins(tx, DEMO_MERCHANT_KEY, (origins) => {
      // An earlier start allowed both local names of its port; an origin that was added by hand has only one of them.
      const isSiteOrigin = (origin: string) => {
        const aliases = listSiteOrigins(origin);
        return aliases.length > 1 && aliases.every((alias) => origins.includes(alias));
      };
      const otherOrigins = origins.filter((origin) => origin === DEMO_SHOP_URL || !isSiteOrigin(origin));
      return [...new Set([...otherOrigins, ...listSiteOrigins(siteUrl)])];
    }),
  );

/** To a browser, localhost and 127.0.0.1 are different origins. */
function listSiteOrigins(siteUrl: string): string[] {
  const { protocol, hostname, port, origin } = new URL(siteUrl);
  if (!['localhost', '127.0.0.1'].includes(hostname)) return [origin];
  return ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}:${port}`);
}

async function seedMembers(tx: Tx, clock: Clock): Promise<void> {
  const { id: merchant_id } = (await findMerchantWithPlan(tx, DEMO_MERCHANT_SLUG))!;
  for (const member of DEMO_MEMBERS)
    await insertMember(tx, { ...member, merchant_id, created_at: clock.now() });
}

const ensurePartner = async (tx: Tx, name: string, clock: Clock): Promise<string> =>
  (await createPartner(tx, name, clock)) ?? (await findPartner(tx, name))!.id;

type DemoRecord = Record<string, unknown>;

async function readRecords(file: string): Promise<DemoRecord[]> {
  const text = await readFile(join(DEMO_FOLDER, file), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as DemoRecord);
}

/** Replaces `days_ago` by an instant, counted from the last 9:00 in São Paulo. Null stays null: the post is a draft. */
function withPublishedAt({ days_ago, ...post }: DemoRecord, now: Date): DemoRecord {
  // 9:00 in São Paulo is 12:00 in UTC.
  const noonUtc = new Date(`${now.toISOString().slice(0, 10)}T12:00:00Z`).getTime();
  const lastNineOClock = noonUtc <= now.getTime() ? noonUtc : noonUtc - DAY_MS;
  const published_at =
    days_ago === null ? null : new Date(lastNineOClock - Number(days_ago) * DAY_MS).toISOString();
  return { ...post, published_at };
}

const ANA_PHONE = '+5511987650001';
const BRUNO_PHONE = '+5511987650002';

/** Published credentials: sandbox only. */
export const DEMO_CUSTOMERS = [
  {
    name: 'Ana Souza',
    phone: ANA_PHONE,
    registeredDaysAgo: 60,
    email: 'ana@example.com',
    cpf: parseCpf('123.456.789-09')!,
    creditLimit: cents(1_500_00),
    password: 'semana-demo-1',
  },
  {
    name: 'Bruno Lima',
    phone: BRUNO_PHONE,
    registeredDaysAgo: 45,
    email: 'bruno@example.com',
    cpf: parseCpf('529.982.247-25')!,
    creditLimit: cents(800_00),
    password: null,
  },
  {
    name: 'Carla Nunes',
    phone: '+5511987650003',
    registeredDaysAgo: 20,
    email: 'carla@example.com',
    cpf: parseCpf('111.444.777-35')!,
    creditLimit: cents(1_000_00),
    password: 'semana-demo-3',
  },
];

async function seedCustomers(
  tx: CustomerTx,
  { clock, ...context }: { clock: Clock; vault: Vault; events: Events },
): Promise<void> {
  let referrerCode: string | null = null;
  for (const { registeredDaysAgo, ...customer } of DEMO_CUSTOMERS) {
    const registeredAt = new Date(clock.now().getTime() - registeredDaysAgo * DAY_MS);
    const pastContext = { ...context, clock: { now: () => registeredAt } };
    const id = await upsertDemoCustomer(tx, { ...customer, referrerCode }, pastContext);
    referrerCode ??= await findReferralCode(tx, id);
  }
}

const findReferralCode = async (tx: Tx, customerId: string) =>
  (await tx.value<string>(sql`select ${selectReferralCode(sql`${customerId}`)} as code`))!;

/** `amount` is in reais. `paidCount` is the number of installments that were paid, each on its due day. */
const PURCHASES = [
  {
    daysAgo: 36,
    paidCount: 4,
    customer: ANA_PHONE,
    merchant: DEMO_MERCHANT_SLUG,
    amount: 120,
    installments: 4,
    description: 'Encomenda de aniversário',
  },
  // The third installment fell due six days ago, so it is overdue regardless of weekends and holidays.
  {
    daysAgo: 27,
    paidCount: 2,
    customer: ANA_PHONE,
    merchant: 'otica-vista-linda',
    amount: 300,
    installments: 6,
    description: 'Óculos de grau',
  },
  // The first installment falls due tomorrow, and is overdue a week from now.
  {
    daysAgo: 6,
    paidCount: 0,
    customer: ANA_PHONE,
    merchant: 'livraria-pagina-virada',
    amount: 250,
    installments: 5,
    description: 'Material escolar',
  },
  {
    daysAgo: 9,
    paidCount: 1,
    customer: BRUNO_PHONE,
    merchant: 'eletro-pantanal',
    amount: 400,
    installments: 8,
    description: 'Forno elétrico',
    terms: { weekly_rate_percent: 1.5 },
  },
];

/** All demo purchases are newer. */
const HISTORY_DAYS = 60;

/** On that day the bakery was paid for its earlier sales. Payouts of the other merchants are pending. */
const PAYOUT_DAYS_AGO = 30;
const DEMO_BANK_REFERENCE = 'TED 482913';

/**
 * Writes purchases and payments in the past with the same functions as real ones, so that the ledger is right. Does nothing if
 * there are purchases already.
 */
async function seedPurchases(tx: CustomerTx, { clock, events }: Omit<SeedDeps, 'vault'>): Promise<void> {
  if (await hasDemoPurchases(tx)) return;
  const today = saoPauloDay(clock.now().getTime());
  const duePayments: DuePayment[] = [];
  for (let daysAgo = HISTORY_DAYS; daysAgo > 0; daysAgo--) {
    const day = addDays(today, -daysAgo);
    const context = { events, now: new Date(startOfDay(day) + 12 * HOUR_MS) };
    for (const { paidCount, daysAgo: _, ...purchaseInput } of PURCHASES.filter(
      (purchase) => purchase.daysAgo === daysAgo,
    )) {
      const approvalOptions = { now: context.now, maxPurchaseAgeMs: 0, selectCashbackDebt };
      const purchase = await approvePurchase(tx, purchaseInput, approvalOptions);
      const { customer_id: customerId, installments } = await openCheckout(tx, purchase, {
        ...context,
        writtenAt: clock.now(),
      });
      for (const { id, debtFacts } of installments.slice(0, paidCount)) {
        const { amount: amountCents, dueOn } = debtFacts;
        duePayments.push({ customerId, installmentId: id!, amountCents, dueOn });
      }
    }
    if (daysAgo === PAYOUT_DAYS_AGO)
      for (const { id } of await createPayouts(tx, day, context.now))
        await markPayoutPaid(tx, id, DEMO_BANK_REFERENCE, context);
    for (const { dueOn, ...payment } of duePayments.filter((due) => due.dueOn === day)) {
      const reference = `demo ${payment.installmentId}`;
      const receipt = {
        ...payment,
        reference,
        source: 'manual',
        receivedAt: context.now,
        purpose: 'pay',
      } as const;
      await applyReceipt(tx, receipt, context);
    }
  }
  for (const phone of [ANA_PHONE, BRUNO_PHONE])
    await publishOverdue(tx, (await findCustomerId(tx, phone))!, { events, now: clock.now() });
}

type DuePayment = { customerId: string; installmentId: string; amountCents: number; dueOn: Day };

async function hasDemoPurchases(tx: Tx): Promise<boolean> {
  for (const phone of [ANA_PHONE, BRUNO_PHONE]) {
    const customerId = await findCustomerId(tx, phone);
    if (customerId !== undefined && (await hasPurchases(tx, customerId))) return true;
  }
  return false;
}

/** Writes a new offer of the bakery to Bruno, unless an earlier offer is pending or accepted. */
async function seedOffer(tx: Tx, { clock, events }: { clock: Clock; events: Events }): Promise<void> {
  const merchant = (await findMerchantWithPlan(tx, DEMO_MERCHANT_SLUG))!;
  await recordOffer(
    tx,
    {
      merchant,
      recipient: { phone: BRUNO_PHONE },
      ttlMs: OFFER_TTL_MS,
      reference: 'DEMO-1',
      description: 'Bolo de casamento',
      items: [],
      returnUrl: null,
      amount: cents(180_00),
      installments: 4,
      terms: toDefaultTerms(merchant),
      payout: toPayoutTerms(merchant),
    },
    { events, now: clock.now() },
  );
}
