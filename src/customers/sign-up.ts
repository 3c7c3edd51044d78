import type { Static } from 'typebox';
import { parseBirthDate } from '#core/age.ts';
import { parseCpf } from '#core/cpf.ts';
import { saoPauloDay } from '#core/day.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { countFailures, releaseAttempts, takeAndCount } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { findKept, type IdempotentRequest, once } from '#platform/http/idempotency.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem, validationFailed } from '#platform/problem.ts';
import { checkCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import { createCustomer, mustBeAdult } from './create-customer.ts';
import type { DecideFirstLimit } from './first-limit.ts';
import { refusedSignUps, signUps } from './limits.ts';
import { cpfRegistered, invalidCredentials, phoneRegistered } from './problems.ts';
import type { RegistrationDeps } from './register-customer.ts';
import type { Login, SignUpForm } from './schemas.ts';
import { answerLogin, openSession } from './sessions/open-session.ts';
import { findCpfOwner, findLogin, insertTermsAcceptance } from './store.ts';

type Form = Static<typeof SignUpForm>;
type SignedUp = { login: Static<typeof Login>; replayed: boolean };

/** Registers and logs in the owner of an unregistered phone, by code. */
export async function signUp(
  deps: RegistrationDeps,
  form: Form,
  caller: Caller & { device: string | null },
  attempt: IdempotentRequest | undefined,
): Promise<SignedUp> {
  // Looked up before the code, which the first request used up.
  const kept = attempt && (await findKeptLogin(deps, attempt));
  if (kept) return kept;
  const { metrics, hashers } = deps;
  try {
    const signedUp = await (form.password === undefined
      ? register(deps, form, caller, attempt)
      : hashers.inTurn(caller, (hasher) => register(deps, form, caller, attempt, hasher)));
    metrics.logins.inc({ method: 'signup', outcome: 'granted' });
    return signedUp;
  } catch (error) {
    // The same request was in progress and has finished meanwhile.
    const done = attempt && error instanceof Problem && (await findKeptLogin(deps, attempt));
    if (done) return done;
    metrics.logins.inc({ method: 'signup', outcome: 'refused' });
    throw error;
  }
}

/**
 * No answer reveals anything about anybody before the code has proved right. A later refusal leaves the code valid, so that a
 * field can be corrected; it is used up in the transaction that creates the customer.
 */
async function register(
  deps: RegistrationDeps,
  form: Form,
  { address, partnerId, device }: Caller & { device: string | null },
  attempt: IdempotentRequest | undefined,
  hasher?: Hasher,
): Promise<SignedUp> {
  const { db, clock, firstLimit } = deps;
  const { phone, email, password, referral_code: invitedWith = null } = form;
  const now = clock.now();
  const name = form.name.trim();
  const birthDate = parseBirthDate(form.birth_date)!;
  const cpf = parseCpf(form.cpf)!;
  if (birthDate > saoPauloDay(now.getTime())) throw bornInTheFuture();

  const right = await checkCode(deps, form, address);
  if (!right) throw invalidCredentials();
  const counted = refusedSignUps(deps, phone, address);
  // Refused sign-ups throw, and so count as failures.
  return countFailures(db, { counted, now, isFailed: () => false }, async () => {
    if (await findLogin(db, phone)) throw phoneRegistered();
    mustBeAdult(birthDate, now);
    // Hashed before the transaction, so that hashing holds no lock.
    const passwordHash =
      hasher && password !== undefined ? await hasher.hash(password, { phone, name, email }) : null;
    const isNew = async () => !(await findCpfOwner(db, deps.vault.hash('cpf', cpf)));
    const decideLimit = await firstLimit.prepare({ cpf, consent: form.terms, isNew });
    return doOnce(deps, attempt, (tx) => create(tx, passwordHash, decideLimit));
  });

  async function create(
    tx: CustomerTx,
    passwordHash: string | null,
    decideLimit: DecideFirstLimit,
  ): Promise<Static<typeof Login>> {
    // One instant for everything: a partner gets events from the login on, and so also the registration.
    const at = clock.now();
    const then = { ...deps, clock: { now: () => at } };
    // A sign-up that fails is not counted: it rolls back.
    const counts = await takeAndCount(tx, signUps(deps, { address, device }), at);
    const { limit, keep } = await decideLimit(tx, { birthDate, invitedWith, counts, now: at });
    const wishes = { name, phone, email, cpf, birthDate, passwordHash, invitedWith };
    const { id: customerId } = await createCustomer(tx, { ...wishes, creditLimit: limit, partnerId }, then, {
      phone: phoneRegistered,
      cpf: cpfRegistered,
    });
    await keep(customerId);
    if (!(await markUsed(tx, right!, at))) throw invalidCredentials();
    await insertTermsAcceptance(tx, { customerId, version: form.terms, address, at });
    const session = await openSession(tx, then, { holderId: customerId, partnerId, address });
    const login = await answerLogin({ ...deps, db: tx }, session);
    await releaseAttempts(tx, counted, now);
    return login;
  }
}

const bornInTheFuture = () =>
  validationFailed([
    {
      pointer: '/birth_date',
      message: { en: 'must not be in the future', pt: 'não pode estar no futuro' },
    },
  ]);

async function doOnce(
  { db }: RegistrationDeps,
  attempt: IdempotentRequest | undefined,
  work: (tx: CustomerTx) => Promise<Static<typeof Login>>,
): Promise<SignedUp> {
  const registering = forNewCustomers(db);
  if (attempt === undefined) return { login: await registering.transaction(work), replayed: false };
  const { body, replayed } = await once(registering, attempt, async (tx) => ({
    status: 201,
    body: JSON.stringify(await work(tx)),
  }));
  return { login: JSON.parse(body), replayed };
}

async function findKeptLogin(
  { db }: RegistrationDeps,
  attempt: IdempotentRequest,
): Promise<SignedUp | undefined> {
  const kept = await findKept(db, attempt);
  return kept && { login: JSON.parse(kept.body), replayed: true };
}
