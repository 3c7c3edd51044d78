// Letters that Unicode does not decompose, as one would type them on a Brazilian keyboard. The final sigma is included
// because lower-casing depends on its position, and a prefix must not depend on where the word was cut.
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

// Portuguese without accents is ASCII. Regular expressions with Unicode properties would take twice as long.
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII_ONLY = /^[\x00-\x7f]*$/;
const LATIN_MARKS = /[\u0300-\u036f]+/g;
const ASCII_WORD = /[a-z0-9]+/g;

/**
 * Lower-cases the text and removes accents (NFKD), so that different spellings compare equal: "no 1a" finds "Nº 1ª".
 */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const unaccented = text.normalize('NFKD').toLowerCase().replace(LATIN_MARKS, '');
  if (ASCII_ONLY.test(unaccented)) return unaccented;
  return unaccented.replace(MARKS, '').replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter]!);
}

/** Splits a text into folded words: runs of letters and digits of any script. */
export function splitWords(text: string): string[] {
  const folded = fold(text);
  return folded.match(ASCII_ONLY.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** Separates the name from the slug. Sorts before any letter, so "Bar" comes before "Bar do Zé". */
const KEY_SEPARATOR = '\u0000';

/**
 * The sort key of merchants in order of name, to be compared with `<`. Merchants with the same name are ordered by slug. Every list
 * of merchants uses this key, so that lists and search results agree.
 */
export function buildNameKey(name: string, slug: string): string {
  return joinNameKey(splitWords(name), slug);
}

export function joinNameKey(nameWords: string[], slug: string): string {
  return nameWords.join(' ') + KEY_SEPARATOR + slug;
}
