const MAX_LENGTH = 300;
/** Eight digits or more, with any punctuation: a CPF, CNPJ, phone or account number, but no status or year. */
const LONG_NUMBERS = /\+?\d(?:[\s.\-/()]{0,2}\d){7,}/g;
const EMAIL_ADDRESSES = /[^\s@"'<>]+@[^\s@"'<>]+/g;

/** Removes known secrets, and what looks like personal data, from a PSP's text, so that it may be logged and displayed. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= 3) redacted = redacted.replaceAll(new RegExp(escapeRegExp(secret), 'gi'), '…');
  }
  return redacted
    .replace(EMAIL_ADDRESSES, '…')
    .replace(LONG_NUMBERS, '…')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH)
    .trim();
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
