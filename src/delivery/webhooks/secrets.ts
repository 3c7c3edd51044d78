import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Sealed, Vault } from '#platform/vault.ts';
import type { EndpointRow } from './store.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The newest first. */
export type Secrets = readonly [current: string, ...old: string[]];

export const sealSecrets = (vault: Vault, endpointId: string, secrets: Secrets): Sealed =>
  vault.seal(secrets.join(' '), endpointId);

export const openSecrets = (vault: Vault, { id, secrets, key_version }: EndpointRow): Secrets =>
  vault.open({ bytes: secrets, version: key_version }, id).split(' ') as [string, ...string[]];

/** Cached per secret: creating it costs four times as much as a signature. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.slice(PREFIX.length), 'base64');

export const signingNow = <T>(newestFirst: readonly T[], oldUntil: Date | null, now: Date): readonly T[] =>
  oldUntil && oldUntil > now ? newestFirst : newestFirst.slice(0, 1);

/** Standard Webhooks: one signature for each key. */
export function signedHeaders(keys: readonly KeyObject[], id: string, body: string, now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
