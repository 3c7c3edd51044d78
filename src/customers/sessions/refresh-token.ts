import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import type { SignIn } from '../sign-in.ts';

/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MAC_BYTES = 16;
const TOKEN_PATTERN = /^(([a-z]{3}_[0-9a-z]{26})\.(ses_[0-9a-z]{26})\.[0-9A-Za-z]{43})\.([\w-]{22})$/;

/**
 * A refresh token is opaque to callers. It contains the ids of its principal and session, for a lookup by primary key, and ends with
 * a MAC. The session stores only the hash of the newest token; the MAC (`isOurs`) distinguishes an older token from a forged one.
 */
export type RefreshToken = { principalId: string; sessionId: string; hash: Buffer; isOurs: boolean };

export function createRefreshToken(
  vault: Vault,
  principalId: string,
  sessionId: string,
  secret = randomBase62(SECRET_LENGTH),
): string {
  const payload = `${principalId}.${sessionId}.${secret}`;
  return `${payload}.${computeMac(vault, payload).toString('base64url')}`;
}

/**
 * Derives the next secret from the token and the Idempotency-Key, so that a repeated request gets the same secret without stored
 * state.
 */
export function deriveNextSecret(vault: Vault, text: string, key: string): string {
  let rest = BigInt(`0x${vault.hash('next_refresh_token', JSON.stringify([text, key])).toString('hex')}`);
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++, rest /= 62n) secret += BASE62[Number(rest % 62n)];
  return secret;
}

/** Returns undefined if the token is malformed or belongs to another kind of principal. */
export function parseRefreshToken(
  { vault, principalKind }: Pick<SignIn, 'vault' | 'principalKind'>,
  text: string,
): RefreshToken | undefined {
  const [, payload, principalId, sessionId, mac] = TOKEN_PATTERN.exec(text) ?? [];
  if (!payload || !principalId || !sessionId || !mac) return undefined;
  if (!principalId.startsWith(principalKind.idPrefix)) return undefined;
  const isOurs = timingSafeEqual(computeMac(vault, payload), Buffer.from(mac, 'base64url'));
  return { principalId, sessionId, hash: hashToken(text), isOurs };
}

/** A plain hash is sufficient, because a token has 256 bits of entropy. */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function computeMac(vault: Vault, payload: string): Buffer {
  return vault.hash('refresh_token', payload).subarray(0, MAC_BYTES);
}
