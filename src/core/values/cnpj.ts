declare const cnpjBrand: unique symbol;

/** A company's taxpayer number: fourteen digits with valid check digits. */
export type Cnpj = string & { readonly [cnpjBrand]: true };

/** Accepts `11222333000181` and `11.222.333/0001-81`; null for anything else, wrong check digits and fourteen equal digits. */
export function parseCnpj(text: unknown): Cnpj | null {
  if (typeof text !== 'string' || !/^(\d{14}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (/^(\d)\1{13}$/.test(digits)) return null; // 00.000.000/0000-00 has valid check digits, but is not assigned
  const isValid =
    computeCheckDigit(digits.slice(0, 12)) === Number(digits[12]) &&
    computeCheckDigit(digits.slice(0, 13)) === Number(digits[13]);
  return isValid ? (digits as Cnpj) : null;
}

/** Formats as `11.222.333/0001-81`. */
export const formatCnpj = (cnpj: Cnpj): string =>
  cnpj.replace(/^(\d{2})(\d{3})(\d{3})(\d{4})(\d{2})$/, '$1.$2.$3/$4-$5');

/** The weights from the right are 2 to 9, repeated. The check digit is 11 less the sum modulo 11, where 10 and 11 count as 0. */
function computeCheckDigit(digits: string): number {
  let total = 0;
  for (let i = 0; i < digits.length; i++) total += Number(digits[i]) * (2 + ((digits.length - 1 - i) % 8));
  const remainder = total % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
