/** Finds the known word closest to a typed one; undefined if none is close enough. */
export function findNearest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, distance: computeDistance(typed, word) }))
    .filter(
      ({ word, distance }) => distance <= Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** Whether one word is the other with one or two wrong letters. */
export const isMisspelling = (typed: string, word: string): boolean =>
  Math.abs(typed.length - word.length) <= 2 && computeDistance(typed, word) <= (word.length > 8 ? 2 : 1);

/** The edit distance: letters that must be added, removed, changed or swapped with their neighbour. */
function computeDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let shortest = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, substituted);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) shortest = Math.min(shortest, rows[i - 2]![j - 2]! + 1);
      row.push(shortest);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
