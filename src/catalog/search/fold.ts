// Letters that Unicode does not decompose, as a Brazilian keyboard would write them. The final sigma is here
// because lower-casing picks it by position, and a prefix must not depend on where the word was cut.
const UNDECOMPOSED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};
const UNDECOMPOSED_LETTER = /[ßæœøđðþłħıς]/g;
const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

// Portuguese without its accents is ASCII, for which regular expressions over Unicode properties take twice as long.
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII_ONLY = /^[\x00-\x7f]*$/;
const LATIN_MARKS = /[\u0300-\u036f]+/g;
const ASCII_WORD = /[a-z0-9]+/g;

/**
 * The text in lower case and without accents (NFKD), so that different spellings compare equal: "Nº 1ª" is found by
 * "no 1a".
 */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const unaccented = text.normalize('NFKD').toLowerCase().replace(LATIN_MARKS, '');
  if (ASCII_ONLY.test(unaccented)) return unaccented;
  return unaccented.replace(MARKS, '').replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter]!);
}

/** The folded words of a text: runs of letters and digits of any script. */
export function words(text: string): string[] {
  const folded = fold(text);
  return folded.match(ASCII_ONLY.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** Separates name from slug in a name key: sorts before any letter, so "Bar" comes before "Bar do Zé". */
const KEY_SEPARATOR = '\u0000';

/**
 * Merchants in order of name: compare these with `<`. The slug settles namesakes. Lists that stand beside search
 * results should sort by the same key.
 */
export function nameKey(name: string, slug: string): string {
  return nameKeyOfWords(words(name), slug);
}

export function nameKeyOfWords(nameWords: string[], slug: string): string {
  return nameWords.join(' ') + KEY_SEPARATOR + slug;
}
