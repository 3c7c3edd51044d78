import type { JWK } from 'jose';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Ciphertext } from '#platform/vault.ts';

export type SigningKeyRow = {
  kid: string;
  /** An Ed25519 public key. */
  public_jwk: { kty: 'OKP'; crv: string; x: string };
  private_sealed: Buffer;
  private_key_version: number;
  created_at: Date;
  signs_from: Date;
  accepted_until: Date | null;
};

/** Serializes rotations, and the creation of the first key by nodes that start concurrently. */
export const lockSigningKeys = (tx: Tx) => tx.run(sql`lock table signing_keys in share row exclusive mode`);

export const listSigningKeys = (db: Queryable) =>
  db.rows<SigningKeyRow>(sql`select * from signing_keys order by signs_from, kid`);

export const insertSigningKey = (
  tx: Tx,
  key: { kid: string; publicJwk: JWK; ciphertext: Ciphertext; createdAt: Date; signsFrom: Date },
) =>
  tx.run(sql`
    insert into signing_keys (kid, public_jwk, private_sealed, private_key_version, created_at, signs_from)
    values (${key.kid}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.ciphertext.bytes}, ${key.ciphertext.version},
            ${key.createdAt}, ${key.signsFrom})`);

/** Limits how long existing keys are accepted. Never extends an earlier end. */
export const limitAcceptance = (tx: Tx, until: Date) =>
  tx.run(sql`update signing_keys set accepted_until = least(accepted_until, ${until}::timestamptz)`);

export const updateEncryptedKey = (tx: Tx, kid: string, ciphertext: Ciphertext) =>
  tx.run(sql`
    update signing_keys set private_sealed = ${ciphertext.bytes}, private_key_version = ${ciphertext.version}
    where kid = ${kid}`);

export const purgeSigningKeys = (db: Queryable, before: Date) =>
  db.run(sql`delete from signing_keys where accepted_until < ${before}`);
