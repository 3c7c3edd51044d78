import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Static } from 'typebox';
import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import type { Vault } from '#platform/vault.ts';
import type { Jwks } from '../schemas.ts';
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

/** The keys of all nodes, kept current by the change feed: a retired key is refused everywhere. */
export class SigningKeys extends SyncedCache {
  readonly #clock: Clock;
  #keys = new Map<string, SigningKey>();

  constructor(deps: Pick<Deps, 'db' | 'changeFeed' | 'clock' | 'log' | 'vault'>) {
    const { db, changeFeed, clock, log, vault } = deps;
    super({
      changeFeed,
      topic: 'signing_keys',
      apply: async () => {
        const keys = await Promise.all((await listSigningKeys(db)).map((row) => open(row, vault)));
        this.#keys = new Map(keys.map((key) => [key.kid, key]));
      },
      onFailure: (error) => log.warn({ err: error }, 'signing keys could not be read again yet'),
    });
    this.#clock = clock;
  }

  accepts(kid: string, nowMs: number): boolean {
    const key = this.#keys.get(kid);
    return key !== undefined && nowMs < key.acceptedUntilMs;
  }

  /** The public half of a currently valid key. */
  verifier(kid: string | undefined): CryptoKey | undefined {
    if (kid === undefined || !this.accepts(kid, this.#clock.now().getTime())) return undefined;
    return this.#keys.get(kid)!.publicKey;
  }

  /** The newest key that may sign now. */
  signer(): { kid: string; privateKey: CryptoKey } {
    const nowMs = this.#clock.now().getTime();
    const accepted = [...this.#keys.values()].filter((key) => nowMs < key.acceptedUntilMs);
    // In order of `signsFrom`. After the clock was set back none may have begun: then the first one signs.
    const signer = accepted.findLast((key) => key.signsFromMs <= nowMs) ?? accepted[0];
    if (!signer) throw new Error('There is no key to sign tokens with.');
    return signer;
  }

  /** The published keys: those that sign, those that will, and those whose last tokens are still valid. */
  published(): Static<typeof Jwks>['keys'] {
    const nowMs = this.#clock.now().getTime();
    return [...this.#keys.values()]
      .filter((key) => nowMs < key.acceptedUntilMs)
      .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }));
  }
}

async function open(row: SigningKeyRow, vault: Vault): Promise<SigningKey> {
  const sealed = { bytes: row.private_sealed, version: row.private_key_version };
  const privateJwk = JSON.parse(vault.open(sealed, row.kid)) as JWK;
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk, ALGORITHM)) as CryptoKey,
    privateKey: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey,
    signsFromMs: row.signs_from.getTime(),
    acceptedUntilMs: row.accepted_until?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}
