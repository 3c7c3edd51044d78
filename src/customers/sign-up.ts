import type { Static } from 'typebox';
import { parseBirthDate } from '#core/values/age.ts';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import {
  limitFailures,
  recordAndCountAttempts,
  releasePendingAttempts,
} from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { findStoredResponse, type IdempotentRequest, runOnce } from '#platform/http/idempotency.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { invalidField, Problem } from '#platform/problem.ts';
import type { Login, SignUpForm } from './auth-schemas.ts';
import { checkCode, type VerifiedCode } from './codes/codes.ts';
import { consumeCode } from './codes/store.ts';
import { assertAdult, createCustomer } from './create-customer.ts';
import type { CustomersDeps } from './customers.ts';
import type { DecideFirstLimit } from './first-limit.ts';
import { buildRefusedSignUpCounters, buildSignUpCounters } from './limits.ts';
import { buildLoginResponse } from './log-in.ts';
import { cpfRegistered, invalidCredentials, phoneRegistered } from './problems.ts';
import { openSession } from './sessions/sessions.ts';
import { findCpfOwner, findLoginByPhone, insertTermsAcceptance } from './store.ts';

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
  const storedResult = await findStoredResult(deps, idempotentRequest);
  if (storedResult) return storedResult;
  const { metrics, hashers } = deps;
  const register = (hasher?: Hasher) => registerWithCode(deps, form, caller, { idempotentRequest, hasher });
  try {
    const result =
      form.password === undefined ? await register() : await hashers.withHasher(caller, register);
    metrics.logins.inc({ method: 'signup', outcome: 'granted' });
    return result;
  } catch (error) {
    // A concurrent request with the same key may have finished in the meantime.
    const concurrentResult =
      error instanceof Problem ? await findStoredResult(deps, idempotentRequest) : undefined;
    if (concurrentResult) return concurrentResult;
    metrics.logins.inc({ method: 'signup', outcome: 'refused' });
    throw error;
  }
}

/**
 * No response reveals data about a customer before the code has proved correct. A later refusal leaves the code valid, so that the
 * caller can correct a field.
 */
async function registerWithCode(
  deps: CustomersDeps,
  form: SignUpInput,
  caller: Caller,
  options: { idempotentRequest: IdempotentRequest | undefined; hasher: Hasher | undefined },
): Promise<SignUpResult> {
  const { db, clock, firstLimitDecider } = deps;
  const { idempotentRequest, hasher } = options;
  const { phone, email, password } = form;
  const startedAt = clock.now();
  const name = form.name.trim();
  const birthDate = parseBirthDate(form.birth_date)!;
  const cpf = parseCpf(form.cpf)!;
  if (birthDate > saoPauloDay(startedAt.getTime())) throw invalidField('/birth_date', IN_FUTURE);

  const verifiedCode = await checkCode(deps, form, caller.ipAddress);
  if (!verifiedCode) throw invalidCredentials();
  const refusalCounters = buildRefusedSignUpCounters(deps, phone, caller.ipAddress);
  // A refused sign-up throws a problem, which counts as a failure, so no result is a failure.
  const limitOptions = { counters: refusalCounters, now: startedAt, isFailed: () => false };
  return limitFailures(db, limitOptions, async () => {
    if (await findLoginByPhone(db, phone)) throw phoneRegistered();
    assertAdult(birthDate, startedAt);
    // Hashed before the transaction, so that no lock is held while hashing.
    const passwordHash =
      hasher && password !== undefined ? await hasher.hash(password, { phone, name, email }) : null;
    const isNew = async () => !(await findCpfOwner(db, deps.vault.hash('cpf', cpf)));
    const decideLimit = await firstLimitDecider.prepare({ cpf, consent: form.terms, isNew });
    const person = { name, phone, email, cpf, birthDate, passwordHash };
    return registerOnce(deps, idempotentRequest, async (tx) => {
      const login = await createAndLogIn(tx, deps, { form, caller, person, verifiedCode, decideLimit });
      await releasePendingAttempts(tx, refusalCounters, startedAt);
      return login;
    });
  });
}

type VerifiedSignUp = {
  form: SignUpInput;
  caller: Caller;
  /** The parsed fields of the form. */
  person: {
    name: string;
    phone: string;
    email: string;
    cpf: Cpf;
    birthDate: Day;
    passwordHash: string | null;
  };
  verifiedCode: VerifiedCode;
  decideLimit: DecideFirstLimit;
};

/** Creates the customer and opens a session. Consumes the code. */
async function createAndLogIn(
  tx: CustomerTx,
  deps: CustomersDeps,
  { form, caller, person, verifiedCode, decideLimit }: VerifiedSignUp,
): Promise<Static<typeof Login>> {
  const { terms, referral_code: referrerCode = null } = form;
  const { partnerId, ipAddress } = caller;
  // One time for all rows: a partner receives the events since the first login, which must include the registration.
  const now = deps.clock.now();
  const fixedTimeDeps = { ...deps, clock: { now: () => now } };
  // A failed sign-up is not counted, because the transaction rolls back.
  const signUps = await recordAndCountAttempts(tx, buildSignUpCounters(deps, caller), now);
  const { birthDate } = person;
  const { limit, saveDecision } = await decideLimit(tx, { birthDate, referrerCode, signUps, now });
  const newCustomer = { ...person, referrerCode, creditLimit: limit, partnerId };
  const conflictProblems = { phone: phoneRegistered, cpf: cpfRegistered };
  const { id: customerId } = await createCustomer(tx, newCustomer, fixedTimeDeps, conflictProblems);
  await saveDecision(customerId);
  if (!(await consumeCode(tx, verifiedCode, now))) throw invalidCredentials();
  await insertTermsAcceptance(tx, { customerId, version: terms, ipAddress, acceptedAt: now });
  const session = await openSession(tx, fixedTimeDeps, customerId, caller);
  return buildLoginResponse({ ...deps, db: tx }, session);
}

const IN_FUTURE = { en: 'must not be in the future', pt: 'não pode estar no futuro' };

/** Runs the transaction, or returns the stored login of an earlier request with the same Idempotency-Key. */
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

async function findStoredResult(
  { db }: CustomersDeps,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<SignUpResult | undefined> {
  const response = idempotentRequest && (await findStoredResponse(db, idempotentRequest));
  return response && { login: JSON.parse(response.body), replayed: true };
}
