import { randomInt, timingSafeEqual } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { CHANNEL_PAUSE_SECONDS, isChannelFailing, queuePhoneMessage } from '#messages';
import type { Db, Tx } from '#platform/database/db.ts';
import { countSecondsUntil, enforceLimits, undoAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { unavailable, withRetryAfter } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { buildCodeRequestCounters, buildLoginFailureCounter, findOrigin } from '../limits.ts';
import { otpTooSoon, phoneNotSupported } from '../problems.ts';
import { hashAddressSubject, hashPhoneSubject, type SignInDeps } from '../sign-in.ts';
import {
  CODE_TTL_MS,
  countCodeAttempt,
  deleteChallenge,
  insertChallenge,
  listChallengesOfPartner,
  listValidChallenges,
  undoCodeAttempt,
} from './store.ts';

const MAX_VALID_CODES = 3;

/**
 * Creates a code for the phone; a job sends it. Registered and unregistered phones cannot be distinguished by statements or duration, nor
 * by the response while messages are below the caps for unregistered phones.
 */
export async function requestCode(
  deps: SignInDeps,
  phone: string,
  caller: Pick<Caller, 'partnerId' | 'keyId' | 'isBackend' | 'ipAddress' | 'deviceId'>,
) {
  const { db, clock, vault, otpCountries, principalKind } = deps;
  if (!canReceiveCodes(phone, otpCountries)) {
    throw phoneNotSupported({
      en: `Codes are sent to mobile numbers of ${otpCountries.join(', ')} only.`,
      pt: `Só enviamos códigos a celulares de ${otpCountries.join(', ')}.`,
    });
  }
  const now = clock.now();
  const subject = hashPhoneSubject(deps, phone);
  const requestOrigin = await findOrigin(deps, phone, caller);
  const originHash = hashAddressSubject(deps, caller.ipAddress);
  const expiresAt = new Date(now.getTime() + CODE_TTL_MS);
  return db.transaction(async (tx) => {
    if (await isChannelFailing(tx, 'sms', now)) {
      throw unavailable({
        en: 'Messages cannot be sent right now.',
        pt: 'Não é possível enviar mensagens agora.',
        headers: { 'retry-after': CHANNEL_PAUSE_SECONDS },
      });
    }
    // An exception below rolls the counters back: a refused request is not counted.
    // `resendAfter` is not null, because one code reaches the limit of one a minute.
    const resendAfter = await enforceLimits(tx, buildCodeRequestCounters(deps, requestOrigin), now);
    await enforceValidCodeLimit(tx, subject, { originHash, isKnown: requestOrigin.isKnown }, now);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = newId('otp', now);
    const codeHash = hashCode(vault, { phone, challenge_id: id, code });
    const { partnerId } = caller;
    await insertChallenge(tx, { subject, id, origin: originHash, codeHash, expiresAt, partnerId });
    await queuePhoneMessage(tx, phone, {
      template: 'login_code',
      data: { code },
      now,
      isToMember: principalKind.type === 'member',
    });
    deps.countMessage(tx, { ...caller, address: caller.ipAddress, recognition: requestOrigin }, now);
    return {
      challenge_id: id,
      expires_at: expiresAt.toISOString(),
      resend_after: resendAfter!.toISOString(),
    };
  });
}

/** Returns true for mobile numbers, and for numbers of countries whose ranges do not distinguish mobile from fixed lines. */
export function canReceiveCodes(phone: string, countries: readonly string[]): boolean {
  const number = parsePhoneNumberFromString(phone);
  const type = number?.getType();
  return countries.includes(number?.country ?? '') && (type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE');
}

/**
 * At the limit, a new request invalidates the oldest code of the same origin, never one of another origin. A known address of the
 * customer has its own quota, which other addresses cannot exhaust. The caller has locked the counters of the phone, so two concurrent
 * requests cannot both take the last slot.
 */
async function enforceValidCodeLimit(
  tx: Tx,
  subject: Buffer,
  { originHash, isKnown }: { originHash: Buffer; isKnown: boolean },
  now: Date,
): Promise<void> {
  const validChallenges = await listValidChallenges(tx, subject, now);
  const isSameOrigin = (challenge: { origin: Buffer }) => challenge.origin.equals(originHash);
  const countedChallenges = isKnown ? validChallenges.filter(isSameOrigin) : validChallenges;
  if (countedChallenges.length < MAX_VALID_CODES) return;
  const oldestOfOrigin = countedChallenges.find(isSameOrigin);
  if (oldestOfOrigin) {
    await deleteChallenge(tx, { subject, id: oldestOfOrigin.id });
    return;
  }
  const seconds = countSecondsUntil(countedChallenges[0]!.expires_at, now);
  throw otpTooSoon(
    withRetryAfter(seconds, {
      en: `This phone already has ${MAX_VALID_CODES} valid codes.`,
      pt: `Este telefone já tem ${MAX_VALID_CODES} códigos em uso.`,
    }),
  );
}

type CodeAttempt = { phone: string; challenge_id: string; code: string };

/**
 * A challenge whose code was correct. The transaction that needs the code calls `consumeCode`. Until then the code stays valid: the
 * customer can send another password after a refused one, or sign up with an unregistered phone.
 */
export type VerifiedCode = { subject: Buffer; id: string };

/**
 * Returns undefined when the code is wrong, expired, used, or was tried too often. The attempt is counted before the comparison:
 * against the challenge, and as a failed login of the IP address.
 */
export async function checkCode(
  deps: SignInDeps,
  { phone, challenge_id: id, code }: CodeAttempt,
  ipAddress: string,
): Promise<VerifiedCode | undefined> {
  const { db, clock, vault } = deps;
  const subject = hashPhoneSubject(deps, phone);
  const failureCounters = [buildLoginFailureCounter(deps, ipAddress)];
  const now = clock.now();
  return db.transaction(async (tx) => {
    await enforceLimits(tx, failureCounters, now);
    const storedHash = await countCodeAttempt(tx, { subject, id }, now);
    const codeHash = hashCode(vault, { phone, challenge_id: id, code });
    const isCorrect = timingSafeEqual(codeHash, storedHash ?? ZERO_HASH);
    if (!storedHash || !isCorrect) return undefined;
    await undoCodeAttempt(tx, { subject, id });
    await undoAttempts(tx, failureCounters, now);
    return { subject, id };
  });
}

const ZERO_HASH = Buffer.alloc(32);

/** Phone and challenge are part of the hash, so equal codes of different challenges have different hashes. */
const hashCode = (vault: Vault, { phone, challenge_id, code }: CodeAttempt) =>
  vault.hash('login_code', `${phone} ${challenge_id} ${code}`);

/** Returns the codes that were sent to the phone at the request of the partner, and leaves out the others. */
export async function filterRequestedCodes(
  db: Db,
  { phone, partnerId }: { phone: string; partnerId: string },
  codes: readonly string[],
): Promise<string[]> {
  const { vault } = db;
  const challenges = await listChallengesOfPartner(db, hashPhoneSubject({ vault }, phone), partnerId);
  return codes.filter((code) =>
    challenges.some(({ id, code_hash }) =>
      hashCode(vault, { phone, challenge_id: id, code }).equals(code_hash),
    ),
  );
}
