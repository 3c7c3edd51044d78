import type { Vault } from '#platform/vault.ts';
import { splitWords } from './fold.ts';

const MIN_PREFIX_LENGTH = 2;
const MAX_PREFIX_LENGTH = 12;

/** Follows a complete word: 'souza ' does not match 'Souzas'. */
const WORD_END = ' ';

/**
 * Builds search tokens of an encrypted text: a keyed hash of every prefix of every word ('so', 'sou', 'souz', 'souza') and of the complete
 * word ('souza '), ignoring case and accents. A text matches if it has all tokens of the query. The hashes have 64 bits, so collisions,
 * which would find unrelated texts, are very rare. `kind` separates different uses of the same key.
 */
export const buildWordTokens = (vault: Vault, kind: string, text: string): string[] =>
  hashAll(vault, kind, splitWords(text).flatMap(listPrefixes));

/**
 * Builds the tokens of a query, one for each word. Callers who see names masked must search with `wholeWords`: with prefixes they could
 * find out a name letter by letter.
 */
export const buildQueryTokens = (
  vault: Vault,
  kind: string,
  query: string,
  { wholeWords }: { wholeWords: boolean },
): string[] =>
  hashAll(
    vault,
    kind,
    splitWords(query).map((word) => (wholeWords ? `${word}${WORD_END}` : word.slice(0, MAX_PREFIX_LENGTH))),
  );

function listPrefixes(word: string): string[] {
  if (word.length <= MIN_PREFIX_LENGTH) return [word, `${word}${WORD_END}`];
  const maxLength = Math.min(word.length, MAX_PREFIX_LENGTH);
  const prefixes = Array.from({ length: maxLength - MIN_PREFIX_LENGTH + 1 }, (_, i) =>
    word.slice(0, MIN_PREFIX_LENGTH + i),
  );
  return [...prefixes, `${word}${WORD_END}`];
}

const hashAll = (vault: Vault, kind: string, texts: readonly string[]): string[] =>
  Array.from(new Set(texts), (text) => vault.hash(kind, text).readBigInt64BE().toString());
