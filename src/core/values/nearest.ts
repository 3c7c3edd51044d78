/** Finds the known word closest to a typed one; undefined if all differ by more than one letter in three. */
export function findNearest(input: string, words: readonly string[]): string | undefined {
  const [nearestWord] = words
    .map((word) => ({ word, distance: computeDistance(input, word) }))
    .filter(
      ({ word, distance }) => distance <= Math.max(1, Math.floor(Math.min(input.length, word.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance);
  return nearestWord?.word;
}

/** Whether one word is the other with one or two wrong letters. */
export const isMisspelling = (input: string, word: string): boolean =>
  Math.abs(input.length - word.length) <= 2 && computeDistance(input, word) <= (word.length > 8 ? 2 : 1);

/** Computes the edit distance: the number of letters that must be added, removed, changed or swapped with their neighbour. */
function computeDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitutionDistance = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, substitutionDistance);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) distance = Math.min(distance, rows[i - 2]![j - 2]! + 1);
      row.push(distance);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
