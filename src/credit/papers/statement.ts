import { saoPauloDay } from '#core/day.ts';
import { spokenReais } from '#core/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { Paper } from '#platform/papers/paper.ts';
import { spokenDay } from '#platform/privacy/personal-data.ts';
import { footerOf, type Lender, lenderFacts, type Person, personFacts } from './contract.ts';
import { listPaidInYear, listPurchasesUntil } from './store.ts';

const SOURCES: Record<string, string> = { pix: 'Pix', cashback: 'cashback', manual: 'outro meio' };

/** What a customer paid in a year (Lei 12.007/2009), and what is owed on the day it is asked for. */
export async function statementOf(
  db: Queryable,
  of: { customerId: string; year: number; person: Person; lender: Lender; now: Date },
): Promise<Paper> {
  const { customerId, year, person, lender, now } = of;
  const [paid, purchases] = await Promise.all([
    listPaidInYear(db, customerId, year),
    listPurchasesUntil(db, customerId, year),
  ]);
  const total = paid.reduce((sum, { paid_cents, charges_cents }) => sum + paid_cents + charges_cents, 0);
  const open = purchases.filter(({ outstanding_cents }) => outstanding_cents > 0);
  const today = spokenDay(saoPauloDay(now.getTime()));
  return {
    title: `Extrato de ${year}`,
    at: now,
    footer: footerOf(lender),
    blocks: [
      lenderFacts(lender),
      personFacts(person),
      { heading: `Pagamentos de ${year}` },
      ...(paid.length === 0
        ? [{ text: 'Nenhum pagamento neste ano.' }]
        : [
            {
              head: ['Dia', 'Compra', 'Parcela', 'Como', 'Parcela (R$)', 'Encargos (R$)'],
              rows: paid.map((line) => [
                spokenDay(saoPauloDay(line.received_at.getTime())),
                line.merchant_name,
                `${line.number} de ${line.installments_total}`,
                SOURCES[line.source] ?? line.source,
                spokenReais(line.paid_cents),
                spokenReais(line.charges_cents),
              ]),
            },
            { facts: [['Total pago', spokenReais(total)] as const] },
          ]),
      { heading: `Em aberto em ${today}` },
      open.length === 0
        ? { text: `Nada: as compras feitas até o fim de ${year} estão quitadas.` }
        : {
            head: ['Compra', 'Dia', 'Total', 'Em aberto'],
            rows: open.map(({ merchant_name, purchased_at, total_cents, outstanding_cents }) => [
              merchant_name,
              spokenDay(saoPauloDay(purchased_at.getTime())),
              spokenReais(total_cents),
              spokenReais(outstanding_cents),
            ]),
          },
    ],
  };
}
