import { ADULT_YEARS, ageOn } from '#core/age.ts';
import type { Cpf } from '#core/cpf.ts';
import { type Day, saoPauloDay } from '#core/day.ts';
import type { Cents } from '#core/money.ts';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { hashPassword } from '#platform/passwords/argon2.ts';
import type { ProblemMaker } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { hashPhone, type Identity, openIdentity, sealIdentity } from './people.ts';
import { cpfTaken, phoneTaken, underage } from './problems.ts';
import { newReferralCode } from './referral-code.ts';
import { tokensOf } from './search-tokens.ts';
import {
  claimIdentity,
  claimReferralCode,
  findCustomerId,
  insertCustomer,
  lockPerson,
  resetCustomer,
  type SealedPerson,
  updatePerson,
} from './store.ts';

export type CustomerWishes = {
  name: string;
  phone: string;
  email: string;
  cpf: Cpf;
  /** Undefined where the operator does not know it. */
  birthDate?: Day | undefined;
  creditLimit: Cents;
  /** null: logs in by code only. Hashed before the transaction, so that hashing holds no lock. */
  passwordHash: string | null;
  invitedWith?: string | null;
  partnerId?: string;
};

type CustomerDeps = { vault: Vault; clock: Clock; events: Events };

/** Throws a problem when the person is too young, or when phone or CPF is already registered. */
export async function createCustomer(
  tx: CustomerTx,
  wishes: CustomerWishes,
  context: CustomerDeps,
  taken: { phone: ProblemMaker<[]>; cpf: ProblemMaker<[]> } = { phone: phoneTaken, cpf: cpfTaken },
): Promise<{ id: string }> {
  mustBeAdult(wishes.birthDate, context.clock.now());
  const customer = newCustomer(wishes, context);
  const got = await claimIdentity(tx, customer);
  if (!got.phone) throw taken.phone();
  if (!got.cpf) throw taken.cpf();
  let { referralCode } = customer;
  // The code exists already: one chance in billions. Another one is drawn.
  while (!(await claimReferralCode(tx, referralCode, customer.id))) referralCode = newReferralCode();
  await insertCustomer(tx, { ...customer, referralCode });
  const { id, createdAt } = customer;
  const data = {
    customer_id: id,
    registered_at: createdAt.toISOString(),
    invited_with: wishes.invitedWith ?? null,
  };
  const through = wishes.partnerId === undefined ? {} : { partnerId: wishes.partnerId };
  await context.events.emit(tx, { type: 'customer.registered', customerId: id, ...through, data }, createdAt);
  return { id };
}

export function mustBeAdult(born: Day | undefined, now: Date): void {
  if (born !== undefined && ageOn(saoPauloDay(now.getTime()), born) < ADULT_YEARS)
    throw underage(ADULT_YEARS);
}

/** Writes a demo customer, or resets it; its id stays. */
export async function restoreCustomer(
  tx: CustomerTx,
  { password, ...known }: Omit<CustomerWishes, 'passwordHash'> & { password: string | null },
  context: CustomerDeps,
): Promise<string> {
  const wishes = { ...known, passwordHash: password === null ? null : hashPassword(password) };
  const id = await findCustomerId(tx, known.phone);
  if (id === undefined) return (await createCustomer(tx, wishes, context)).id;
  const { name, email } = known;
  const customer = openIdentity(context.vault, (await lockPerson(tx, id))!);
  await updatePerson(tx, sealPerson(context.vault, id, { ...customer, name, email }));
  await resetCustomer(tx, id, {
    passwordHash: wishes.passwordHash,
    creditLimitCents: wishes.creditLimit,
  });
  return id;
}

function newCustomer(wishes: CustomerWishes, { vault, clock }: Pick<CustomerDeps, 'vault' | 'clock'>) {
  const createdAt = clock.now();
  const { name, phone, cpf, birthDate = null } = wishes;
  const identity = { name, phone, email: wishes.email.toLowerCase(), cpf, birth_date: birthDate };
  return {
    ...sealPerson(vault, newId('cus', createdAt), identity),
    passwordHash: wishes.passwordHash,
    creditLimitCents: wishes.creditLimit,
    referralCode: newReferralCode(),
    createdAt,
  };
}

/** The stored personal data: encrypted, with keyed hashes for lookups. */
export const sealPerson = (vault: Vault, id: string, identity: Identity): SealedPerson => ({
  id,
  sealed: sealIdentity(vault, id, identity),
  phoneHash: hashPhone(vault, identity.phone),
  cpfHash: vault.hash('cpf', identity.cpf),
  tokens: tokensOf(vault, identity),
});
