import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { MINUTE_MS } from '#core/values/duration.ts';
import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { type Db, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Ciphertext, Vault } from '#platform/vault.ts';

export const TOKEN_TTL_MS = 15 * MINUTE_MS;
export const ALGORITHM = 'EdDSA';

type SigningKey = {
  kid: string;
  publicJwk: SigningKeyRow['public_jwk'];
  publicKey: CryptoKey;
  privateKey: CryptoKey;
  signsFromMs: number;
  acceptedUntilMs: number;
};

/** A cache of the signing keys, updated by the change feed: all nodes refuse a retired key. */
export class SigningKeys extends SyncedCache {
  readonly #clock: Clock;
  #keys = new Map<string, SigningKey>();

  constructor(deps: Pick<Deps, 'db' | 'changeFeed' | 'clock' | 'log' | 'vault'>) {
    const { db, changeFeed, clock, log, vault } = deps;
    super({
      changeFeed,
      topic: 'signing_keys',
      apply: async () => {
        const keys = await Promise.all((await listSigningKeys(db)).map((row) => decryptKey(row, vault)));
        this.#keys = new Map(keys.map((key) => [key.kid, key]));
      },
      onFailure: (error) => log.warn({ err: error }, 'could not reload signing keys; will retry'),
    });
    this.#clock = clock;
  }

  accepts(kid: string, nowMs: number): boolean {
    const key = this.#keys.get(kid);
    return key !== undefined && nowMs < key.acceptedUntilMs;
  }

  findPublicKey(kid: string | undefined): CryptoKey | undefined {
    if (kid === undefined || !this.accepts(kid, this.#clock.now().getTime())) return undefined;
    return this.#keys.get(kid)!.publicKey;
  }

  /** Returns the newest key that may sign now. */
  findSigningKey(): { kid: string; privateKey: CryptoKey } {
    const nowMs = this.#clock.now().getTime();
    const acceptedKeys = [...this.#keys.values()].filter((key) => nowMs < key.acceptedUntilMs);
    // The keys are sorted by `signsFromMs`. If the clock was set back, no key may sign yet: then the first key signs.
    const signingKey = acceptedKeys.findLast((key) => key.signsFromMs <= nowMs) ?? acceptedKeys[0];
    if (!signingKey) throw new Error('No key can sign tokens.');
    return signingKey;
  }

  /** Returns the keys that sign, will sign, or have tokens that are still valid. */
  listPublishedKeys() {
    const nowMs = this.#clock.now().getTime();
    return [...this.#keys.values()]
      .filter((key) => nowMs < key.acceptedUntilMs)
      .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }));
  }
}

async function decryptKey(row: SigningKeyRow, vault: Vault): Promise<SigningKey> {
  const ciphertext = { bytes: row.private_sealed, version: row.private_key_version };
  const privateJwk = JSON.parse(vault.decrypt(ciphertext, row.kid)) as JWK;
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk, ALGORITHM)) as CryptoKey,
    privateKey: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey,
    signsFromMs: row.signs_from.getTime(),
    acceptedUntilMs: row.accepted_until?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

export type SigningKeyRow = {
  kid: string;
  public_jwk: { kty: 'OKP'; crv: string; x: string };
  private_sealed: Buffer;
  private_key_version: number;
  created_at: Date;
  signs_from: Date;
  /** null until the key is replaced. */
  accepted_until: Date | null;
};

/** Serializes rotations, and the creation of the first key by nodes that start concurrently. */
export const lockSigningKeys = (tx: Tx) => tx.run(sql`lock table signing_keys in share row exclusive mode`);

export const listSigningKeys = (db: Queryable) =>
  db.rows<SigningKeyRow>(sql`select * from signing_keys order by signs_from, kid`);

export const updateEncryptedKey = (tx: Tx, kid: string, ciphertext: Ciphertext) =>
  tx.run(sql`
    update signing_keys set private_sealed = ${ciphertext.bytes}, private_key_version = ${ciphertext.version}
    where kid = ${kid}`);

export const purgeSigningKeys = (db: Queryable, before: Date) =>
  db.run(sql`delete from signing_keys where accepted_until < ${before}`);

/** How long callers may cache the published keys. A new key signs only after all caches have expired. */
export const JWKS_MAX_AGE_SECONDS = 30;
const PUBLISH_LEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1000;
/** Tolerance for clock skew between nodes. */
const CLOCK_SKEW_MS = MINUTE_MS;

type RotationDeps = { vault: Vault; clock: Clock };

/** Creates a key if there is no accepted one. */
export async function ensureSigningKey(tx: Tx, { vault, clock }: RotationDeps): Promise<void> {
  await lockSigningKeys(tx);
  const now = clock.now();
  const keys = await listSigningKeys(tx);
  if (keys.some((key) => key.accepted_until === null || key.accepted_until > now)) return;
  await createKey(tx, vault, { createdAt: now, signsFrom: now });
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
    // `least` ignores null, and never postpones the end of an older key.
    await tx.run(
      sql`update signing_keys set accepted_until = least(accepted_until, ${oldAcceptedUntil}::timestamptz)`,
    );
    const kid = await createKey(tx, vault, { createdAt: now, signsFrom });
    const auditedFields = {
      signs_from: signsFrom.toISOString(),
      others_accepted_until: oldAcceptedUntil.toISOString(),
    };
    await recordAuditEntry(tx, auditContext, { kind: 'token_key', id: kid }, auditedFields);
    return { kid, signsFrom, oldAcceptedUntil };
  });
}

async function createKey(
  tx: Tx,
  vault: Vault,
  { createdAt, signsFrom }: { createdAt: Date; signsFrom: Date },
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = newId('tk', createdAt);
  const { bytes, version } = vault.encrypt(JSON.stringify(await exportJWK(privateKey)), kid);
  const publicJwk = JSON.stringify(await exportJWK(publicKey));
  await tx.run(sql`
    insert into signing_keys (kid, public_jwk, private_sealed, private_key_version, created_at, signs_from)
    values (${kid}, ${publicJwk}::jsonb, ${bytes}, ${version}, ${createdAt}, ${signsFrom})`);
  return kid;
}
