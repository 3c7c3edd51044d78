import type { Sent } from '../server/visit.ts';

/** What was typed into these fields. */
export const typed = <Name extends string>(sent: Sent, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, sent.text(name)])) as Record<Name, string>;

/** The same without those left empty. */
export const filled = <Name extends string>(sent: Sent, ...names: Name[]): Partial<Record<Name, string>> =>
  typed(sent, ...names.filter((name) => sent.text(name)));

/** In reais: 1.234,56, or 1234.56. What is no amount is refused by the service. */
export function readAmount(text = ''): number {
  const plain = text.trim().replace(/^R\$\s*/, '');
  return Number(/^-?\d+\.\d{1,2}$/.test(plain) ? plain : plain.replaceAll('.', '').replace(',', '.'));
}
export const amountIn = (sent: Sent, name: string): number => readAmount(sent.text(name));

/** Words, one a line or with commas between them. */
export const wordsIn = (sent: Sent, name: string): string[] =>
  sent
    .text(name)
    .split(/[\s,]+/)
    .filter(Boolean);

/** A moment in São Paulo; null where the field is empty. */
export const instantIn = (sent: Sent, name: string): string | null =>
  sent.text(name) ? new Date(`${sent.text(name)}:00-03:00`).toISOString() : null;
