/** Masks a name for others: the first name, and the first letter of each other name. */
export function maskName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  const initial = (word: string) => `${[...word][0] ?? ''}***`;
  return others.length === 0 ? initial(first) : [first, ...others.map(initial)].join(' ');
}
