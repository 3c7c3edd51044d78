import type { Sent } from '../server/visit.ts';

/** In reais: 1.234,56, or 1234.56. What is no amount is refused by the service. */
export function readAmount(text: string): number {
  const plain = text.trim().replace(/^R\$\s*/, '');
  return Number(/^-?\d+\.\d{1,2}$/.test(plain) ? plain : plain.replaceAll('.', '').replace(',', '.'));
}

/** What is in the field. */
export const amountIn = (sent: Sent, name: string): number => readAmount(sent.text(name));
