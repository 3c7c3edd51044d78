import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import type { SignIn } from '../sign-in.ts';

/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SEAL_BYTES = 16;
const SHAPE = /^(([a-z]{3}_[0-9a-z]{26})\.(ses_[0-9a-z]{26})\.[0-9A-Za-z]{43})\.([\w-]{22})$/;

/**
 * Opaque to callers. It names its session, for a lookup by key, and ends with a MAC of ours. The session stores only the hash of
 * the newest token; the MAC distinguishes an older token from a forged one, without a row for each.
 */
export type RefreshToken = { holderId: string; sessionId: string; hash: Buffer; isOurs: boolean };

export function newRefreshToken(
  vault: Vault,
  holderId: string,
  sessionId: string,
  secret = randomBase62(SECRET_LENGTH),
): string {
  const named = `${holderId}.${sessionId}.${secret}`;
  return `${named}.${sealOf(vault, named).toString('base64url')}`;
}

/**
 * Derives the next secret, where the exchange has an Idempotency-Key: a repeated request gets the same, and nothing is stored for
 * it.
 */
export function secretAfter(vault: Vault, text: string, key: string): string {
  let rest = BigInt(`0x${vault.hash('next_refresh_token', JSON.stringify([text, key])).toString('hex')}`);
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++, rest /= 62n) secret += BASE62[Number(rest % 62n)];
  return secret;
}

/** Undefined when it is malformed, or of another kind of holder. */
export function readRefreshToken(
  { vault, holders }: Pick<SignIn, 'vault' | 'holders'>,
  text: string,
): RefreshToken | undefined {
  const [, named, holderId, sessionId, seal] = SHAPE.exec(text) ?? [];
  if (!named || !holderId || !sessionId || !seal) return undefined;
  if (!holderId.startsWith(holders.idPrefix)) return undefined;
  const isOurs = timingSafeEqual(sealOf(vault, named), Buffer.from(seal, 'base64url'));
  return { holderId, sessionId, hash: hashOf(text), isOurs };
}

/** A plain hash is enough: it has 256 bits of entropy. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sealOf(vault: Vault, named: string): Buffer {
  return vault.hash('refresh_token', named).subarray(0, SEAL_BYTES);
}
