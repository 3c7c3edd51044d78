const MOST_CHARACTERS = 300;
/** Eight digits or more, with any punctuation: a CPF, CNPJ, phone or account, never a status or a year. */
const NUMBERS = /\+?\d(?:[\s.\-/()]{0,2}\d){7,}/g;
const ADDRESSES = /[^\s@"'<>]+@[^\s@"'<>]+/g;

/** A PSP's free text for logs and display: without known secrets and without what looks like personal data. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 3) clean = clean.replaceAll(new RegExp(escapeRegExp(secret), 'gi'), '…');
  }
  return clean
    .replace(ADDRESSES, '…')
    .replace(NUMBERS, '…')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MOST_CHARACTERS)
    .trim();
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
