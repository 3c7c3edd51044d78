/** Masks a name for others: the first name, and the first letter of each other name. */
export function maskName(name: string): string {
  const [firstName = '', ...otherNames] = name.trim().split(/\s+/);
  const maskWord = (word: string) => `${[...word][0] ?? ''}***`;
  return otherNames.length === 0 ? maskWord(firstName) : [firstName, ...otherNames.map(maskWord)].join(' ');
}
