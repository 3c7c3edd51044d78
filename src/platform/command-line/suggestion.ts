/** ' Did you mean ...?' for a word close to a known one, otherwise ''. */
export function didYouMean(typed: string, known: readonly string[], show = (word: string) => word): string {
  const [best] = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(
      ({ word, distance }) => distance <= Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance);
  return best ? ` Did you mean '${show(best.word)}'?` : '';
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

/** Edit distance with transpositions (Damerau-Levenshtein). */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, changed);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
