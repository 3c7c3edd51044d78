import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Ciphertext, Vault } from '#platform/vault.ts';
import type { WebhookRow } from './store.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

export const generateSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The secrets of a webhook, newest first. */
type Secrets = readonly [current: string, ...old: string[]];

export const encryptSecrets = (vault: Vault, webhookId: string, secrets: Secrets): Ciphertext =>
  vault.encrypt(secrets.join(' '), webhookId);

export const decryptSecrets = (vault: Vault, { id, secrets, key_version }: WebhookRow): Secrets =>
  vault.decrypt({ bytes: secrets, version: key_version }, id).split(' ') as [string, ...string[]];

/** Callers cache the key: creating it costs four times as much as a signature. */
export const createSigningKey = (secret: string): KeyObject =>
  createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64');

/** Selects the secrets or keys to sign with: the old one only until the overlap ends. */
export const selectActiveSecrets = <T>(
  secrets: readonly T[],
  oldSecretUntil: Date | null,
  now: Date,
): readonly T[] => (oldSecretUntil && oldSecretUntil > now ? secrets : secrets.slice(0, 1));

/** Builds the headers of Standard Webhooks, with one signature per key. */
export function buildSignedHeaders(keys: readonly KeyObject[], id: string, body: string, now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signedText = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
