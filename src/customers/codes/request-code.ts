import { randomInt } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Static } from 'typebox';
import { isChannelFailing, PAUSE_SECONDS, tellPhone } from '#messages';
import type { Tx } from '#platform/database/db.ts';
import { secondsUntil, takeAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { retryIn, unavailable } from '#platform/problem.ts';
import { codeRequests, findOrigin } from '../limits.ts';
import { otpTooSoon, phoneNotSupported } from '../problems.ts';
import type { CodeOnItsWay } from '../schemas.ts';
import { addressSubject, phoneSubject, type SignIn } from '../sign-in.ts';
import { hashCode } from './check-code.ts';
import { CODE_LIFE_MS, insertChallenge, listLiveChallenges, purgeChallenge } from './store.ts';

const MOST_LIVE = 3;

/**
 * Creates a code for the phone; a job sends it. The owner of the phone is not looked up here, so that everything is the same for
 * a stranger: statements, time, answer.
 */
export async function requestCode(
  signIn: SignIn,
  phone: string,
  { keyId, address }: Pick<Caller, 'keyId' | 'address'>,
): Promise<Static<typeof CodeOnItsWay>> {
  const { db, clock, vault, otpCountries, holders } = signIn;
  if (!canReceiveCodes(phone, otpCountries)) {
    throw phoneNotSupported({
      en: `Codes are sent to mobile numbers of ${otpCountries.join(', ')} only.`,
      pt: `Só enviamos códigos a celulares de ${otpCountries.join(', ')}.`,
    });
  }
  const now = clock.now();
  const subject = phoneSubject(signIn, phone);
  const from = await findOrigin(signIn, phone, address);
  const origin = addressSubject(signIn, address);
  const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
  return db.transaction(async (tx) => {
    if (await isChannelFailing(tx, 'sms', now)) {
      throw unavailable({
        en: 'Messages cannot be sent right now.',
        pt: 'Não é possível enviar mensagens agora.',
        headers: { 'retry-after': PAUSE_SECONDS },
      });
    }
    // An exception here rolls the counters back: a refused request uses up nothing.
    const resendAfter = await takeAttempts(tx, codeRequests(signIn, from), now);
    await makeRoom(tx, subject, { origin, isKnown: from.isKnown }, now);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = newId('otp', now);
    const codeHash = hashCode(vault, { phone, challenge_id: id, code });
    await insertChallenge(tx, { subject, id, origin, codeHash, expiresAt });
    const isOfMember = holders.kind === 'member';
    await tellPhone(tx, phone, { template: 'login_code', parts: { code }, now, isOfMember });
    await signIn.countMessage(tx, { keyId, address }, now);
    return {
      challenge_id: id,
      expires_at: expiresAt.toISOString(),
      resend_after: resendAfter!.toISOString(),
    };
  });
}

/** A mobile number, or one that may be mobile where a country does not tell them apart. */
export function canReceiveCodes(phone: string, countries: readonly string[]): boolean {
  const number = parsePhoneNumberFromString(phone);
  const type = number?.getType();
  return countries.includes(number?.country ?? '') && (type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE');
}

/**
 * Where the limit is reached, a new request invalidates the oldest code of the same origin, never that of another. A known address of the customer has a quota of
 * its own, which others cannot use up. The counter's row is locked by now, so two concurrent requests cannot both take the last place.
 */
async function makeRoom(
  tx: Tx,
  subject: Buffer,
  { origin, isKnown }: { origin: Buffer; isKnown: boolean },
  now: Date,
): Promise<void> {
  const all = await listLiveChallenges(tx, subject, now);
  const isOwn = (challenge: { origin: Buffer }) => challenge.origin.equals(origin);
  const live = isKnown ? all.filter(isOwn) : all;
  if (live.length < MOST_LIVE) return;
  const own = live.find(isOwn);
  if (own) return void (await purgeChallenge(tx, { subject, id: own.id }));
  const seconds = secondsUntil(live[0]!.expires_at, now);
  throw otpTooSoon(
    retryIn(seconds, {
      en: `${MOST_LIVE} codes for this phone are under way.`,
      pt: `Este telefone já tem ${MOST_LIVE} códigos em uso.`,
    }),
  );
}
