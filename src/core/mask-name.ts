/** What somebody else may see of a name: the first name, of others the first letter. */
export function maskName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  const initial = (word: string) => `${[...word][0] ?? ''}***`;
  return others.length === 0 ? initial(first) : [first, ...others.map(initial)].join(' ');
}
