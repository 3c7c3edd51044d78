import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { NO_FAULTS } from './faults.ts';
import { findSettings, insertSettings } from './store/settings.ts';

type TokenClaims = { scopes: string[]; expiresAtMs: number };

/** The bank's secrets, created on its first start and shared by all nodes. */
export type BankKeys = {
  /** Identifies the database behind a simulator. */
  simulatorId: string;
  jwks: { keys: JWK[] };
  /** Returns a compact JWS. Its header `jku` is the URL of the public key. */
  sign(payload: unknown, jku: string): Promise<string>;
  issueToken(claims: TokenClaims): string;
  /** Returns null if this bank did not issue the token. */
  readToken(token: string): TokenClaims | null;
};

const KEY_ID = 'psp-simulator-1';

export async function openKeys(db: Db): Promise<BankKeys> {
  const { simulator_id, signing_key, token_secret } = (await findSettings(db)) ?? (await createSettings(db));
  const privateKey = (await importJWK(signing_key, 'RS256')) as CryptoKey;
  const { kty, n, e } = signing_key;
  const computeMac = (text: string) => createHmac('sha256', token_secret).update(text).digest();
  return {
    simulatorId: simulator_id,
    jwks: { keys: [{ kty, n, e, kid: KEY_ID, use: 'sig', alg: 'RS256', key_ops: ['verify'] } as JWK] },
    sign: (payload, jku) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWS', kid: KEY_ID, jku })
        .sign(privateKey),
    issueToken(claims) {
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${body}.${computeMac(body).toString('base64url')}`;
    },
    readToken(token) {
      const [body = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = computeMac(body);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
    },
  };
}

async function createSettings(db: Db) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  await insertSettings(db, {
    simulator_id: newId('psp', new Date()),
    token_secret: randomBytes(32),
    signing_key: await exportJWK(privateKey),
    faults: NO_FAULTS,
  });
  return (await findSettings(db))!;
}
