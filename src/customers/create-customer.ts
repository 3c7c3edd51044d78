import type { Static } from 'typebox';
import { ADULT_YEARS, ageOn, parseBirthDate } from '#core/values/age.ts';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { type Cents, parseReais } from '#core/values/money.ts';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId, randomText } from '#platform/ids.ts';
import { hashPassword } from '#platform/passwords/argon2.ts';
import type { ProblemFactory } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity, encryptIdentity, hashPhone, type Identity } from './identity.ts';
import { cpfTaken, phoneTaken, underage } from './problems.ts';
import type { CustomerForm } from './schemas.ts';
import { buildSearchTokens } from './search-customers.ts';
import {
  claimIdentity,
  claimReferralCode,
  findCustomerForStaff,
  findCustomerId,
  insertCustomer,
  lockIdentity,
  resetCustomer,
  type StaffCustomerRow,
  type StoredIdentity,
  updateIdentity,
} from './store.ts';

type NewCustomerInput = {
  name: string;
  phone: string;
  email: string;
  cpf: Cpf;
  /** Undefined if the operator registers the customer without it. */
  birthDate?: Day | undefined;
  creditLimit: Cents;
  /** Whether the credit policy decides on the limit once the customer has logged in with a code. */
  awaitsFirstLimit?: boolean;
  /** null: the customer logs in by code only. Hash before the transaction, so that no lock is held while hashing. */
  passwordHash: string | null;
  referrerCode?: string | null;
  partnerId?: string;
};

type CreateCustomerDeps = { vault: Vault; clock: Clock; events: Events };

/**
 * Stores a new customer and emits `customer.registered`. Throws a problem if the person is too young, or a problem of
 * `conflictProblems` if the phone or the CPF is already registered.
 */
export async function createCustomer(
  tx: CustomerTx,
  input: NewCustomerInput,
  deps: CreateCustomerDeps,
  conflictProblems: { phone: ProblemFactory<[]>; cpf: ProblemFactory<[]> } = {
    phone: phoneTaken,
    cpf: cpfTaken,
  },
): Promise<{ id: string }> {
  assertAdult(input.birthDate, deps.clock.now());
  const customer = buildNewCustomer(input, deps);
  const claims = await claimIdentity(tx, customer);
  if (!claims.phone) throw conflictProblems.phone();
  if (!claims.cpf) throw conflictProblems.cpf();
  let { referralCode } = customer;
  // Two equal codes are extremely unlikely; on a collision another code is drawn.
  while (!(await claimReferralCode(tx, referralCode, customer.id))) referralCode = newReferralCode();
  await insertCustomer(tx, { ...customer, referralCode });
  const { id, createdAt } = customer;
  await deps.events.emit(
    tx,
    {
      type: 'customer.registered',
      customerId: id,
      ...(input.partnerId !== undefined && { partnerId: input.partnerId }),
      data: {
        customer_id: id,
        registered_at: createdAt.toISOString(),
        invited_with: input.referrerCode ?? null,
      },
    },
    createdAt,
  );
  return { id };
}

export function assertAdult(birthDate: Day | undefined, now: Date): void {
  if (birthDate !== undefined && ageOn(saoPauloDay(now.getTime()), birthDate) < ADULT_YEARS)
    throw underage(ADULT_YEARS);
}

/** Creates a demo customer, or resets an existing one, which keeps its id. */
export async function upsertDemoCustomer(
  tx: CustomerTx,
  { password, ...fields }: Omit<NewCustomerInput, 'passwordHash'> & { password: string | null },
  deps: CreateCustomerDeps,
): Promise<string> {
  const input = { ...fields, passwordHash: password === null ? null : hashPassword(password) };
  const id = await findCustomerId(tx, fields.phone);
  if (id === undefined) return (await createCustomer(tx, input, deps)).id;
  const { name, email } = fields;
  const customer = decryptIdentity(deps.vault, (await lockIdentity(tx, id))!);
  await updateIdentity(tx, buildStoredIdentity(deps.vault, id, { ...customer, name, email }));
  await resetCustomer(tx, id, { passwordHash: input.passwordHash, creditLimitCents: input.creditLimit });
  return id;
}

function buildNewCustomer(
  input: NewCustomerInput,
  { vault, clock }: Pick<CreateCustomerDeps, 'vault' | 'clock'>,
) {
  const createdAt = clock.now();
  const { name, phone, cpf, birthDate = null } = input;
  const identity = { name, phone, email: input.email.toLowerCase(), cpf, birth_date: birthDate };
  return {
    ...buildStoredIdentity(vault, newId('cus', createdAt), identity),
    passwordHash: input.passwordHash,
    creditLimitCents: input.creditLimit,
    awaitsFirstLimit: input.awaitsFirstLimit ?? false,
    referralCode: newReferralCode(),
    createdAt,
  };
}

export const buildStoredIdentity = (vault: Vault, id: string, identity: Identity): StoredIdentity => ({
  id,
  encrypted: encryptIdentity(vault, id, identity),
  phoneHash: hashPhone(vault, identity.phone),
  cpfHash: vault.hash('cpf', identity.cpf),
  searchTokens: buildSearchTokens(vault, identity),
});

/** Registers a customer at the request of a staff user. If the form has no limit, the credit policy decides on it after the first login by code. */
export async function registerCustomerByStaff(
  tx: CustomerTx,
  form: Omit<Static<typeof CustomerForm>, 'password'>,
  passwordHash: string | null,
  deps: CustomersDeps,
): Promise<StaffCustomerRow> {
  const { name, phone, email, cpf, birth_date, credit_limit, referral_code = null } = form;
  const newCustomer = await createCustomer(
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
  return (await findCustomerForStaff(tx, newCustomer.id, deps.selectCreditUsed))!;
}

/**
 * Referral codes can be read aloud in Portuguese: the alphabet has no characters that look alike (0 and O, 1, I and L), and only one
 * of each group that sounds alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis).
 */
const REFERRAL_CODE_ALPHABET = '2345789AFHJKMPRUWXY';

const newReferralCode = (): string => randomText(8, REFERRAL_CODE_ALPHABET);
