import { randomInt } from 'node:crypto';

/**
 * Made to be read aloud, also in Portuguese: without characters that look alike (0 and O, 1, I and L), and with only one of the
 * letters that sound alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis).
 */
const ALPHABET = '2345789AFHJKMPRUWXY';
const LENGTH = 8;

export function newReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
