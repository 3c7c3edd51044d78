import { exportJWK, generateKeyPair } from 'jose';
import type { Clock } from '#platform/clock.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import { TOKEN_TTL_MS } from './access-token.ts';
import { ALGORITHM } from './signing-keys.ts';
import { insertSigningKey, limitAcceptance, listSigningKeys, lockSigningKeys } from './store.ts';

/** How long callers may cache the published keys. A new key signs only after all caches have expired. */
export const JWKS_MAX_AGE_SECONDS = 30;
const PUBLISH_LEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1000;
/** Tolerance for clock skew between nodes. */
const CLOCK_SKEW_MS = 60_000;

type RotationDeps = { vault: Vault; clock: Clock };

/** Creates a key if there is no accepted one. */
export async function ensureSigningKey(tx: Tx, { vault, clock }: RotationDeps): Promise<void> {
  await lockSigningKeys(tx);
  const now = clock.now();
  const keys = await listSigningKeys(tx);
  if (keys.some((key) => key.accepted_until === null || key.accepted_until > now)) return;
  await createKey(tx, vault, now, now);
}

/**
 * Creates a key that is published immediately and signs from a minute later. Old keys are accepted until their last tokens have
 * expired, so callers do not notice the rotation. With `retireImmediately` old keys are refused from now on, and every token must be
 * refreshed.
 */
export async function rotateSigningKeys(
  db: Db,
  { vault, clock }: RotationDeps,
  { retireImmediately, auditContext }: { retireImmediately: boolean; auditContext: AuditContext },
) {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const now = clock.now();
    const signsFrom = retireImmediately ? now : new Date(now.getTime() + PUBLISH_LEAD_MS);
    const oldAcceptedUntil = retireImmediately
      ? now
      : new Date(signsFrom.getTime() + TOKEN_TTL_MS + CLOCK_SKEW_MS);
    await limitAcceptance(tx, oldAcceptedUntil);
    const kid = await createKey(tx, vault, now, signsFrom);
    const auditedFields = {
      signs_from: signsFrom.toISOString(),
      others_accepted_until: oldAcceptedUntil.toISOString(),
    };
    await recordAuditEntry(tx, auditContext, { kind: 'token_key', id: kid }, auditedFields);
    return { kid, signsFrom, oldAcceptedUntil };
  });
}

async function createKey(tx: Tx, vault: Vault, createdAt: Date, signsFrom: Date): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = newId('tk', createdAt);
  const ciphertext = vault.encrypt(JSON.stringify(await exportJWK(privateKey)), kid);
  await insertSigningKey(tx, {
    kid,
    publicJwk: await exportJWK(publicKey),
    ciphertext,
    createdAt,
    signsFrom,
  });
  return kid;
}
