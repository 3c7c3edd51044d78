import { randomBase62, randomText } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';

/** Either lets whoever knows it claim an open offer: the token in the link, the code to be typed. */
export type ClaimKeys = { readonly token: string; readonly code: string };

/** No two can be mistaken for each other: neither 0 and O, 1, I and L, 2 and Z, 5 and S, 6 and G, 8 and B, nor U and V. */
const CODE_CHARACTERS = 'ACDEFHJKMNPQRTWXY34679';
const CODE_LENGTH = 8;
export const CODE_PATTERN = `^[${CODE_CHARACTERS}]{${CODE_LENGTH}}$`;

/** 22 characters of base62 are 131 bits. 8 of these are 36: guesses at codes are limited. */
export const newClaimKeys = (): ClaimKeys => ({
  token: randomBase62(22),
  code: randomText(CODE_LENGTH, CODE_CHARACTERS),
});

export const hashToken = (vault: Vault, token: string): Buffer => vault.hash('token of an offer', token);

/** In whatever case, and with whatever spaces and dashes, it is typed. */
export const hashCode = (vault: Vault, code: string): Buffer =>
  vault.hash('code of an offer', code.replace(/[\s\p{Dash}]/gu, '').toUpperCase());

export const sealClaimKeys = (vault: Vault, offerId: string, { token, code }: ClaimKeys): Buffer =>
  vault.pack(`${token} ${code}`, `claim keys of ${offerId}`);

export function openClaimKeys(vault: Vault, offerId: string, sealed: Buffer): ClaimKeys {
  const [token = '', code = ''] = vault.unpack(sealed, `claim keys of ${offerId}`).split(' ');
  return { token, code };
}
