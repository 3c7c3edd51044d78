/** Creates a random key. React Native has no `crypto.randomUUID`, nor do pages that are not served over https. */
export const newIdempotencyKey = (): string => {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  if (crypto?.randomUUID) return crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
};
