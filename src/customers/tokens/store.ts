import type { JWK } from 'jose';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Sealed } from '#platform/vault.ts';

export type SigningKeyRow = {
  kid: string;
  /** Of an Ed25519 key. */
  public_jwk: { kty: 'OKP'; crv: string; x: string };
  private_sealed: Buffer;
  private_key_version: number;
  created_at: Date;
  signs_from: Date;
  accepted_until: Date | null;
};

/** One rotation at a time, and one first key however many nodes start together. */
export const lockSigningKeys = (tx: Tx) => tx.run(sql`lock table signing_keys in share row exclusive mode`);

export const listSigningKeys = (db: Queryable) =>
  db.rows<SigningKeyRow>(sql`select * from signing_keys order by signs_from, kid`);

export const insertSigningKey = (
  tx: Tx,
  key: { kid: string; publicJwk: JWK; sealed: Sealed; createdAt: Date; signsFrom: Date },
) =>
  tx.run(sql`
    insert into signing_keys (kid, public_jwk, private_sealed, private_key_version, created_at, signs_from)
    values (${key.kid}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.sealed.bytes}, ${key.sealed.version},
            ${key.createdAt}, ${key.signsFrom})`);

/** Never later than its planned end. */
export const markAcceptedUntil = (tx: Tx, until: Date) =>
  tx.run(sql`update signing_keys set accepted_until = least(accepted_until, ${until}::timestamptz)`);

export const updateSealedKey = (tx: Tx, kid: string, sealed: Sealed) =>
  tx.run(sql`
    update signing_keys set private_sealed = ${sealed.bytes}, private_key_version = ${sealed.version}
    where kid = ${kid}`);

export const purgeSigningKeys = (db: Queryable, before: Date) =>
  db.run(sql`delete from signing_keys where accepted_until < ${before}`);
