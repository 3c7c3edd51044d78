import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import type { Deps } from '#module';
import { findPartner, readConnectionAddress, type StaffPrincipal } from '#partners';
import type { Queryable, Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId, randomBase62 } from '#platform/ids.ts';
import { defineService } from '#platform/service.ts';
import type { Mode } from '#platform/settings.ts';
import { OPERATOR_PARTNER } from '../staff.ts';
import { secondFactorMissing, sessionEnded, sessionNeeded } from './problems.ts';
import type { SessionOpened } from './schemas.ts';
import {
  findSession,
  insertSession,
  listPasskeys,
  listSessions,
  type SessionRow,
  type StaffCredentials,
  updateSeenAt,
} from './store.ts';

/**
 * Credentials with which this process repeats a stored request of a staff user. They exist only in memory and while the request runs,
 * so no caller can obtain them.
 */
export class ReplaySessions {
  readonly #principals = new Map<string, StaffPrincipal>();

  find(token: string): StaffPrincipal | undefined {
    return this.#principals.get(token);
  }

  async run<T>(principal: StaffPrincipal, work: (token: string) => Promise<T>): Promise<T> {
    const token = `semana_act_${randomBase62(TOKEN_LENGTH)}`;
    this.#principals.set(token, principal);
    try {
      return await work(token);
    } finally {
      this.#principals.delete(token);
    }
  }
}

/** Sessions in which a stored request of a staff user is repeated once it is approved. */
export const replaySessions = defineService<ReplaySessions>('replay sessions');

const SESSION_TTL_MS = 12 * HOUR_MS;
const IDLE_TIMEOUT_MS = 30 * MINUTE_MS;
const SEEN_WRITE_INTERVAL_MS = MINUTE_MS;
const SESSION_ID_PREFIX = 'sss';
/** Random base 62 characters with 256 bits. */
const TOKEN_LENGTH = 43;

const hashSessionToken = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex');

export type Browser = { address: string; agent: string };
export const readBrowser = (request: Pick<FastifyRequest, 'headers' | 'ip' | 'ips'>): Browser => ({
  address: readConnectionAddress(request),
  agent: String(request.headers['user-agent'] ?? '').slice(0, 200),
});

type SessionOptions = { browser: Browser; mode: Mode; now: Date; skipsSecondFactor?: boolean };

/**
 * Opens a session. `next` in the result says whether a second factor must be verified or added. With `skipsSecondFactor`
 * the session is verified immediately. The sandbox opens such sessions for its demo users, who have no password.
 */
export async function openSession(
  tx: Tx,
  user: StaffCredentials,
  { browser, mode, now, skipsSecondFactor }: SessionOptions,
): Promise<Static<typeof SessionOpened>> {
  const passkeys = await listPasskeys(tx, user.id);
  const methods: Array<'totp' | 'passkey'> = [];
  if (user.totp_nonce !== null) methods.push('totp');
  if (passkeys.length > 0) methods.push('passkey');
  const hasFactor = methods.length > 0;
  const factorStep = hasFactor ? 'second_factor' : 'enrol';
  const isVerified = skipsSecondFactor || (!hasFactor && mode === 'sandbox');
  const token = `semana_session_${randomBase62(TOKEN_LENGTH)}`;
  const id = newId(SESSION_ID_PREFIX, now);
  await insertSession(tx, {
    id,
    member_id: user.id,
    token_hash: hashSessionToken(token),
    created_at: now,
    seen_at: now,
    verified_at: isVerified ? now : null,
    challenge: null,
    totp_nonce: null,
    ...browser,
  });
  return {
    session: token,
    session_id: id,
    expires_at: new Date(now.getTime() + SESSION_TTL_MS).toISOString(),
    next: skipsSecondFactor ? 'done' : factorStep,
    methods,
    person: { id: user.id, name: user.name, role: user.role, email: user.email },
  };
}

const isSessionExpired = ({ created_at, seen_at }: Pick<SessionRow, 'created_at' | 'seen_at'>, now: Date) =>
  now.getTime() - created_at.getTime() >= SESSION_TTL_MS ||
  now.getTime() - seen_at.getTime() >= IDLE_TIMEOUT_MS;

/** Lists the sessions of a staff user that have neither ended nor expired, newest first. */
export async function listOpenSessions(db: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  const rows = await listSessions(db, userId, new Date(now.getTime() - SESSION_TTL_MS));
  return rows.filter((row) => !isSessionExpired(row, now));
}

/** Reads the session for every request, so that all nodes immediately refuse an ended session and a removed user. */
export function createSessionFinder(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  currentReplays: ReplaySessions,
) {
  // The partner of the operator, which does not exist before the first API key of a staff user.
  let partnerId: string | undefined;
  return async (token: string, allowsUnverified: boolean): Promise<StaffPrincipal> => {
    const replayPrincipal = currentReplays.find(token);
    if (replayPrincipal) return replayPrincipal;
    const now = clock.now();
    const session = await findSession(db, hashSessionToken(token));
    if (!session || isSessionExpired(session, now)) throw sessionEnded();
    if (!session.verified_at && !allowsUnverified) throw secondFactorMissing();
    if (now.getTime() - session.seen_at.getTime() > SEEN_WRITE_INTERVAL_MS)
      await updateSeenAt(db, session.id, now);
    partnerId ??= (await findPartner(db, OPERATOR_PARTNER))?.id;
    return { id: session.id, partnerId: partnerId ?? '', staffUserId: session.member_id, role: session.role };
  };
}

export type SessionKey = { userId: string; sessionId: string };

/** Returns the session of the request, or refuses a request with an API key. */
export function requireSession({ caller }: { caller: Caller }): SessionKey {
  if (!caller.keyId.startsWith(`${SESSION_ID_PREFIX}_`)) throw sessionNeeded();
  return { userId: caller.staffUserId, sessionId: caller.keyId };
}
