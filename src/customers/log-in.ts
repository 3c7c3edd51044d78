import type { Static } from 'typebox';
import { toReais } from '#core/values/money.ts';
import { queueCustomerMessage } from '#messages';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import {
  enforceLimits,
  limitFailures,
  purgeAttempts,
  recordAndCountAttempts,
  releasePendingAttempts,
} from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { createDummyHash } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem } from '#platform/problem.ts';
import type { CodeLogin, Login, NewPassword, PasswordLogin, PhoneCheck } from './auth-schemas.ts';
import { canReceiveCodes, checkCode, type VerifiedCode } from './codes/codes.ts';
import { consumeCode } from './codes/store.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity } from './identity.ts';
import {
  buildPhoneCheckCounters,
  buildSignUpCounters,
  buildWrongPasswordCounters,
  findOrigin,
  HIGHEST_SIGN_UP_LIMIT,
} from './limits.ts';
import { invalidCredentials, notRegistered } from './problems.ts';
import { renderCustomer } from './render-customer.ts';
import { endAllSessions, type IssuedSession, openSession, renderTokens } from './sessions/sessions.ts';
import {
  type CreditSql,
  findCustomer,
  findLoginByPhone,
  type LoginRow,
  lockLoginByPhone,
  updateCreditLimit,
  updatePassword,
} from './store.ts';

export async function buildLoginResponse(
  deps: Pick<CustomersDeps, 'clock' | 'identities' | 'tokens' | keyof CreditSql> & { db: Queryable },
  session: IssuedSession,
): Promise<Static<typeof Login>> {
  const { db, clock, identities, tokens } = deps;
  const [tokenFields, customer] = await Promise.all([
    renderTokens({ tokens }, session),
    findCustomer(db, session.principalId, deps, clock.now()),
  ]);
  if (!customer) throw invalidCredentials();
  return { ...tokenFields, customer: renderCustomer(customer, identities) };
}

/** Checks whether a customer can log in with the phone. Rate-limited, so that callers cannot test lists of phones. */
export async function checkPhone(deps: CustomersDeps, phone: string, caller: Caller) {
  const { db, clock, otpCountries } = deps;
  const origin = await findOrigin(deps, phone, caller);
  // One transaction: if the lookup fails, the attempt is not counted.
  const login = await db.transaction(async (tx) => {
    await enforceLimits(tx, buildPhoneCheckCounters(deps, origin), clock.now());
    return findLoginByPhone(tx, phone);
  });
  const loginMethods: Static<typeof PhoneCheck>['login_methods'] = [];
  if (login?.password_hash) loginMethods.push('password');
  if (login && canReceiveCodes(phone, otpCountries)) loginMethods.push('otp');
  return { phone, registered: login !== undefined, login_methods: loginMethods };
}

/**
 * An attempt is counted as failed when it starts, so that only five of a hundred concurrent guesses are compared with the password.
 * A success undoes the count. For customers without a password, locked customers and unknown phones a login takes as long as with a
 * wrong password.
 */
