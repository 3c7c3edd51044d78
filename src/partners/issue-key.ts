import type { Bilingual } from '#core/values/bilingual.ts';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { newId } from '#platform/ids.ts';
import { buildHint, hashSecret, newSecret, type Scope } from './api-key.ts';
import { insertKey, limitExpiry, lockKey, type NewKey, restoreKey } from './store.ts';

export type NewKeyInput = {
  partnerId: string;
  label: string;
  scopes: Scope[];
  allowedOrigins: string[];
  returnOrigins?: string[];
  requestsPerMinute: number | null;
  backend?: boolean;
  /** Required with the scope `merchant`, not allowed without it. */
  merchantId?: number | null;
  /** Required with the scope `operator`, not allowed without it. */
  person?: { id: string; role: Role };
  expiresAt: Date | null;
};

/** Only the hash of the secret is stored, so the secret cannot be read again. */
type IssuedKey = { id: string; secret: string; expiresAt: Date | null };

type IssueContext = { mode: 'sandbox' | 'live'; clock: Clock; secret?: string };

export const issueKey = (db: Queryable, input: NewKeyInput, context: IssueContext): Promise<IssuedKey> =>
  insertIssuedKey(
    db,
    {
      partner_id: input.partnerId,
      label: input.label,
      scopes: input.scopes,
      allowed_origins: input.allowedOrigins,
      return_origins: input.returnOrigins ?? [],
      requests_per_minute: input.requestsPerMinute,
      backend: input.backend ?? false,
      merchant_id: input.merchantId ?? null,
      person_id: input.person?.id ?? null,
      role: input.person?.role ?? null,
      expires_at: input.expiresAt,
      replaces: null,
    },
    context,
  );

async function insertIssuedKey(
  db: Queryable,
  key: Omit<NewKey, 'id' | 'hash' | 'hint' | 'created_at'>,
  { mode, clock, secret = newSecret(mode) }: IssueContext,
): Promise<IssuedKey> {
  const now = clock.now();
  const id = newId('key', now);
  await insertKey(db, { ...key, id, hash: hashSecret(secret), hint: buildHint(secret), created_at: now });
  return { id, secret, expiresAt: key.expires_at };
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

const refuseRotation = (en: string, pt: string): { refusal: Bilingual } => ({ refusal: { en, pt } });

export type RotatedKey = { issued: IssuedKey; oldExpiresAt: Date };

/** Issues a copy of the key. The old key stays valid for the overlap, so that callers can switch without downtime. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapMs: number,
  context: { mode: 'sandbox' | 'live'; clock: Clock },
): Promise<RotatedKey | { refusal: Bilingual }> {
  const old = await lockKey(tx, keyId);
  const now = context.clock.now();
  if (!old) return refuseRotation(`There is no key ${keyId}.`, `A chave ${keyId} não existe.`);
  if (old.revoked_at)
    return refuseRotation(
      `Key ${keyId} was revoked. Issue a new one with 'key create'.`,
      `A chave ${keyId} foi revogada. Emita outra com 'key create'.`,
    );
  if (old.successor)
    return refuseRotation(
      `Key ${keyId} was rotated before, to ${old.successor}. Rotate that one.`,
      `A chave ${keyId} já foi trocada por ${old.successor}. Troque essa.`,
    );
  if (old.expires_at && old.expires_at <= now)
    return refuseRotation(
      `Key ${keyId} has expired. Issue a new one with 'key create'.`,
      `A chave ${keyId} expirou. Emita outra com 'key create'.`,
    );
  const overlapEnds = new Date(now.getTime() + overlapMs);
  const oldExpiresAt = old.expires_at && old.expires_at < overlapEnds ? old.expires_at : overlapEnds;
  await limitExpiry(tx, keyId, oldExpiresAt);
  // The new key has the same lifetime as the old one.
  const expires_at =
    old.expires_at && new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime());
  const issued = await insertIssuedKey(tx, { ...old, expires_at, replaces: keyId }, context);
  return { issued, oldExpiresAt };
}
