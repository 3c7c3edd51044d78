import { parseCpf } from '#core/values/cpf.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import { referralCodeSql, upsertDemoCustomer } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

/** Published credentials: sandbox only. */
export const DEMO_CUSTOMERS = [
  {
    name: 'Ana Souza',
    phone: '+5511987650001',
    registeredDaysAgo: 60,
    email: 'ana@example.com',
    cpf: parseCpf('123.456.789-09')!,
    creditLimit: cents(1_500_00),
    password: 'semana-demo-1',
  },
  {
    name: 'Bruno Lima',
    phone: '+5511987650002',
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

/** Bruno and Carla were invited by Ana. */
export async function seedCustomers(
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

async function findReferralCode(tx: Tx, customerId: string): Promise<string> {
  const row = await tx.row<{ code: string }>(sql`select ${referralCodeSql(sql`${customerId}`)} as code`);
  return row!.code;
}
