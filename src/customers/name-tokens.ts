import { words } from '#catalog';
import type { Vault } from '#platform/vault.ts';

const SHORTEST = 2;
const LONGEST = 12;

/**
 * A name as it is searched by: a keyed hash of every beginning of every word, without case and accents, 'so', 'sou', 'souz', 'souza'.
 * Who has all tokens of what is looked for is found. 64 bits: two beginnings that meet would show somebody too many, once in ages.
 */
export const nameTokens = (vault: Vault, name: string): string[] =>
  hashAll(vault, words(name).flatMap(beginningsOf));

/** The tokens of what somebody typed: each word as far as it goes. */
export const searchTokens = (vault: Vault, typed: string): string[] =>
  hashAll(
    vault,
    words(typed).map((word) => word.slice(0, LONGEST)),
  );

function beginningsOf(word: string): string[] {
  if (word.length <= SHORTEST) return [word];
  const most = Math.min(word.length, LONGEST);
  return Array.from({ length: most - SHORTEST + 1 }, (_, i) => word.slice(0, SHORTEST + i));
}

const hashAll = (vault: Vault, texts: readonly string[]): string[] =>
  Array.from(new Set(texts), (text) => vault.hash('name', text).readBigInt64BE().toString());
