import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Tx } from '#platform/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import { unavailable } from '#platform/problem.ts';
import { type Customers, phoneSubject } from '../customers.ts';
import { CODES_A_MINUTE, CODES_AN_HOUR, type Limit, secondsUntil, takeAttempt } from '../limits.ts';
import { otpTooSoon } from '../problems.ts';
import type { CodeOnItsWay } from '../schemas.ts';
import { hashCode } from './check-code.ts';
import { isSenderFailing, PAUSE_SECONDS } from './sender-health.ts';
import { putCode } from './store.ts';

export const SEND_CODE = 'send_code';
const CODE_LIFE_MS = 5 * 60_000;
/** At 0, 3, 10, 30, 85 and 233 seconds: as long as the code lives. */
const MOST_ATTEMPTS_TO_SEND = 6;

/**
 * Makes a code for the phone and leaves it to a job to send it. Whether the phone is anybody's is asked only there, so that
 * for a stranger everything here is the same: the statements, the time, the answer.
 */
export async function requestCode(
  { db, clock, vault }: Customers,
  phone: string,
): Promise<Static<typeof CodeOnItsWay>> {
  const now = clock.now();
  const subject = phoneSubject({ vault }, phone);
  const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
  return db.transaction(async (tx) => {
    if (await isSenderFailing(tx, now)) {
      throw unavailable('Messages cannot be sent right now.', { headers: { 'retry-after': PAUSE_SECONDS } });
    }
    // What is thrown here takes the attempts back: a request that is refused uses up nothing.
    const reopenings = [
      await mustBeOpen(tx, CODES_A_MINUTE, subject, now),
      await mustBeOpen(tx, CODES_AN_HOUR, subject, now),
    ];
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = newId('msg', now);
    const sealed = vault.seal(JSON.stringify({ phone, code }), id);
    await putCode(tx, { subject, id, hash: hashCode(vault, phone, code), sealed, expiresAt });
    await enqueue(tx, SEND_CODE, { subject: subject.toString('hex'), id }, MOST_ATTEMPTS_TO_SEND);
    const resendAfter = new Date(Math.max(...reopenings.map((at) => at?.getTime() ?? 0)));
    return { expires_at: expiresAt.toISOString(), resend_after: resendAfter.toISOString() };
  });
}

async function mustBeOpen(tx: Tx, limit: Limit, subject: Buffer, now: Date): Promise<Date | null> {
  const { granted, reopensAt } = await takeAttempt(tx, limit, subject, now);
  if (granted) return reopensAt;
  const seconds = secondsUntil(reopensAt, now);
  throw otpTooSoon(`The next code can be asked for in ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  });
}
