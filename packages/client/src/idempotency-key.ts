/** Creates a random key. React Native, and pages that are not served over https, have no `crypto.randomUUID`. */
export const newIdempotencyKey = (): string => {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  if (crypto?.randomUUID) return crypto.randomUUID();
  const generateHexDigit = () => Math.floor(Math.random() * 16).toString(16);
  return Array.from({ length: 32 }, generateHexDigit).join('');
};
