import { findNearest } from '#core/values/nearest.ts';

/** Returns ' Did you mean ...?' if the word is close to a known one, otherwise an empty text. */
export function didYouMean(typed: string, known: readonly string[], format = (word: string) => word): string {
  const best = findNearest(typed, known);
  return best ? ` Did you mean '${format(best)}'?` : '';
}

/** Like `didYouMean`, for commands: the words may be in another order, and arguments may follow. */
export function suggestCommand(words: readonly string[], names: readonly string[]): string {
  const sortWords = (list: readonly string[]) => list.toSorted().join(' ');
  const reordered = names.find((name) => {
    const expected = name.split(' ');
    return sortWords(words.slice(0, expected.length)) === sortWords(expected);
  });
  const groups = new Set(names.map((name) => name.split(' ')[0]!));
  const known = words.length > 1 ? names : [...groups];
  const toCommandLine = (name: string) => `semana ${name}`;
  return reordered
    ? ` Did you mean '${toCommandLine(reordered)}'?`
    : didYouMean(words.slice(0, 2).join(' '), known, toCommandLine);
}
