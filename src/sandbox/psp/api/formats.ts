export const CPF = /^\d{11}$/;
export const CNPJ = /^[0-9A-Z]{14}$/;

export const isTxid = (text: string): boolean => /^[a-zA-Z0-9]{26,35}$/.test(text);

export const isEndToEndId = (text: string): boolean => /^[a-zA-Z0-9]{32}$/.test(text);

export const isRecId = (text: string): boolean => /^[a-zA-Z0-9]{29}$/.test(text);

export const isLocationId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The unguessable part of a location. */
export const isLocationToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

export const isPixKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,77}$/.test(value);

/** Text that a payer's app can show: no control characters, no lone surrogates. */
export function isLine(value: unknown, minLength: number, maxLength: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}
