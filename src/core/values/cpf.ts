declare const cpfBrand: unique symbol;

/** A person's taxpayer number: eleven digits with valid check digits. */
export type Cpf = string & { readonly [cpfBrand]: true };

/** Accepts `12345678909` and `123.456.789-09`; null for anything else, wrong check digits and eleven equal digits. */
export function parseCpf(text: unknown): Cpf | null {
  if (typeof text !== 'string' || !/^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (/^(\d)\1{10}$/.test(digits)) return null; // 111.111.111-11 has valid check digits, but is not assigned
  const isValid =
    computeCheckDigit(digits.slice(0, 9)) === Number(digits[9]) &&
    computeCheckDigit(digits.slice(0, 10)) === Number(digits[10]);
  return isValid ? (digits as Cpf) : null;
}

/** Formats as `123.456.789-09`. */
export const formatCpf = (cpf: Cpf): string =>
  `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;

/** Masks as `***.456.789-**`, which is enough for its owner to recognize, and too little to be misused. */
export function maskCpf(cpf: Cpf): string {
  return `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;
}

/** The weight of the last digit is 2; each digit before it weighs one more. The check digit is ten times the sum modulo 11, where 10 counts as 0. */
function computeCheckDigit(digits: string): number {
  let total = 0;
  for (let i = 0; i < digits.length; i++) total += Number(digits[i]) * (digits.length + 1 - i);
  return ((total * 10) % 11) % 10;
}
