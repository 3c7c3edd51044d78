import type { Static } from 'typebox';
import { parseBirthDate } from '#core/age.ts';
import { parseCpf } from '#core/cpf.ts';
import { parseReais } from '#core/money.ts';
import type { Events } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { createCustomer } from './create-customer.ts';
import type { Customers } from './customers.ts';
import type { CustomerForm } from './schemas.ts';
import { findListedCustomer, type ListedCustomer } from './store.ts';

export type RegistrationDeps = Customers & { events: Events };

export async function registerCustomer(
  tx: CustomerTx,
  form: Omit<Static<typeof CustomerForm>, 'password'>,
  passwordHash: string | null,
  deps: RegistrationDeps,
): Promise<ListedCustomer> {
  const { name, phone, email, cpf, birth_date, credit_limit = 0, referral_code = null } = form;
  const created = await createCustomer(
    tx,
    {
      name: name.trim(),
      phone,
      email,
      passwordHash,
      invitedWith: referral_code,
      cpf: parseCpf(cpf)!,
      birthDate: parseBirthDate(birth_date) ?? undefined,
      creditLimit: parseReais(credit_limit)!,
    },
    deps,
  );
  return (await findListedCustomer(tx, created.id, deps.creditUsed))!;
}
