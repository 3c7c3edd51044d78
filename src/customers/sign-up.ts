import type { Static } from 'typebox';
import { parseBirthDate } from '#core/values/age.ts';
import { parseCpf } from '#core/values/cpf.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import {
  limitFailures,
  recordAndCountAttempts,
  releasePendingAttempts,
} from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { findStoredResponse, type IdempotentRequest, runOnce } from '#platform/http/idempotency.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem, validationFailed } from '#platform/problem.ts';
import type { Login, SignUpForm } from './auth-schemas.ts';
import { checkCode } from './codes/codes.ts';
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
