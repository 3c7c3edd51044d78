import { RECEIPT_SOURCES } from '#core/finance/receipts.ts';
import { formatReais } from '#core/values/money.ts';
import { hashPhone } from '#customers';
import type { TableRow } from '#platform/database/columns.ts';
import { pluck, sql } from '#platform/database/db.ts';
import {
  ERASED,
  formatBrazilianDay,
  type ListTimeline,
  mergeTimelines,
  type PersonalData,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { definePersonalTables, type Row } from '#platform/privacy/personal-tables.ts';
import type { Vault } from '#platform/vault.ts';
import type { checkouts, receipts, returns } from '../generated/tables.ts';
import { hashCode, hashToken, parseClaimKeys } from '../offers/claim-keys.ts';
import { ERASED_PHONE_HASH, offerColumns } from '../offers/store.ts';
import { contractColumns } from '../purchases/contract-store.ts';
import { listAuthorNames } from '../returns/render-return.ts';

type Purchase = { total: number } & Pick<
  TableRow<typeof checkouts>,
  'hash' | 'merchant_name' | 'purchased_at' | 'financed_cents' | 'total_cents' | 'installments_total'
>;

const listPurchases: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Purchase>(sql`
    select count(*) over () as total, hash, merchant_name, purchased_at, financed_cents, total_cents, installments_total
    from checkouts where customer_id = ${customerId} order by purchased_at desc, hash desc limit ${limit}`);
  return toTimelinePage(rows, (row) => {
    const totalText =
      row.total_cents === row.financed_cents ? '' : `, ${formatReais(row.total_cents)} no total`;
    const installmentsText =
      row.installments_total === 1 ? '1 parcela' : `${row.installments_total} parcelas semanais`;
    return {
      at: row.purchased_at,
      kind: 'purchase',
      checkout_hash: row.hash,
      text: `Compra de ${formatReais(row.financed_cents)} em ${row.merchant_name}, em ${installmentsText}${totalText}.`,
    };
  });
};

type Return = { total: number; merchant_name: string } & Pick<
  TableRow<typeof returns>,
  'checkout_hash' | 'amount_cents' | 'returned_at' | 'returned_by'
>;

