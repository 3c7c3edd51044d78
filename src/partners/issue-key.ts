import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { buildHint, hashSecret, newSecret } from './api-key.ts';
import { keyEnded } from './problems.ts';
import { UNRESTRICTED } from './staff-sessions.ts';
import {
  findReturnOrigins,
  insertKey,
  limitExpiry,
  lockKeyWithSuccessor,
  type NewKey,
  restoreKey,
  updateReturnOrigins,
} from './store.ts';

type RequiredField = 'partner_id' | 'label' | 'scopes';
/** `merchant_id` is required with the scope `merchant`, `person_id` and `role` with the scope `operator`, and not allowed without it. */
export type NewKeyInput = Pick<NewKey, RequiredField> &
  Partial<Omit<NewKey, RequiredField | 'id' | 'hash' | 'hint' | 'created_at'>>;

/** Only the hash of the secret is stored, so the secret cannot be read again. */
type IssuedKey = { id: string; secret: string };

export async function issueKey(
  db: Queryable,
  input: NewKeyInput,
  { mode, clock, secret = newSecret(mode) }: { mode: 'sandbox' | 'live'; clock: Clock; secret?: string },
): Promise<IssuedKey> {
  const now = clock.now();
  const id = newId('key', now);
  const created = { id, hash: hashSecret(secret), hint: buildHint(secret), created_at: now };
  await insertKey(db, { ...UNRESTRICTED, person_id: null, role: null, replaces: null, ...input, ...created });
  return { id, secret };
}

/** For sandbox keys with a published secret: inserts the key, or restores it if it was revoked or has expired. */
export async function ensureKey(
  tx: Tx,
  input: NewKeyInput,
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  await issueKey(tx, input, context);
  await restoreKey(tx, hashSecret(context.secret));
}

/** For a sandbox key with a published secret: replaces its return origins, if the key exists. */
export async function replaceReturnOrigins(
  tx: Tx,
  secret: string,
  replace: (origins: string[]) => string[],
): Promise<void> {
  const key = await findReturnOrigins(tx, hashSecret(secret));
  if (key) await updateReturnOrigins(tx, key.id, replace(key.return_origins));
}

/** Issues a copy of an existing key. The old key stays valid for the overlap, so that callers can switch without downtime. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapMs: number,
  context: { mode: 'sandbox' | 'live'; clock: Clock },
): Promise<{ issued: IssuedKey; oldExpiresAt: Date }> {
  const { key: old, successor } = await lockKeyWithSuccessor(tx, keyId);
  const now = context.clock.now();
  if (old.revoked_at)
    throw keyEnded({
      en: `Key ${keyId} was revoked. Issue a new one with 'key create'.`,
      pt: `A chave ${keyId} foi revogada. Emita outra com 'key create'.`,
    });
  if (successor)
    throw keyEnded({
      en: `Key ${keyId} was rotated before, to ${successor}. Rotate that one.`,
      pt: `A chave ${keyId} já foi trocada por ${successor}. Troque essa.`,
    });
  if (old.expires_at && old.expires_at <= now)
    throw keyEnded({
      en: `Key ${keyId} has expired. Issue a new one with 'key create'.`,
      pt: `A chave ${keyId} expirou. Emita outra com 'key create'.`,
    });
  const overlapEnds = new Date(now.getTime() + overlapMs);
  const oldExpiresAt = old.expires_at && old.expires_at < overlapEnds ? old.expires_at : overlapEnds;
  await limitExpiry(tx, keyId, oldExpiresAt);
  // The new key has the same lifetime as the old one.
  const expires_at =
    old.expires_at && new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime());
  return { issued: await issueKey(tx, { ...old, expires_at, replaces: keyId }, context), oldExpiresAt };
}
