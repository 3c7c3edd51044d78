import type { Vault } from '#platform/vault.ts';
import { words } from './fold.ts';

const SHORTEST = 2;
const LONGEST = 12;

/**
 * Search tokens of a sealed text: a keyed hash of every prefix of every word ('so', 'sou', 'souz', 'souza'), ignoring case and
 * accents. A text matches if it has all tokens of the query. Hashes have 64 bits: a collision, which would show one result too
 * many, is very rare. `kind` separates uses of the same key.
 */
export const wordTokens = (vault: Vault, kind: string, text: string): string[] =>
  hashAll(vault, kind, words(text).flatMap(beginningsOf));

/** The tokens of a query: one for each typed word. */
export const searchTokens = (vault: Vault, kind: string, typed: string): string[] =>
  hashAll(
    vault,
    kind,
    words(typed).map((word) => word.slice(0, LONGEST)),
  );

function beginningsOf(word: string): string[] {
  if (word.length <= SHORTEST) return [word];
  const most = Math.min(word.length, LONGEST);
  return Array.from({ length: most - SHORTEST + 1 }, (_, i) => word.slice(0, SHORTEST + i));
}

const hashAll = (vault: Vault, kind: string, texts: readonly string[]): string[] =>
  Array.from(new Set(texts), (text) => vault.hash(kind, text).readBigInt64BE().toString());
