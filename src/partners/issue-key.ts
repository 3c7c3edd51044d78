import type { Bilingual } from '#core/bilingual.ts';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { newId } from '#platform/ids.ts';
import { hashSecret, hintOf, newSecret, type Scope } from './api-key.ts';
import { insertKey, lockKey, markExpiry, markRestored, type NewKey } from './store.ts';

export type KeyWishes = {
  partnerId: string;
  label: string;
  scopes: Scope[];
  allowedOrigins: string[];
  returnOrigins?: string[];
  requestsPerMinute: number | null;
  backend?: boolean;
  /** Needed for the scope `merchant`, and for no other. */
  merchantId?: number | null;
  /** Needed for the scope `operator`, and for no other. */
  person?: { id: string; role: Role };
  expiresAt: Date | null;
};

/** The secret is returned once; only its hash is stored. */
type IssuedKey = { id: string; secret: string; expiresAt: Date | null };

export async function issueKey(
  db: Queryable,
  wishes: KeyWishes,
  context: { mode: 'sandbox' | 'live'; clock: Clock; secret?: string; replaces?: string },
): Promise<IssuedKey> {
  const secret = context.secret ?? newSecret(context.mode);
  const now = context.clock.now();
  const key: NewKey = {
    id: newId('key', now),
    partner_id: wishes.partnerId,
    label: wishes.label,
    hash: hashSecret(secret),
    hint: hintOf(secret),
    scopes: wishes.scopes,
    allowed_origins: wishes.allowedOrigins,
    return_origins: wishes.returnOrigins ?? [],
    requests_per_minute: wishes.requestsPerMinute,
    backend: wishes.backend ?? false,
    merchant_id: wishes.merchantId ?? null,
    person_id: wishes.person?.id ?? null,
    role: wishes.person?.role ?? null,
    created_at: now,
    expires_at: wishes.expiresAt,
    replaces: context.replaces ?? null,
  };
  await insertKey(db, key);
  return { id: key.id, secret, expiresAt: key.expires_at };
}

/** For keys with a known secret, as the sandbox has: inserts the key, or restores it when it was revoked or has expired. */
export async function ensureKey(
  tx: Tx,
  wishes: KeyWishes,
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  await issueKey(tx, wishes, context);
  await markRestored(tx, hashSecret(context.secret));
}

export type RotatedKey = { issued: IssuedKey; oldExpiresAt: Date };

/** Issues a copy of the key. The old key stays valid for the overlap, so that callers can switch without downtime. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapMs: number,
  context: { mode: 'sandbox' | 'live'; clock: Clock },
): Promise<RotatedKey | { refused: Bilingual }> {
  const old = await lockKey(tx, keyId);
  const now = context.clock.now();
  if (!old) return { refused: { en: `There is no key ${keyId}.`, pt: `A chave ${keyId} não existe.` } };
  if (old.revoked_at)
    return {
      refused: {
        en: `Key ${keyId} was revoked. Issue a new one with 'key create'.`,
        pt: `A chave ${keyId} foi revogada. Emita outra com 'key create'.`,
      },
    };
  if (old.successor)
    return {
      refused: {
        en: `Key ${keyId} was rotated before, to ${old.successor}. Rotate that one.`,
        pt: `A chave ${keyId} já foi trocada por ${old.successor}. Troque essa.`,
      },
    };
  if (old.expires_at && old.expires_at <= now)
    return {
      refused: {
        en: `Key ${keyId} has expired. Issue a new one with 'key create'.`,
        pt: `A chave ${keyId} expirou. Emita outra com 'key create'.`,
      },
    };
  const overlapEnds = new Date(now.getTime() + overlapMs);
  const oldExpiresAt = old.expires_at && old.expires_at < overlapEnds ? old.expires_at : overlapEnds;
  await markExpiry(tx, keyId, oldExpiresAt);
  const issued = await issueKey(
    tx,
    {
      partnerId: old.partner_id,
      label: old.label,
      scopes: old.scopes,
      allowedOrigins: old.allowed_origins,
      returnOrigins: old.return_origins,
      requestsPerMinute: old.requests_per_minute,
      backend: old.backend,
      merchantId: old.merchant_id,
      ...(old.person_id && { person: { id: old.person_id, role: old.role! } }),
      // The new key has the same lifetime as the old one.
      expiresAt:
        old.expires_at && new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime()),
    },
    { ...context, replaces: keyId },
  );
  return { issued, oldExpiresAt };
}
