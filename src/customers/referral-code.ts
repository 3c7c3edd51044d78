import { randomInt } from 'node:crypto';

/**
 * Made to be read aloud, in Portuguese too: nothing that looks like something else (0 and O, 1, I and L), and of the many
 * letters that sound alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis) only one each.
 */
const ALPHABET = '2345789AFHJKMPRUWXY';
const LENGTH = 8;

export function newReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
