import { createHash } from 'node:crypto';
import { randomBase62 } from '#platform/ids.ts';
import type { Mode } from '#platform/settings.ts';

export const SCOPES = ['public', 'wallet', 'merchant', 'till', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_REQUESTS_PER_MINUTE = 1_200;

/** 43 characters of base62 have 256 bits. The prefix lets secret scanners find a leaked key. */
export const newSecret = (mode: Mode): string => `semana_${mode}_${randomBase62(43)}`;

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Returns the first characters of a secret: enough to recognise a key in a list, far too few to guess it. */
export function buildHint(secret: string): string {
  const length = secret.startsWith('semana_') ? secret.indexOf('_', 'semana_'.length) + 5 : 8;
  return `${secret.slice(0, length)}…`;
}
