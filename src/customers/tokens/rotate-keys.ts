import { exportJWK, generateKeyPair } from 'jose';
import type { Clock } from '#platform/clock.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import { TOKEN_LIFE_MS } from './access-token.ts';
import { ALGORITHM } from './signing-keys.ts';
import { insertSigningKey, listSigningKeys, lockSigningKeys, markAcceptedUntil } from './store.ts';

/** How long others may cache the published keys: a new key signs only after every copy has it. */
export const JWKS_MAX_AGE_SECONDS = 30;
const LEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1000;
/** For nodes whose clocks differ. */
const LEEWAY_MS = 60_000;

type RotationDeps = { vault: Vault; clock: Clock };

/** The very first start makes the first key. */
export async function ensureSigningKey(tx: Tx, { vault, clock }: RotationDeps): Promise<void> {
  await lockSigningKeys(tx);
  const now = clock.now();
  const keys = await listSigningKeys(tx);
  if (keys.some((key) => key.accepted_until === null || key.accepted_until > now)) return;
  await makeKey(tx, vault, now, now);
}

/**
 * Creates a key, published at once and signing a minute later. Old keys are accepted until their last tokens have expired, so the
 * rotation is not noticed; with `atOnce` they end now, and every token must be refreshed.
 */
export async function rotateSigningKeys(
  db: Db,
  { vault, clock }: RotationDeps,
  { atOnce, change }: { atOnce: boolean; change: Change },
) {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const now = clock.now();
    const signsFrom = atOnce ? now : new Date(now.getTime() + LEAD_MS);
    const oldAcceptedUntil = atOnce ? now : new Date(signsFrom.getTime() + TOKEN_LIFE_MS + LEEWAY_MS);
    await markAcceptedUntil(tx, oldAcceptedUntil);
    const kid = await makeKey(tx, vault, now, signsFrom);
    const shown = {
      signs_from: signsFrom.toISOString(),
      others_accepted_until: oldAcceptedUntil.toISOString(),
    };
    await recordCreation(tx, change, { kind: 'token_key', id: kid }, shown);
    return { kid, signsFrom, oldAcceptedUntil };
  });
}

async function makeKey(tx: Tx, vault: Vault, createdAt: Date, signsFrom: Date): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = newId('tk', createdAt);
  const sealed = vault.seal(JSON.stringify(await exportJWK(privateKey)), kid);
  await insertSigningKey(tx, { kid, publicJwk: await exportJWK(publicKey), sealed, createdAt, signsFrom });
  return kid;
}
