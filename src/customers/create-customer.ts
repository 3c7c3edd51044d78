import type { Static } from 'typebox';
import { ADULT_YEARS, ageOn, parseBirthDate } from '#core/values/age.ts';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { type Cents, parseReais } from '#core/values/money.ts';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import {
  limitFailures,
  recordAndCountAttempts,
  releasePendingAttempts,
} from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { findStoredResponse, type IdempotentRequest, runOnce } from '#platform/http/idempotency.ts';
import { newId, randomText } from '#platform/ids.ts';
import { hashPassword } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem, type ProblemMaker, validationFailed } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import type { Login, SignUpForm } from './auth-schemas.ts';
import { checkCode } from './codes/codes.ts';
import { consumeCode } from './codes/store.ts';
import type { CustomersDeps } from './customers.ts';
import type { DecideFirstLimit } from './first-limit.ts';
import { decryptIdentity, encryptIdentity, hashPhone, type Identity } from './identity.ts';
import { buildRefusedSignUpCounters, buildSignUpCounters } from './limits.ts';
import { buildLoginResponse } from './log-in.ts';
import {
  cpfRegistered,
  cpfTaken,
  invalidCredentials,
  phoneRegistered,
  phoneTaken,
  underage,
} from './problems.ts';
import type { CustomerForm } from './schemas.ts';
import { buildSearchTokens } from './search-customers.ts';
import { openSession } from './sessions/sessions.ts';
import {
  claimIdentity,
  claimReferralCode,
  type EncryptedPerson,
  findCpfOwner,
  findCustomerId,
  findLoginByPhone,
  findOperatorCustomer,
  insertCustomer,
  insertTermsAcceptance,
  lockIdentity,
  type OperatorCustomerRow,
  resetCustomer,
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
  /** Whether the policy decides on the limit once the customer has logged in with a code. */
  awaitsFirstLimit?: boolean;
  /** null: the customer logs in by code only. Hash before the transaction, so that no lock is held while hashing. */
  passwordHash: string | null;
  referrerCode?: string | null;
  partnerId?: string;
};

type CreateCustomerDeps = { vault: Vault; clock: Clock; events: Events };

/** Throws a problem if the person is too young, or if the phone or the CPF is already registered. */
export async function createCustomer(
  tx: CustomerTx,
  input: NewCustomerInput,
  deps: CreateCustomerDeps,
  conflicts: { phone: ProblemMaker<[]>; cpf: ProblemMaker<[]> } = { phone: phoneTaken, cpf: cpfTaken },
): Promise<{ id: string }> {
  assertAdult(input.birthDate, deps.clock.now());
  const customer = buildNewCustomer(input, deps);
  const claims = await claimIdentity(tx, customer);
  if (!claims.phone) throw conflicts.phone();
  if (!claims.cpf) throw conflicts.cpf();
  let { referralCode } = customer;
  // Two equal codes are extremely unlikely; on a collision another code is drawn.
  while (!(await claimReferralCode(tx, referralCode, customer.id))) referralCode = newReferralCode();
  await insertCustomer(tx, { ...customer, referralCode });
  const { id, createdAt } = customer;
  const data = {
    customer_id: id,
    registered_at: createdAt.toISOString(),
    invited_with: input.referrerCode ?? null,
  };
  const partnerField = input.partnerId === undefined ? {} : { partnerId: input.partnerId };
  await deps.events.emit(
    tx,
    { type: 'customer.registered', customerId: id, ...partnerField, data },
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
  await updateIdentity(tx, encryptPerson(deps.vault, id, { ...customer, name, email }));
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
    ...encryptPerson(vault, newId('cus', createdAt), identity),
    passwordHash: input.passwordHash,
    creditLimitCents: input.creditLimit,
    awaitsFirstLimit: input.awaitsFirstLimit ?? false,
    referralCode: newReferralCode(),
    createdAt,
  };
}

export const encryptPerson = (vault: Vault, id: string, identity: Identity): EncryptedPerson => ({
  id,
  encrypted: encryptIdentity(vault, id, identity),
  phoneHash: hashPhone(vault, identity.phone),
  cpfHash: vault.hash('cpf', identity.cpf),
  searchTokens: buildSearchTokens(vault, identity),
});

