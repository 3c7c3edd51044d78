import { saoPauloDay } from '#core/values/day.ts';
import { formatReais } from '#core/values/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { DocumentContent } from '#platform/documents/document.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import {
  buildLenderFacts,
  buildLenderFooter,
  buildPersonFacts,
  type Lender,
  type Person,
} from './parties.ts';
import { listPaidInYear, listPurchasesUntilYear } from './store.ts';

const SOURCES: Record<string, string> = { pix: 'Pix', cashback: 'cashback', manual: 'outro meio' };

/** The payments of a customer in a year (Lei 12.007/2009), and the debt on the day of the request. */
export async function buildStatement(
  db: Queryable,
  options: { customerId: string; year: number; person: Person; lender: Lender; now: Date },
): Promise<DocumentContent> {
  const { customerId, year, person, lender, now } = options;
  const [payments, purchases] = await Promise.all([
    listPaidInYear(db, customerId, year),
    listPurchasesUntilYear(db, customerId, year),
  ]);
  const total = payments.reduce((sum, { paid_cents, charges_cents }) => sum + paid_cents + charges_cents, 0);
  const unpaidPurchases = purchases.filter(({ outstanding_cents }) => outstanding_cents > 0);
  const today = formatBrazilianDay(saoPauloDay(now.getTime()));
  return {
    title: `Extrato de ${year}`,
    createdAt: now,
    footer: buildLenderFooter(lender),
    blocks: [
      buildLenderFacts(lender),
      buildPersonFacts(person),
      { heading: `Pagamentos de ${year}` },
      ...(payments.length === 0
        ? [{ text: 'Nenhum pagamento neste ano.' }]
        : [
            {
              head: ['Dia', 'Compra', 'Parcela', 'Como', 'Parcela (R$)', 'Encargos (R$)'],
              rows: payments.map((payment) => [
                formatBrazilianDay(saoPauloDay(payment.received_at.getTime())),
                payment.merchant_name,
                `${payment.number} de ${payment.installments_total}`,
                SOURCES[payment.source] ?? payment.source,
                formatReais(payment.paid_cents),
                formatReais(payment.charges_cents),
              ]),
            },
            { facts: [['Total pago', formatReais(total)] as const] },
          ]),
      { heading: `Em aberto em ${today}` },
      unpaidPurchases.length === 0
        ? { text: `Nada: as compras feitas até o fim de ${year} estão quitadas.` }
        : {
            head: ['Compra', 'Dia', 'Total', 'Em aberto'],
            rows: unpaidPurchases.map(({ merchant_name, purchased_at, total_cents, outstanding_cents }) => [
              merchant_name,
              formatBrazilianDay(saoPauloDay(purchased_at.getTime())),
              formatReais(total_cents),
              formatReais(outstanding_cents),
            ]),
          },
    ],
  };
}
