import { randomInt } from 'node:crypto';

/**
 * Referral codes can be read aloud in Portuguese: the alphabet has no characters that look alike (0 and O, 1, I and L), and only one
 * of each group that sounds alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis).
 */
const ALPHABET = '2345789AFHJKMPRUWXY';
const LENGTH = 8;

export function newReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
