import { RECEIPT_SOURCES, type ReceiptSource } from '#core/finance/receipts.ts';
import { type Day, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { formatReais } from '#core/values/money.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { DocumentContent } from '#platform/documents/document.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import {
  buildCreditorFacts,
  buildCreditorFooter,
  buildPersonFacts,
  type Creditor,
  type Person,
} from './parties.ts';

/** Builds a document with a customer's payments in a year (Lei 12.007/2009), and the current debt of the purchases until its end. */
export async function buildStatement(
  db: Queryable,
  options: {
    customerId: string;
    year: number;
    person: Person;
    creditor: Creditor;
    now: Date;
  },
): Promise<DocumentContent> {
  const { customerId, year, person, creditor, now } = options;
  const [payments, purchases] = await Promise.all([
    listPaymentsInYear(db, customerId, year),
    listPurchasesUntilYearEnd(db, customerId, year),
  ]);
  const total = payments.reduce((sum, { paid_cents, charges_cents }) => sum + paid_cents + charges_cents, 0);
  const unpaidPurchases = purchases.filter(({ outstanding_cents }) => outstanding_cents > 0);
  const today = formatBrazilianDay(saoPauloDay(now.getTime()));
  return {
    title: `Extrato de ${year}`,
    createdAt: now,
    footer: buildCreditorFooter(creditor),
    blocks: [
      buildCreditorFacts(creditor),
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
                RECEIPT_SOURCES[payment.source].label,
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

/** A payment: `paid_cents` is its part for agreed amounts, and `charges_cents` its part for penalties and fees. */
type PaymentLine = {
  received_at: Date;
  merchant_name: string;
  number: number;
  installments_total: number;
  source: ReceiptSource;
  paid_cents: number;
  charges_cents: number;
};

/** Lists payments of a year that paid something and were not reversed. The columns `elsewhere…` are the part for other installments. */
async function listPaymentsInYear(db: Queryable, customerId: string, year: number): Promise<PaymentLine[]> {
  const from = new Date(startOfDay(`${year}-01-01` as Day));
  const to = new Date(endOfDay(`${year}-12-31` as Day));
  return db.rows(sql`
    select r.received_at, c.merchant_name, i.number, c.installments_total, r.source,
           r.principal_cents + r.elsewhere_principal_cents as paid_cents,
           r.interest_cents + r.fine_cents + r.fee_cents + r.elsewhere_cents - r.elsewhere_principal_cents as charges_cents
    from receipts r
    join installments i on i.customer_id = ${customerId} and i.id = r.installment_id
    join checkouts c on c.customer_id = ${customerId} and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and r.outcome <> 'nothing' and r.reversed_at is null
      and r.received_at >= ${from} and r.received_at < ${to}
    order by r.received_at, r.position`);
}

type PurchaseLine = {
  hash: string;
  merchant_name: string;
  purchased_at: Date;
  total_cents: number;
  outstanding_cents: number;
};

async function listPurchasesUntilYearEnd(db: Queryable, customerId: string, year: number) {
  const to = new Date(endOfDay(`${year}-12-31` as Day));
  return db.rows<PurchaseLine>(sql`
    select hash, merchant_name, purchased_at, total_cents, outstanding_cents from checkouts
    where customer_id = ${customerId} and purchased_at < ${to} order by purchased_at, hash`);
}
