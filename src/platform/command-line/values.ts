import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isText } from '../http/formats.ts';
import { type Arguments, UsageFault } from './command.ts';

/** A required option with a text. */
export function readText(args: Arguments, name: string, most: number): string {
  const text = args.option(name)?.trim() ?? '';
  if (!isText(text) || text.length > most) throw new UsageFault(`--${name} has 1 to ${most} characters.`);
  return text;
}

/**
 * A phone in any common notation, as E.164: +5511987654321, 11 98765-4321 and (11) 98765-4321 are the same. Null: not a phone.
 */
export function readPhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false });
  return phone?.isValid() ? phone.number : null;
}

/** A customer's id or phone. Anything else is searched for unchanged, and not found. */
export function readCustomer(text: string): string {
  return readPhone(text) ?? text.trim();
}
