import { createHmac, randomBytes } from 'node:crypto';
import type { Sealed, Vault } from '#platform/vault.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The newest first. */
export type Secrets = readonly [current: string, ...old: string[]];

export const sealSecrets = (vault: Vault, endpointId: string, secrets: Secrets): Sealed =>
  vault.seal(secrets.join(' '), endpointId);

export const openSecrets = (vault: Vault, endpointId: string, sealed: Sealed): Secrets =>
  vault.open(sealed, endpointId).split(' ') as [string, ...string[]];

/** Those that sign now. */
export const signingSecrets = (secrets: readonly string[], oldUntil: Date | null, now: Date) =>
  oldUntil && oldUntil > now ? secrets : secrets.slice(0, 1);

/** Standard Webhooks: one signature for each secret. */
export function signedHeaders(secrets: readonly string[], id: string, body: string, now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
