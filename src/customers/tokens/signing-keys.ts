import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Static } from 'typebox';
import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import type { Vault } from '#platform/vault.ts';
import type { Jwks } from './jwks-schema.ts';
import { listSigningKeys, type SigningKeyRow } from './store.ts';

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

  /** Returns the public key of an accepted key. */
  findPublicKey(kid: string | undefined): CryptoKey | undefined {
    if (kid === undefined || !this.accepts(kid, this.#clock.now().getTime())) return undefined;
    return this.#keys.get(kid)!.publicKey;
  }

  /** Returns the newest key that may sign now. */
  findSigningKey(): { kid: string; privateKey: CryptoKey } {
    const nowMs = this.#clock.now().getTime();
    const accepted = [...this.#keys.values()].filter((key) => nowMs < key.acceptedUntilMs);
    // Sorted by `signsFrom`. If the clock was set back, no key may sign yet: then the first one signs.
    const signingKey = accepted.findLast((key) => key.signsFromMs <= nowMs) ?? accepted[0];
    if (!signingKey) throw new Error('No key can sign tokens.');
    return signingKey;
  }

  /** Returns the keys that sign, will sign, or have tokens that are still valid. */
  listPublishedKeys(): Static<typeof Jwks>['keys'] {
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
