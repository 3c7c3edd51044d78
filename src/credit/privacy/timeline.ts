import { formatReais } from '#core/values/money.ts';
import { sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import {
  formatBrazilianDay,
  type ListTimeline,
  mergeTimelines,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { listAuthorNames } from '../returns/authors.ts';

type Purchase = {
  total: number;
  hash: string;
  merchant_name: string;
  purchased_at: Date;
  financed_cents: number;
  total_cents: number;
  installments_total: number;
};

const listPurchases: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Purchase>(sql`
    select count(*) over () as total, hash, merchant_name, purchased_at, financed_cents, total_cents, installments_total
    from checkouts where customer_id = ${customerId} order by purchased_at desc, hash desc limit ${limit}`);
  return toTimelinePage(rows, (row) => {
    const cost = row.total_cents === row.financed_cents ? '' : `, ${formatReais(row.total_cents)} no total`;
    const installments =
      row.installments_total === 1 ? '1 parcela' : `${row.installments_total} parcelas semanais`;
    return {
      at: row.purchased_at,
      kind: 'purchase',
      checkout_hash: row.hash,
      text: `Compra de ${formatReais(row.financed_cents)} em ${row.merchant_name}, em ${installments}${cost}.`,
    };
  });
};

type Return = {
  total: number;
  checkout_hash: string;
  merchant_name: string;
  amount_cents: number;
  returned_at: Date;
  returned_by: string;
};

const listReturns: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Return>(sql`
    select count(*) over () as total, r.checkout_hash, c.merchant_name, r.amount_cents, r.returned_at, r.returned_by
    from returns r join checkouts c on c.customer_id = r.customer_id and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and c.customer_id = ${customerId} order by r.position desc limit ${limit}`);
  const names = await listAuthorNames(db, pluck(rows, 'returned_by'));
  return toTimelinePage(
    rows,
    ({ checkout_hash, merchant_name, amount_cents, returned_at: at, returned_by }) => {
      const author = names.get(returned_by);
      const description = `Devolução de ${formatReais(amount_cents)} da compra em ${merchant_name}`;
      return {
        at,
        kind: 'return',
        checkout_hash,
        text: author ? `${description}, por ${author}.` : `${description}.`,
        masked: `${description}.`,
      };
    },
  );
};

type Receipt = {
  total: number;
  reference: string;
  source: string;
  checkout_hash: string;
  installment_id: string;
  number: number;
  installments_total: number;
  merchant_name: string;
  received_at: Date;
  amount_cents: number;
  outcome: 'payment' | 'extension' | 'nothing';
  extended_to: string | null;
};

const SOURCE_TEXTS: Record<string, string> = { pix: ' por Pix', cashback: ' com cashback' };

const listReceipts: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Receipt>(sql`
    select count(*) over () as total, r.reference, r.source, r.checkout_hash, r.installment_id, i.number,
           c.installments_total, c.merchant_name, r.received_at, r.amount_cents, r.outcome, r.extended_to
    from receipts r
    join installments i on i.customer_id = r.customer_id and i.id = r.installment_id
    join checkouts c on c.customer_id = r.customer_id and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and i.customer_id = ${customerId} and c.customer_id = ${customerId} and r.part = 0
    order by r.received_at desc, r.position desc limit ${limit}`);
  return toTimelinePage(rows, (row) => ({
    at: row.received_at,
    kind: row.outcome === 'extension' ? 'extension' : 'payment',
    checkout_hash: row.checkout_hash,
    installment_id: row.installment_id,
    ...(row.source === 'pix' && { end_to_end_id: row.reference }),
    text: describeReceipt(row),
  }));
};

function describeReceipt(row: Receipt): string {
  const which = `parcela ${row.number} de ${row.installments_total} (${row.merchant_name})`;
  const amount = `${formatReais(row.amount_cents)}${SOURCE_TEXTS[row.source] ?? ''}`;
  if (row.extended_to !== null)
    return `Prorrogação da ${which} até ${formatBrazilianDay(row.extended_to)}, por ${amount}.`;
  if (row.outcome === 'payment') return `Pagamento de ${amount}: ${which}.`;
  return `Chegaram ${amount} para a ${which}, que nada mais devia.`;
}

export const creditTimeline = mergeTimelines(listReturns, listReceipts, listPurchases);
