import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { CALM } from './faults.ts';
import { findSettings, insertSettings } from './store/settings.ts';

type TokenClaims = { scopes: string[]; expiresAtMs: number };

/** The bank's secrets, created on its first start and shared by all nodes. */
export type BankKeys = {
  /** Identifies the database behind a simulator. */
  simulatorId: string;
  jwks: { keys: JWK[] };
  /** A compact JWS whose header (`jku`) names the address of the public key. */
  sign(payload: unknown, jku: string): Promise<string>;
  issueToken(claims: TokenClaims): string;
  /** null when this bank did not issue it. */
  readToken(token: string): TokenClaims | null;
};

const KEY_ID = 'psp-simulator-1';

export async function openKeys(db: Db): Promise<BankKeys> {
  const { simulator_id, signing_key, token_secret } = (await findSettings(db)) ?? (await makeSettings(db));
  const privateKey = (await importJWK(signing_key, 'RS256')) as CryptoKey;
  const { kty, n, e } = signing_key;
  const mac = (text: string) => createHmac('sha256', token_secret).update(text).digest();
  return {
    simulatorId: simulator_id,
    jwks: { keys: [{ kty, n, e, kid: KEY_ID, use: 'sig', alg: 'RS256', key_ops: ['verify'] } as JWK] },
    sign: (payload, jku) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWS', kid: KEY_ID, jku })
        .sign(privateKey),
    issueToken(claims) {
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${body}.${mac(body).toString('base64url')}`;
    },
    readToken(token) {
      const [body = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = mac(body);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
    },
  };
}

async function makeSettings(db: Db) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  await insertSettings(db, {
    simulator_id: newId('psp', new Date()),
    token_secret: randomBytes(32),
    signing_key: await exportJWK(privateKey),
    faults: CALM,
  });
  return (await findSettings(db))!;
}
