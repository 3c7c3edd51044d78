import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findSellingMerchant, writeContent } from '#catalog';
import { DAY_MS } from '#core/duration.ts';
import { cents } from '#core/money.ts';
import type { Events } from '#events';
import { insertMember } from '#members';
import { createPartner, ensureKey, findPartner, type KeyWishes } from '#partners';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';
import { ensureMember } from '#staff';
import { SANDBOX_TILL_KEY, SANDBOX_WEB_KEY } from '#web';
import { seedCustomers } from './demo-customers.ts';
import { seedOffer } from './demo-offer.ts';
import { seedPurchases } from './demo-purchases.ts';

const DEMO = join(import.meta.dirname, '../../demo');

/** Published keys: sandbox only. */
export const DEMO_PARTNER_KEY = 'sandbox-demo-key';
export const DEMO_OPERATOR_KEY = 'sandbox-operator-key';
/** Of the bakery. */
export const DEMO_MERCHANT_KEY = 'sandbox-merchant-key';
export const DEMO_MERCHANT = 'padaria-flor-do-trigo';
/** Where `npm run shop` opens the bakery's online shop. */
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

/** Writes the demo data, or overwrites it. Dates are relative to today. */
export async function seedDemo(tx: CustomerTx, clock: Clock, vault: Vault, events: Events): Promise<void> {
  await writeContent(tx, 'categories', await readLines('categories.jsonl'));
  await writeContent(tx, 'merchants', await readLines('merchants.jsonl'));
  await writeContent(tx, 'faq', await readLines('faq.jsonl'));
  await writeContent(tx, 'posts', (await readLines('posts.jsonl')).map(datePost(clock.now())));
  await seedKeys(tx, clock);
  await seedMembers(tx, clock);
  await seedCustomers(tx, { clock, vault, events });
  await seedPurchases(tx, { clock, events });
  await seedOffer(tx, { clock, events });
}

async function seedOperator(tx: Tx, clock: Clock): Promise<void> {
  const admin = { id: 'stf_00000000000000000000000001', name: 'Demo admin', role: 'admin' } as const;
  await ensureMember(tx, admin, { mode: 'sandbox', clock, secret: DEMO_OPERATOR_KEY });
}

async function seedKeys(tx: Tx, clock: Clock): Promise<void> {
  const seedKey = (
    secret: string,
    key: Pick<KeyWishes, 'partnerId' | 'label' | 'scopes'> & Partial<KeyWishes>,
  ) =>
    ensureKey(
      tx,
      { allowedOrigins: ['*'], requestsPerMinute: null, expiresAt: null, ...key },
      { mode: 'sandbox', clock, secret },
    );
  const partner = await partnerNamed(tx, 'Demo partner', clock);
  await seedKey(DEMO_PARTNER_KEY, { partnerId: partner, label: 'demo', scopes: ['public', 'wallet'] });
  const web = { partnerId: await partnerNamed(tx, 'Semana', clock), backend: true };
  await seedKey(SANDBOX_WEB_KEY, { ...web, label: 'web', scopes: ['public', 'wallet'], allowedOrigins: [] });
  await seedKey(SANDBOX_TILL_KEY, { ...web, label: 'till', scopes: ['till'] });
  await seedOperator(tx, clock);
  const { id, name } = (await findSellingMerchant(tx, DEMO_MERCHANT))!;
  await seedKey(DEMO_MERCHANT_KEY, {
    partnerId: await partnerNamed(tx, name, clock),
    label: 'demo',
    scopes: ['merchant'],
    merchantId: id,
    // The example shop, and another on this machine.
    returnOrigins: [DEMO_SHOP_URL, 'http://localhost:3003', 'http://127.0.0.1:3003'],
  });
}

async function seedMembers(tx: Tx, clock: Clock): Promise<void> {
  const { id: merchant_id } = (await findSellingMerchant(tx, DEMO_MERCHANT))!;
  for (const member of DEMO_MEMBERS)
    await insertMember(tx, { ...member, merchant_id, created_at: clock.now() });
}

async function partnerNamed(tx: Tx, name: string, clock: Clock): Promise<string> {
  return (await createPartner(tx, name, clock)) ?? (await findPartner(tx, name))!.id;
}

type DemoRecord = Record<string, unknown>;

async function readLines(file: string): Promise<DemoRecord[]> {
  const text = await readFile(join(DEMO, file), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as DemoRecord);
}

/** Turns `days_ago` into an instant, counted from the last 9:00 in São Paulo; null is a draft. */
function datePost(now: Date) {
  const noonUtc = new Date(`${now.toISOString().slice(0, 10)}T12:00:00Z`).getTime();
  const lastNine = noonUtc <= now.getTime() ? noonUtc : noonUtc - DAY_MS;
  return ({ days_ago, ...post }: DemoRecord): DemoRecord => ({
    ...post,
    published_at: days_ago === null ? null : new Date(lastNine - Number(days_ago) * DAY_MS).toISOString(),
  });
}