const listReturns: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Return>(sql`
    select count(*) over () as total, r.checkout_hash, c.merchant_name, r.amount_cents, r.returned_at, r.returned_by
    from returns r join checkouts c on c.customer_id = r.customer_id and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and c.customer_id = ${customerId} order by r.position desc limit ${limit}`);
  const authorNames = await listAuthorNames(db, pluck(rows, 'returned_by'));
  return toTimelinePage(
    rows,
    ({ checkout_hash, merchant_name, amount_cents, returned_at: at, returned_by }) => {
      const author = authorNames.get(returned_by);
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

type Receipt = { total: number; number: number; installments_total: number; merchant_name: string } & Pick<
  TableRow<typeof receipts>,
  | 'reference'
  | 'source'
  | 'checkout_hash'
  | 'installment_id'
  | 'received_at'
  | 'amount_cents'
  | 'outcome'
  | 'extended_to'
>;

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
  const installmentText = `parcela ${row.number} de ${row.installments_total} (${row.merchant_name})`;
  const amount = `${formatReais(row.amount_cents)}${RECEIPT_SOURCES[row.source].amountSuffix}`;
  if (row.extended_to !== null)
    return `Prorrogação da ${installmentText} até ${formatBrazilianDay(row.extended_to)}, por ${amount}.`;
  if (row.outcome === 'payment') return `Pagamento de ${amount}: ${installmentText}.`;
  return `Chegaram ${amount} para a ${installmentText}, que nada mais devia.`;
}

const ERASED_REASON = { reason: ERASED };

/** Tables without `erase` contain only ids, amounts and dates: they are exported, but not erased. */
export const creditPersonalData: PersonalData = {
  timeline: mergeTimelines(listReturns, listReceipts, listPurchases),
  tables: definePersonalTables({
    checkouts: {
      orderBy: 'purchased_at, hash',
      // A description can reveal much about a person.
      erase: { description: null },
      auditTrail: { kind: 'checkout', idColumn: 'hash' },
    },
    contracts: {
      orderBy: 'checkout_hash',
      columns: contractColumns,
      key: ['customer_id', 'checkout_hash'],
      render: ({ customer_id, checkout_hash, created_at, content }) => ({
        customer_id,
        checkout_hash,
        created_at,
        contract: content && (JSON.parse(content as string) as object),
      }),
      erase: 'delete',
    },
    checkout_hashes: {
      where: ({ id }) => sql`hash in (select hash from checkouts where customer_id = ${id})`,
      orderBy: 'hash',
    },
    installments: { orderBy: 'checkout_hash, number' },
    returns: { orderBy: 'position', erase: ERASED_REASON },
    waiting_returns: { orderBy: 'asked_at, id', erase: { ...ERASED_REASON, refusal: ERASED } },
    write_offs: { orderBy: 'written_off_at, id', erase: ERASED_REASON },
    receipts: { orderBy: 'position' },
    // A row is deleted within a minute.
    credit_changes: { orderBy: 'position' },
    offers: {
      where: ({ id, phone }, vault) =>
        sql`(phone_hash = ${hashPhone(vault, phone)} or phone_hash is null and customer_id = ${id})`,
      orderBy: 'created_at, id',
      columns: offerColumns,
      key: ['id'],
      omitFromExport: ['claim_sealed', 'token_hash', 'code_hash', 'phone_hash'],
      erase: {
        phone_sealed: ERASED,
        phone_hash: ERASED_PHONE_HASH,
        description: null,
        items: '[]',
        metadata: '{}',
        return_url: null,
      },
      auditTrail: { kind: 'offer', idColumn: 'id' },
      rehash: recomputeOfferHashes,
    },
  }),
  async listOpenDebts(db, customerId) {
    const [openRows, overpaidRows, waitingReturnRows] = await Promise.all([
      db.rows<HashRow>(
        sql`select hash from checkouts where customer_id = ${customerId} and settled_at is null`,
      ),
      db.rows<HashRow>(sql`
        select distinct checkout_hash as hash from receipts where customer_id = ${customerId} and excess_cents > 0`),
      db.rows<HashRow>(sql`
        select distinct checkout_hash as hash from waiting_returns
        where customer_id = ${customerId} and status = 'waiting'`),
    ]);
    return [
      {
        code: 'purchases_open',
        en: 'Purchases are not paid yet.',
        pt: 'Há compras em aberto.',
        rows: openRows,
      },
      {
        code: 'overpaid',
        en: 'Excess money has not been refunded yet.',
        pt: 'Há um valor pago a mais que ainda não foi devolvido.',
        rows: overpaidRows,
      },
      {
        code: 'return_waiting',
        en: 'A return is waiting for approval.',
        pt: 'Há uma devolução de compra esperando decisão.',
        rows: waitingReturnRows,
      },
    ].flatMap(({ rows, ...debt }) =>
      rows.length === 0 ? [] : [{ ...debt, checkouts: pluck(rows, 'hash') }],
    );
  },
};

type HashRow = { hash: string };

/** Recomputes the keyed hashes after a rotation of keys. The row is decrypted: `phone` and `claim` are the texts of the columns `…_sealed`. */
function recomputeOfferHashes(vault: Vault, row: Row) {
  const { phone, phone_hash, claim } = row as {
    phone: string | null;
    phone_hash: Buffer;
    claim: string | null;
  };
  if (claim !== null) {
    const { token, code } = parseClaimKeys(claim);
    return { token_hash: hashToken(vault, token), code_hash: hashCode(vault, code) };
  }
  // The hash of an erased phone stays erased.
  return phone === null || phone_hash.equals(ERASED_PHONE_HASH)
    ? {}
    : { phone_hash: hashPhone(vault, phone) };
}
