import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '#platform/ids.ts';
import type { Vault } from '#platform/privacy/vault.ts';

/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SEAL_BYTES = 16;
const SHAPE = /^((cus_[0-9a-z]{26})\.(ses_[0-9a-z]{26})\.[0-9A-Za-z]{43})\.([\w-]{22})$/;

/**
 * Opaque to callers. It names its session, so that it is found by key, and ends with a seal of ours. The session knows only
 * the hash of the newest; an older one is told by its seal from one that we never issued, without a row for each.
 */
export type RefreshToken = { customerId: string; sessionId: string; hash: Buffer; isOurs: boolean };

export function newRefreshToken(
  vault: Vault,
  customerId: string,
  sessionId: string,
  secret = randomBase62(SECRET_LENGTH),
): string {
  const named = `${customerId}.${sessionId}.${secret}`;
  return `${named}.${sealOf(vault, named).toString('base64url')}`;
}

/** The secret of the one that follows, where the exchange has an Idempotency-Key: who repeats it gets the same, and nothing is kept for that. */
export function secretAfter(vault: Vault, text: string, key: string): string {
  let rest = BigInt(`0x${vault.hash('next_refresh_token', JSON.stringify([text, key])).toString('hex')}`);
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++, rest /= 62n) secret += BASE62[Number(rest % 62n)];
  return secret;
}

/** Undefined when it does not even look like one. */
export function readRefreshToken(vault: Vault, text: string): RefreshToken | undefined {
  const [, named, customerId, sessionId, seal] = SHAPE.exec(text) ?? [];
  if (!named || !customerId || !sessionId || !seal) return undefined;
  const isOurs = timingSafeEqual(sealOf(vault, named), Buffer.from(seal, 'base64url'));
  return { customerId, sessionId, hash: hashOf(text), isOurs };
}

/** A plain hash is enough: there are 256 bits to guess. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sealOf(vault: Vault, named: string): Buffer {
  return vault.hash('refresh_token', named).subarray(0, SEAL_BYTES);
}
