import type { Static } from 'typebox';
import { parseBirthDate } from '#core/values/age.ts';
import { parseCpf } from '#core/values/cpf.ts';
import { parseReais } from '#core/values/money.ts';
import type { Events } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { createCustomer } from './create-customer.ts';
import type { CustomersDeps } from './customers.ts';
import type { CustomerForm } from './schemas.ts';
import { findOperatorCustomer, type OperatorCustomerRow } from './store.ts';

export type RegistrationDeps = CustomersDeps & { events: Events };

/** Registers a customer for a staff user. Without a limit, the policy decides on it once the customer has logged in with a code. */
export async function registerCustomer(
  tx: CustomerTx,
  form: Omit<Static<typeof CustomerForm>, 'password'>,
  passwordHash: string | null,
  deps: RegistrationDeps,
): Promise<OperatorCustomerRow> {
  const { name, phone, email, cpf, birth_date, credit_limit, referral_code = null } = form;
  const created = await createCustomer(
    tx,
    {
      name: name.trim(),
      phone,
      email,
      passwordHash,
      referrerCode: referral_code,
      cpf: parseCpf(cpf)!,
      birthDate: parseBirthDate(birth_date) ?? undefined,
      creditLimit: parseReais(credit_limit ?? 0)!,
      awaitsFirstLimit: credit_limit === undefined,
    },
    deps,
  );
  return (await findOperatorCustomer(tx, created.id, deps.creditUsed))!;
}
