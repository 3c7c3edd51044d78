import { createHash } from 'node:crypto';
import type { Role } from '#platform/http/access.ts';
import { randomBase62 } from '#platform/ids.ts';

export const SCOPES = ['public', 'wallet', 'merchant', 'till', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a node keeps of a key. The secret itself is with the partner only. */
export type ApiKey = {
  id: string;
  partnerId: string;
  scopes: Scope[];
  allowedOrigins: string[];
  /** Where the page of an offer made with it may lead back to. */
  returnOrigins: string[];
  requestsPerMinute: number | null;
  /** The key belongs to a partner's server: its header x-client-ip names the consumer's address. */
  backend: boolean;
  expiresAt: Date | null;
  /** The merchant it is bound to: set if and only if it has the scope `merchant`. */
  merchantId: number | null;
  /** The member of staff it belongs to; this and `role` are set if and only if it has the scope `operator`. */
  personId: string | null;
  role: Role | null;
};

export const DEFAULT_REQUESTS_PER_MINUTE = 1_200;

/** 43 characters of base62 hold 256 bits; the prefix lets secret scanners find a leaked key. */
export function newSecret(mode: 'sandbox' | 'live'): string {
  return `semana_${mode}_${randomBase62(43)}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Enough of the secret to recognise a key in a list, far too little to guess it. */
export function hintOf(secret: string): string {
  const shown = secret.startsWith('semana_') ? secret.indexOf('_', 7) + 5 : 8;
  return `${secret.slice(0, shown)}…`;
}
