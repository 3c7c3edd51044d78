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

type IssueContext = { mode: 'sandbox' | 'live'; clock: Clock; secret?: string };

export const issueKey = (db: Queryable, wishes: KeyWishes, context: IssueContext): Promise<IssuedKey> =>
  storeKey(
    db,
    {
      partner_id: wishes.partnerId,
      label: wishes.label,
      scopes: wishes.scopes,
      allowed_origins: wishes.allowedOrigins,
      return_origins: wishes.returnOrigins ?? [],
      requests_per_minute: wishes.requestsPerMinute,
      backend: wishes.backend ?? false,
      merchant_id: wishes.merchantId ?? null,
      person_id: wishes.person?.id ?? null,
      role: wishes.person?.role ?? null,
      expires_at: wishes.expiresAt,
      replaces: null,
    },
    context,
  );

async function storeKey(
  db: Queryable,
  wanted: Omit<NewKey, 'id' | 'hash' | 'hint' | 'created_at'>,
  { mode, clock, secret = newSecret(mode) }: IssueContext,
): Promise<IssuedKey> {
  const now = clock.now();
  const id = newId('key', now);
  await insertKey(db, { ...wanted, id, hash: hashSecret(secret), hint: hintOf(secret), created_at: now });
  return { id, secret, expiresAt: wanted.expires_at };
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

const refused = (en: string, pt: string): { refused: Bilingual } => ({ refused: { en, pt } });

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
  if (!old) return refused(`There is no key ${keyId}.`, `A chave ${keyId} não existe.`);
  if (old.revoked_at)
    return refused(
      `Key ${keyId} was revoked. Issue a new one with 'key create'.`,
      `A chave ${keyId} foi revogada. Emita outra com 'key create'.`,
    );
  if (old.successor)
    return refused(
      `Key ${keyId} was rotated before, to ${old.successor}. Rotate that one.`,
      `A chave ${keyId} já foi trocada por ${old.successor}. Troque essa.`,
    );
  if (old.expires_at && old.expires_at <= now)
    return refused(
      `Key ${keyId} has expired. Issue a new one with 'key create'.`,
      `A chave ${keyId} expirou. Emita outra com 'key create'.`,
    );
  const overlapEnds = new Date(now.getTime() + overlapMs);
  const oldExpiresAt = old.expires_at && old.expires_at < overlapEnds ? old.expires_at : overlapEnds;
  await markExpiry(tx, keyId, oldExpiresAt);
  // The new key has the same lifetime as the old one.
  const expires_at =
    old.expires_at && new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime());
  const issued = await storeKey(tx, { ...old, expires_at, replaces: keyId }, context);
  return { issued, oldExpiresAt };
}
