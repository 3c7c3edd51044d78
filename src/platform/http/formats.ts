import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Written in E.164 and a number that can exist. */
export function isPhone(text: string): boolean {
  const number = parsePhoneNumberFromString(text);
  return number?.isValid() === true && number.number === text;
}

/** Not blank, and free of what PostgreSQL cannot hold: NUL, and in JSON half of a character, a surrogate by itself. */
export function isText(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
}
