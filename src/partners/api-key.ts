import { createHash } from 'node:crypto';
import type { Role } from '#platform/http/access.ts';
import { randomBase62 } from '#platform/ids.ts';

export const SCOPES = ['public', 'wallet', 'merchant', 'till', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** The data of an API key that nodes cache. Only the partner has the secret. */
export type ApiKey = {
  id: string;
  partnerId: string;
  scopes: Scope[];
  allowedOrigins: string[];
  /** Origins that the page of an offer created with the key may link back to. */
  returnOrigins: string[];
  requestsPerMinute: number | null;
  /** Whether a partner's server uses the key: its header x-client-ip has the consumer's IP address. */
  backend: boolean;
  expiresAt: Date | null;
  /** The merchant of the key. Set if and only if the key has the scope `merchant`. */
  merchantId: number | null;
  /** The staff user of the key. This and `role` are set if and only if the key has the scope `operator`. */
  staffUserId: string | null;
  role: Role | null;
};

export const DEFAULT_REQUESTS_PER_MINUTE = 1_200;

/** 43 characters of base62 have 256 bits. The prefix lets secret scanners find a leaked key. */
export function newSecret(mode: 'sandbox' | 'live'): string {
  return `semana_${mode}_${randomBase62(43)}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Returns the first characters of a secret: enough to recognise a key in a list, far too few to guess it. */
export function buildHint(secret: string): string {
  const length = secret.startsWith('semana_') ? secret.indexOf('_', 'semana_'.length) + 5 : 8;
  return `${secret.slice(0, length)}…`;
}