export async function logInByPassword(deps: CustomersDeps, form: PasswordForm, caller: Caller) {
  const { db, clock, hashers, metrics } = deps;
  const countLockoutAndRethrow = (error: unknown): never => {
    if (error instanceof Problem && error.kind.status === 429)
      metrics.logins.inc({ method: 'password', outcome: 'locked' });
    throw error;
  };
  const session = await hashers.withHasher(caller, async (hasher) => {
    const startedAt = clock.now();
    const counters = buildWrongPasswordCounters(deps, await findOrigin(deps, form.phone, caller));
    return limitFailures(
      db,
      {
        counters: Object.values(counters),
        now: startedAt,
        isFailed: (openedSession?: IssuedSession) => !openedSession,
      },
      () => openSessionByPassword(deps, form, caller, { hasher, counters, startedAt }),
    ).catch(countLockoutAndRethrow);
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return buildLoginResponse(deps, session);
}

type PasswordForm = Static<typeof PasswordLogin>;
type PasswordAttempt = {
  hasher: Hasher;
  counters: ReturnType<typeof buildWrongPasswordCounters>;
  startedAt: Date;
};

/** Returns undefined if the password is wrong, or if the customer is locked or unknown. */
async function openSessionByPassword(
  deps: CustomersDeps,
  { phone, password }: PasswordForm,
  caller: Caller,
  { hasher, counters, startedAt }: PasswordAttempt,
): Promise<IssuedSession | undefined> {
  const login = await findLoginByPhone(deps.db, phone);
  const hash = login?.password_hash ?? null;
  const { isCorrect, newHash } = await hasher.verify(password, hash ?? createDummyHash());
  if (!isCorrect || !login || hash === null) return undefined;
  return customerTransaction(deps.db, login.id, async (tx) => {
    const customer = await lockLoginByPhone(tx, phone);
    // The customer may have been locked, or the password changed, while hashing.
    if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
    // A success clears the failures of this phone from this IP address; in the other counters it only undoes this attempt.
    await purgeAttempts(tx, counters.phoneAndAddressCounter);
    await releasePendingAttempts(tx, [counters.phoneCounter, counters.addressCounter], startedAt);
    if (newHash) await updatePassword(tx, customer.id, newHash);
    return openSession(tx, deps, customer.id, caller);
  });
}

export async function logInByCode(deps: CustomersDeps, form: Static<typeof CodeLogin>, caller: Caller) {
  const verifiedCode = await checkCode(deps, form, caller.ipAddress);
  const session = verifiedCode && (await openSessionByCode(deps, form.phone, caller, verifiedCode));
  deps.metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return buildLoginResponse(deps, session);
}

/** Consumes the code. Returns undefined if the customer is locked, or if a concurrent request has used the code. */
async function openSessionByCode(
  deps: CustomersDeps,
  phone: string,
  caller: Caller,
  code: VerifiedCode,
): Promise<IssuedSession | undefined> {
  const { db, clock } = deps;
  const login = await findLoginByPhone(db, phone);
  // A caller with the correct code owns the phone, so this reveals nothing. The code stays valid for a sign-up.
  if (!login) throw notRegistered();
  return customerTransaction(db, login.id, async (tx) => {
    // Lock order: customer before code, as in phone changes and erasures, to prevent deadlocks.
    const customer = await lockLoginByPhone(tx, phone);
    if (!(await consumeCode(tx, code, clock.now())) || !customer || customer.locked_at) return undefined;
    await decideFirstCreditLimit(tx, deps, customer, caller);
    return openSession(tx, deps, customer.id, caller);
  });
}

/** Sets or replaces the password, and ends all sessions: a person who knew the old password may have opened one. */
export async function setPassword(deps: CustomersDeps, form: Static<typeof NewPassword>, caller: Caller) {
  const { db, clock, hashers } = deps;
  const { phone, password } = form;
  await hashers.withHasher(caller, async (hasher) => {
    const verifiedCode = await checkCode(deps, form, caller.ipAddress);
    if (!verifiedCode) throw invalidCredentials();
    const login = await findLoginByPhone(db, phone);
    if (!login) throw notRegistered();
    // Hashed before the transaction, so that no lock is held while hashing. A weak password is refused here, before the code is used.
    const hash = await hasher.hash(password, decryptIdentity(deps.vault, login));
    await customerTransaction(db, login.id, async (tx) => {
      const now = clock.now();
      // Lock order: customer before code, as in phone changes and erasures, to prevent deadlocks.
      const customer = await lockLoginByPhone(tx, phone);
      if (!(await consumeCode(tx, verifiedCode, now)) || !customer || customer.locked_at)
        throw invalidCredentials();
      await updatePassword(tx, customer.id, hash);
      await decideFirstCreditLimit(tx, deps, customer, caller);
      queueCustomerMessage(tx, customer.id, {
        template: 'password_changed',
        data: {},
        subjectKey: now.toISOString(),
        now,
      });
      await endAllSessions(tx, deps, customer.id, 'password_set', now);
    });
  });
}

/**
 * Decides on the credit limit of a customer whom staff registered without one, in the transaction of the first login with a code, from the same
 * facts as for a sign-up. The sign-up limit of the IP address does not apply: it must not refuse a correct code.
 */
async function decideFirstCreditLimit(
  tx: CustomerTx,
  deps: CustomersDeps,
  customer: LoginRow,
  origin: Pick<Caller, 'ipAddress' | 'deviceId'>,
): Promise<void> {
  if (!customer.awaits_first_limit) return;
  const now = deps.clock.now();
  const depsWithHighestLimit = { ...deps, maxSignUpsPerAddress: HIGHEST_SIGN_UP_LIMIT };
  const signUps = await recordAndCountAttempts(tx, buildSignUpCounters(depsWithHighestLimit, origin), now);
  // The customer gave no consent, so no credit report is requested.
  const decideLimit = await deps.firstLimitDecider.prepare(null);
  const { birth_date: birthDate } = decryptIdentity(deps.vault, customer);
  const { limit, saveDecision } = await decideLimit(tx, { birthDate, referrerCode: null, signUps, now });
  await updateCreditLimit(tx, customer.id, limit);
  await saveDecision(customer.id);
  if (limit === 0) return;
  const eventData = { limit: toReais(limit), offered: null };
  await deps.events.emit(tx, { type: 'credit.limit_changed', customerId: customer.id, data: eventData }, now);
}
