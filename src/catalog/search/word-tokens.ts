import type { Vault } from '#platform/privacy/vault.ts';
import { words } from './fold.ts';

const SHORTEST = 2;
const LONGEST = 12;

/**
 * A text as it is searched by where nobody may read it: a keyed hash of every beginning of every word, without case and accents, 'so',
 * 'sou', 'souz', 'souza'. What has all tokens of what is looked for is found. 64 bits: two beginnings that meet would show one too
 * many, once in ages. `kind` keeps uses apart.
 */
export const wordTokens = (vault: Vault, kind: string, text: string): string[] =>
  hashAll(vault, kind, words(text).flatMap(beginningsOf));

/** The tokens of what somebody typed: each word as far as it goes. */
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
