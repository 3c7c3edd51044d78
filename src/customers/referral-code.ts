import { randomText } from '#platform/ids.ts';

/**
 * Referral codes can be read aloud in Portuguese: the alphabet has no characters that look alike (0 and O, 1, I and L), and only one
 * of each group that sounds alike (bê, cê, dê, ...; eme, ene; efe, esse; três, seis).
 */
const ALPHABET = '2345789AFHJKMPRUWXY';
const LENGTH = 8;

export const newReferralCode = (): string => randomText(LENGTH, ALPHABET);
