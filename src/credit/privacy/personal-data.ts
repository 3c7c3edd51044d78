import { hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { personalTables, type Row } from '#platform/privacy/personal-tables.ts';
import type { Vault } from '#platform/vault.ts';
import { hashCode, hashToken, parseClaimKeys } from '../offers/claim-keys.ts';
import { ERASED_PHONE_HASH, offerColumns } from '../offers/store.ts';
import { contracts } from '../purchases/contract-store.ts';
import { creditTimeline } from './timeline.ts';

const ERASED_REASON = { reason: ERASED };

export const creditPersonalData: PersonalData = {
  timeline: creditTimeline,
  tables: personalTables({
    checkouts: {
      orderBy: 'purchased_at, hash',
      // A description can reveal much about a person.
      erase: { description: null },
      auditTrail: { kind: 'checkout', id: 'hash' },
    },
    contracts: {
      orderBy: 'checkout_hash',
      columns: contracts,
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
    offers: {
      where: ({ id, phone }, vault) =>
        sql`(phone_hash = ${hashPhone(vault, phone)} or phone_hash is null and customer_id = ${id})`,
      orderBy: 'created_at, id',
      columns: offerColumns,
      key: ['id'],
      omit: ['claim_sealed', 'token_hash', 'code_hash', 'phone_hash'],
      erase: {
        phone_sealed: ERASED,
        phone_hash: ERASED_PHONE_HASH,
        description: null,
        items: '[]',
        metadata: '{}',
        return_url: null,
      },
      auditTrail: { kind: 'offer', id: 'id' },
      rehash: rehashOffer,
    },
  }),
  async listOpenDebts(db, customerId) {
    const [open, excess, waiting] = await Promise.all([
      db.rows<Hash>(sql`select hash from checkouts where customer_id = ${customerId} and settled_at is null`),
      db.rows<Hash>(sql`
        select distinct checkout_hash as hash from receipts where customer_id = ${customerId} and excess_cents > 0`),
      db.rows<Hash>(sql`
        select distinct checkout_hash as hash from waiting_returns
        where customer_id = ${customerId} and status = 'waiting'`),
    ]);
    return [
      { code: 'purchases_open', en: 'Purchases are not paid yet.', pt: 'Há compras em aberto.', rows: open },
      {
        code: 'overpaid',
        en: 'Excess money has not been refunded yet.',
        pt: 'Há um valor pago a mais que ainda não foi devolvido.',
        rows: excess,
      },
      {
        code: 'return_waiting',
        en: 'A return is waiting for approval.',
        pt: 'Há uma devolução de compra esperando decisão.',
        rows: waiting,
      },
    ].flatMap(({ rows, ...debt }) =>
      rows.length === 0 ? [] : [{ ...debt, checkouts: pluck(rows, 'hash') }],
    );
  },
};

type Hash = { hash: string };

function rehashOffer(vault: Vault, row: Row) {
  const { phone, phone_hash, claim } = row as {
    phone: string | null;
    phone_hash: Buffer;
    claim: string | null;
  };
  if (claim !== null) {
    const keys = parseClaimKeys(claim);
    return { token_hash: hashToken(vault, keys.token), code_hash: hashCode(vault, keys.code) };
  }
  // The hash of an erased phone stays erased.
  return phone === null || phone_hash.equals(ERASED_PHONE_HASH)
    ? {}
    : { phone_hash: hashPhone(vault, phone) };
}
