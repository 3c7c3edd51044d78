import type { Sent } from '../server/visit.ts';

/** What is in the field, in reais: 1.234,56. What is no amount is refused by the service. */
export const amountIn = (sent: Sent, name: string): number =>
  Number(
    sent
      .text(name)
      .replace(/^R\$\s*/, '')
      .replaceAll('.', '')
      .replace(',', '.'),
  );