/** Registers a customer for a staff user. Without a limit, the policy decides on it once the customer has logged in with a code. */
export async function registerCustomer(
  tx: CustomerTx,
  form: Omit<Static<typeof CustomerForm>, 'password'>,
  passwordHash: string | null,
  deps: CustomersDeps,
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

/**
 * Referral codes can be read aloud in Portuguese: the alphabet has no characters that look alike (0 and O, 1, I and L), and only one
 * of each group that sounds alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis).
 */
const REFERRAL_CODE_ALPHABET = '2345789AFHJKMPRUWXY';

const newReferralCode = (): string => randomText(8, REFERRAL_CODE_ALPHABET);

type SignUpInput = Static<typeof SignUpForm>;
type SignUpResult = { login: Static<typeof Login>; replayed: boolean };

/** Registers and logs in the owner of an unregistered phone, who proves ownership with a code. */
export async function signUp(
  deps: CustomersDeps,
  form: SignUpInput,
  caller: Caller,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<SignUpResult> {
  // Looked up before the code is checked, because the first request has consumed it.
  const storedLogin = idempotentRequest && (await findStoredLogin(deps, idempotentRequest));
  if (storedLogin) return storedLogin;
  const { metrics, hashers } = deps;
  try {
    const result = await (form.password === undefined
      ? registerWithCode(deps, form, caller, idempotentRequest)
      : hashers.withHasher(caller, (hasher) =>
          registerWithCode(deps, form, caller, idempotentRequest, hasher),
        ));
    metrics.logins.inc({ method: 'signup', outcome: 'granted' });
    return result;
  } catch (error) {
    // A concurrent request with the same key may have finished in the meantime.
    const concurrentLogin =
      idempotentRequest && error instanceof Problem && (await findStoredLogin(deps, idempotentRequest));
    if (concurrentLogin) return concurrentLogin;
    metrics.logins.inc({ method: 'signup', outcome: 'refused' });
    throw error;
  }
}

/**
 * No response reveals data about a customer before the code has proved correct. A later refusal leaves the code valid, so that the
 * caller can correct a field. The transaction that creates the customer consumes the code.
 */
async function registerWithCode(
  deps: CustomersDeps,
  form: SignUpInput,
  { ipAddress, partnerId, deviceId }: Caller,
  idempotentRequest: IdempotentRequest | undefined,
  hasher?: Hasher,
): Promise<SignUpResult> {
  const { db, clock, firstLimit } = deps;
  const { phone, email, password, referral_code: referrerCode = null } = form;
  const now = clock.now();
  const name = form.name.trim();
  const birthDate = parseBirthDate(form.birth_date)!;
  const cpf = parseCpf(form.cpf)!;
  if (birthDate > saoPauloDay(now.getTime())) throw birthDateInFuture();

  const verifiedCode = await checkCode(deps, form, ipAddress);
  if (!verifiedCode) throw invalidCredentials();
  const counters = buildRefusedSignUpCounters(deps, phone, ipAddress);
  // A refused sign-up throws, which counts as a failure.
  return limitFailures(db, { counters, now, isFailed: () => false }, async () => {
    if (await findLoginByPhone(db, phone)) throw phoneRegistered();
    assertAdult(birthDate, now);
    // Hashed before the transaction, so that no lock is held while hashing.
    const passwordHash =
      hasher && password !== undefined ? await hasher.hash(password, { phone, name, email }) : null;
    const isNew = async () => !(await findCpfOwner(db, deps.vault.hash('cpf', cpf)));
    const decideLimit = await firstLimit.prepare({ cpf, consent: form.terms, isNew });
    return registerOnce(deps, idempotentRequest, (tx) => createAndLogIn(tx, passwordHash, decideLimit));
  });

  async function createAndLogIn(
    tx: CustomerTx,
    passwordHash: string | null,
    decideLimit: DecideFirstLimit,
  ): Promise<Static<typeof Login>> {
    // One time for all rows: a partner receives the events since the first login, which must include the registration.
    const createdAt = clock.now();
    const fixedDeps = { ...deps, clock: { now: () => createdAt } };
    // A failed sign-up is not counted, because the transaction rolls back.
    const counts = await recordAndCountAttempts(
      tx,
      buildSignUpCounters(deps, { ipAddress, deviceId }),
      createdAt,
    );
    const { limit, save } = await decideLimit(tx, { birthDate, referrerCode, counts, now: createdAt });
    const input = { name, phone, email, cpf, birthDate, passwordHash, referrerCode };
    const conflicts = { phone: phoneRegistered, cpf: cpfRegistered };
    const newCustomer = { ...input, creditLimit: limit, partnerId };
    const { id: customerId } = await createCustomer(tx, newCustomer, fixedDeps, conflicts);
    await save(customerId);
    if (!(await consumeCode(tx, verifiedCode!, createdAt))) throw invalidCredentials();
    await insertTermsAcceptance(tx, { customerId, version: form.terms, ipAddress, acceptedAt: createdAt });
    const session = await openSession(tx, fixedDeps, customerId, { partnerId, ipAddress, deviceId });
    const login = await buildLoginResponse({ ...deps, db: tx }, session);
    await releasePendingAttempts(tx, counters, now);
    return login;
  }
}

const birthDateInFuture = () =>
  validationFailed([
    {
      pointer: '/birth_date',
      message: { en: 'must not be in the future', pt: 'não pode estar no futuro' },
    },
  ]);

async function registerOnce(
  { db }: CustomersDeps,
  idempotentRequest: IdempotentRequest | undefined,
  register: (tx: CustomerTx) => Promise<Static<typeof Login>>,
): Promise<SignUpResult> {
  const newCustomersDb = forNewCustomers(db);
  if (idempotentRequest === undefined)
    return { login: await newCustomersDb.transaction(register), replayed: false };
  const { body, replayed } = await runOnce(newCustomersDb, idempotentRequest, async (tx) => ({
    status: 201,
    body: JSON.stringify(await register(tx)),
  }));
  return { login: JSON.parse(body), replayed };
}

async function findStoredLogin({ db }: CustomersDeps, idempotentRequest: IdempotentRequest) {
  const response = await findStoredResponse(db, idempotentRequest);
  return response && { login: JSON.parse(response.body), replayed: true };
}
