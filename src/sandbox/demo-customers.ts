import { parseCpf } from '#core/cpf.ts';
import { cents } from '#core/money.ts';
import { restoreCustomer } from '#customers';
import type { Clock } from '#platform/clock.ts';
import type { Tx } from '#platform/db.ts';
import type { Vault } from '#platform/vault.ts';

/** Known to everybody: sandbox only. */
export const DEMO_CUSTOMERS = [
  {
    name: 'Ana Souza',
    phone: '+5511987650001',
    email: 'ana@example.com',
    cpf: parseCpf('123.456.789-09')!,
    creditLimit: cents(1_500_00),
    password: 'semana-demo-1',
  },
  {
    name: 'Bruno Lima',
    phone: '+5511987650002',
    email: 'bruno@example.com',
    cpf: parseCpf('529.982.247-25')!,
    creditLimit: cents(800_00),
    password: null,
  },
  {
    name: 'Carla Nunes',
    phone: '+5511987650003',
    email: 'carla@example.com',
    cpf: parseCpf('111.444.777-35')!,
    creditLimit: cents(1_000_00),
    password: 'semana-demo-3',
  },
];

export async function seedCustomers(tx: Tx, given: { clock: Clock; vault: Vault }): Promise<void> {
  for (const customer of DEMO_CUSTOMERS) await restoreCustomer(tx, customer, given);
}
