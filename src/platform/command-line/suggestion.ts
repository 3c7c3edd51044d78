import { nearestOf } from '#core/nearest.ts';

/** ' Did you mean ...?' for a word that is close to one of those known, otherwise nothing. */
export function didYouMean(typed: string, known: readonly string[], show = (word: string) => word): string {
  const best = nearestOf(typed, known);
  return best ? ` Did you mean '${show(best)}'?` : '';
}

/** The same for commands: their words may be in another order, and arguments may follow. */
export function suggestCommand(words: readonly string[], names: readonly string[]): string {
  const inOrder = (some: readonly string[]) => some.toSorted().join(' ');
  const turned = names.find((name) => {
    const expected = name.split(' ');
    return inOrder(words.slice(0, expected.length)) === inOrder(expected);
  });
  const groups = new Set(names.map((name) => name.split(' ')[0]!));
  const known = words.length > 1 ? names : [...groups];
  const asTyped = (name: string) => `semana ${name}`;
  return turned
    ? ` Did you mean '${asTyped(turned)}'?`
    : didYouMean(words.slice(0, 2).join(' '), known, asTyped);
}
