import { randomBase62, randomText } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';

/** The two secrets of an open offer: the token in its link, and the code that customers type. Either allows a customer to claim it. */
export type ClaimKeys = { readonly token: string; readonly code: string };

/** Excludes characters that look alike: 0 and O, 1, I and L, 2 and Z, 5 and S, 6 and G, 8 and B, U and V. */
const CODE_CHARACTERS = 'ACDEFHJKMNPQRTWXY34679';
const CODE_LENGTH = 8;
export const CODE_PATTERN = `^[${CODE_CHARACTERS}]{${CODE_LENGTH}}$`;

/** The token has 131 bits and cannot be guessed. The code has only 36 bits, so wrong codes are counted and limited. */
export const generateClaimKeys = (): ClaimKeys => ({
  token: randomBase62(22),
  code: randomText(CODE_LENGTH, CODE_CHARACTERS),
});

export const hashToken = (vault: Vault, token: string): Buffer => vault.hash('token of an offer', token);

/** Ignores case, spaces and dashes, which people type differently. */
export const hashCode = (vault: Vault, code: string): Buffer =>
  vault.hash('code of an offer', code.replace(/[\s\p{Dash}]/gu, '').toUpperCase());

export const formatClaimKeys = ({ token, code }: ClaimKeys): string => `${token} ${code}`;

export function parseClaimKeys(text: string): ClaimKeys {
  const [token = '', code = ''] = text.split(' ');
  return { token, code };
}
