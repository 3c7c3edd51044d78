import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import type { Deps } from '#module';
import { findPartner, type SessionKey } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId, randomBase62 } from '#platform/ids.ts';
import type { Mode } from '#platform/settings.ts';
import { OPERATOR } from '../operator.ts';
import { secondFactorMissing, sessionEnded, sessionNeeded } from './problems.ts';
import type { Entered } from './schemas.ts';
import { findSession, insertSession, listPasskeys, markSeen, type Person } from './store.ts';

const SESSION_MS = 12 * HOUR_MS;
const IDLE_MS = 30 * MINUTE_MS;
/** `seen_at` is written this often at most. */
const SEEN_EVERY_MS = 60_000;
const ID = 'sss';

const hashOf = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex');

/** Who begins a session, and from where. */
export type Browser = { address: string; agent: string };
export const browserOf = (
  request: Pick<FastifyRequest, 'headers' | 'ip'> & { caller?: Caller },
): Browser => ({
  address: addressOf(request),
  agent: String(request.headers['user-agent'] ?? '').slice(0, 200),
});

/** The office names the address of its visitor; nobody else comes to this door without a key. */
const addressOf = ({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string => {
  const named = headers['x-client-ip'];
  return typeof named === 'string' && /^[0-9a-fA-F.:]{2,45}$/.test(named) ? named : ip;
};

/** What is still to be done: nothing, give the second factor, or choose one. */
export async function openSession(
  tx: Tx,
  person: Person,
  { browser, mode, now, isTrusted }: { browser: Browser; mode: Mode; now: Date; isTrusted?: boolean },
): Promise<Static<typeof Entered>> {
  const passkeys = await listPasskeys(tx, person.id);
  const methods = [
    ...(person.totp_nonce === null ? [] : (['totp'] as const)),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ];
  const hasFactor = methods.length > 0;
  const isIn = isTrusted || (!hasFactor && mode === 'sandbox');
  const token = `semana_session_${randomBase62(43)}`;
  const id = newId(ID, now);
  await insertSession(tx, {
    id,
    member_id: person.id,
    token_hash: hashOf(token),
    created_at: now,
    seen_at: now,
    verified_at: isIn ? now : null,
    challenge: null,
    totp_nonce: null,
    ...browser,
  });
  return {
    session: token,
    session_id: id,
    expires_at: new Date(now.getTime() + SESSION_MS).toISOString(),
    next: isTrusted ? 'done' : hasFactor ? 'second_factor' : 'enrol',
    methods,
    person: { id: person.id, name: person.name, role: person.role, email: person.email },
  };
}

export const isSessionOld = ({ created_at, seen_at }: { created_at: Date; seen_at: Date }, now: Date) =>
  now.getTime() - created_at.getTime() >= SESSION_MS || now.getTime() - seen_at.getTime() >= IDLE_MS;

export const sessionsSince = (now: Date) => new Date(now.getTime() - SESSION_MS);

/** Reads the session each time: one that ended, or whose person was removed, is refused at once on every node. */
export function sessionFinder({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  let partnerId: string | undefined;
  return async (token: string, isBegunEnough: boolean): Promise<SessionKey> => {
    const now = clock.now();
    const session = await findSession(db, hashOf(token));
    if (!session || isSessionOld(session, now)) throw sessionEnded();
    if (!session.verified_at && !isBegunEnough) throw secondFactorMissing();
    if (now.getTime() - session.seen_at.getTime() > SEEN_EVERY_MS) await markSeen(db, session.id, now);
    partnerId ??= (await findPartner(db, OPERATOR))?.id;
    return { id: session.id, partnerId: partnerId ?? '', personId: session.member_id, role: session.role };
  };
}

export function sessionOf({ caller }: { caller: Caller }): string {
  if (!caller.keyId.startsWith(`${ID}_`)) throw sessionNeeded();
  return caller.keyId;
}
