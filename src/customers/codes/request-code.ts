import { randomInt } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Static } from 'typebox';
import { CHANNEL_PAUSE_SECONDS, isChannelFailing, queuePhoneMessage } from '#messages';
import type { Tx } from '#platform/database/db.ts';
import { recordAttempts, secondsUntil } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { unavailable, withRetryAfter } from '#platform/problem.ts';
import { codeRequestCounters, findOrigin } from '../limits.ts';
import { otpTooSoon, phoneNotSupported } from '../problems.ts';
import type { CodeChallenge } from '../schemas.ts';
import { hashAddressSubject, hashPhoneSubject, type SignIn } from '../sign-in.ts';
import { hashCode } from './check-code.ts';
import { CODE_TTL_MS, deleteChallenge, insertChallenge, listValidChallenges } from './store.ts';

const MAX_VALID_CODES = 3;

/**
 * Creates a code for the phone; a job sends it. Registered and unregistered phones cannot be distinguished by statements or duration, nor
 * by the response while messages are below the caps for unregistered phones.
 */
export async function requestCode(
  signIn: SignIn,
  phone: string,
  caller: Pick<Caller, 'partnerId' | 'keyId' | 'isBackend' | 'ipAddress' | 'deviceId'>,
): Promise<Static<typeof CodeChallenge>> {
  const { db, clock, vault, otpCountries, principalKind } = signIn;
  if (!canReceiveCodes(phone, otpCountries)) {
    throw phoneNotSupported({
      en: `Codes are sent to mobile numbers of ${otpCountries.join(', ')} only.`,
      pt: `Só enviamos códigos a celulares de ${otpCountries.join(', ')}.`,
    });
  }
  const now = clock.now();
  const subject = hashPhoneSubject(signIn, phone);
  const requestOrigin = await findOrigin(signIn, phone, caller);
  const originHash = hashAddressSubject(signIn, caller.ipAddress);
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
    const resendAfter = await recordAttempts(tx, codeRequestCounters(signIn, requestOrigin), now);
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
    signIn.countMessage(tx, { ...caller, address: caller.ipAddress, recipient: requestOrigin }, now);
    return {
      challenge_id: id,
      expires_at: expiresAt.toISOString(),
      resend_after: resendAfter!.toISOString(),
    };
  });
}

/** True for mobile numbers, and for numbers of countries whose ranges do not distinguish mobile from fixed lines. */
export function canReceiveCodes(phone: string, countries: readonly string[]): boolean {
  const number = parsePhoneNumberFromString(phone);
  const type = number?.getType();
  return countries.includes(number?.country ?? '') && (type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE');
}

/**
 * At the limit, a new request invalidates the oldest code of the same origin, never one of another origin. A known address of the
 * customer has its own quota, which other addresses cannot exhaust. The counter's row is already locked, so two concurrent requests
 * cannot both take the last slot.
 */
async function enforceValidCodeLimit(
  tx: Tx,
  subject: Buffer,
  { originHash, isKnown }: { originHash: Buffer; isKnown: boolean },
  now: Date,
): Promise<void> {
  const validChallenges = await listValidChallenges(tx, subject, now);
  const isOwn = (challenge: { origin: Buffer }) => challenge.origin.equals(originHash);
  const countedChallenges = isKnown ? validChallenges.filter(isOwn) : validChallenges;
  if (countedChallenges.length < MAX_VALID_CODES) return;
  const oldestOwn = countedChallenges.find(isOwn);
  if (oldestOwn) {
    await deleteChallenge(tx, { subject, id: oldestOwn.id });
    return;
  }
  const seconds = secondsUntil(countedChallenges[0]!.expires_at, now);
  throw otpTooSoon(
    withRetryAfter(seconds, {
      en: `This phone already has ${MAX_VALID_CODES} valid codes.`,
      pt: `Este telefone já tem ${MAX_VALID_CODES} códigos em uso.`,
    }),
  );
}
