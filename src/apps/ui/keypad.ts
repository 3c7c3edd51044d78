/** The value of the key that deletes the last character. */
export const BACKSPACE = '<';
export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0', BACKSPACE];
const MAX_LENGTH = 8;

/** Returns the typed amount after a key of the keypad: from `45`, the key `,` gives `45,`. */
export function pressKey(typedAmount: string, key: string): string {
  if (key === BACKSPACE) return typedAmount.slice(0, -1);
  if (key === ',') return typedAmount.includes(',') ? typedAmount : `${typedAmount || '0'},`;
  if (!/^\d$/.test(key) || /,\d\d$/.test(typedAmount) || typedAmount.length >= MAX_LENGTH) return typedAmount;
  return typedAmount === '0' ? key : typedAmount + key;
}
