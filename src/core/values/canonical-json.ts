/**
 * Serialises a value as JSON without whitespace and with keys sorted by UTF-16 code units (RFC 8785), so that equal values have equal
 * texts.
 */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, sortKeys);

const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
