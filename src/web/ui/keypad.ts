/** The key that takes back the last one. */
export const BACK = '<';
export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0', BACK];
const LONGEST = 8;

/** What an amount is after a key of the keypad: 45, 45, and 45,9. */
export function press(typed: string, key: string): string {
  if (key === BACK) return typed.slice(0, -1);
  if (key === ',') return typed.includes(',') ? typed : `${typed || '0'},`;
  if (!/^\d$/.test(key) || /,\d\d$/.test(typed) || typed.length >= LONGEST) return typed;
  return typed === '0' ? key : typed + key;
}
