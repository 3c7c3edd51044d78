import { formatReais } from '#core/values/money.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import {
  ERASED,
  type ListTimeline,
  mergeTimelines,
  type Person,
  type PersonalData,
  type PersonalTable,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { parseCallbackEntries, pickEntryIds } from '../psp/index.ts';
import { endErasedAuthorisations } from '../store/authorisations.ts';
import {
  callbacks,
  listCallbacksAbout,
  listMentionedIds,
  listPspIds,
  lockErasure,
  updateCallback,
} from '../store/callbacks.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { ChargeRefund, MoveRow, RefundRow } from '../store/payments.ts';

type ChargeEntryRow = { total: number } & Pick<
  ChargeRow,
  'id' | 'installment_id' | 'checkout_hash' | 'type' | 'value_cents' | 'created_at'
>;

const listChargeEntries: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<ChargeEntryRow>(sql`
    select count(*) over () as total, id, installment_id, checkout_hash, type, value_cents, created_at from pix_charges
    where customer_id = ${customerId} and status not in ('creating', 'discarded') and assigned_end_to_end_id is null
    order by created_at desc, id desc limit ${limit}`);
  return toTimelinePage(rows, ({ id, installment_id, checkout_hash, type, value_cents, created_at: at }) => ({
    at,
    kind: 'pix_code',
    pix_id: id,
    installment_id,
    checkout_hash,
    text: `Gerou um código Pix de ${formatReais(value_cents)}${type === 'extend' ? ' para prorrogar uma parcela' : ''}.`,
  }));
};

type RefundEntryRow = { total: number; at: Date } & ChargeRefund &
  Pick<RefundRow, 'end_to_end_id' | 'forced' | 'reason'>;

const REFUND_TEXTS = {
  asked: (amount: string) => `Devolução de ${amount} por Pix pedida ao banco.`,
  processing: (amount: string) => `Devolução de ${amount} por Pix em andamento no banco.`,
  returned: (amount: string) => `${amount} devolvidos por Pix.`,
  given_up: (amount: string, reason: string | null) =>
    `Devolução de ${amount} por Pix não foi possível: a operação precisa resolver. Motivo: ${reason}.`,
  credited: (amount: string) =>
    `Devolução de ${amount} por Pix recusada: o pagamento tem mais de 90 dias. O que não era devido virou cashback.`,
};

const listRefundEntries: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<RefundEntryRow>(sql`
    select count(*) over () as total, end_to_end_id, amount_cents, forced, status, reason,
           coalesce(settled_at, created_at) as at
    from pix_refunds where customer_id = ${customerId} and status not in ('failed', 'overtaken')
    order by at desc, id desc limit ${limit}`);
  return toTimelinePage(rows, ({ end_to_end_id, amount_cents, forced, status, reason, at }) => ({
    at,
    kind: forced ? 'chargeback' : 'refund',
    end_to_end_id,
    text: forced
      ? `O banco do pagador tomou de volta ${formatReais(amount_cents)} de um Pix.`
      : REFUND_TEXTS[status](formatReais(amount_cents), reason),
  }));
};

type MoveEntryRow = { total: number } & Pick<
  MoveRow,
  'side' | 'end_to_end_id' | 'installment_id' | 'checkout_hash' | 'amount_cents' | 'moved_at'
>;

const listMoveEntries: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<MoveEntryRow>(sql`
    select count(*) over () as total, side, end_to_end_id, installment_id, checkout_hash, amount_cents, moved_at
    from pix_moves where customer_id = ${customerId} order by position desc limit ${limit}`);
  return toTimelinePage(rows, ({ side, amount_cents, moved_at: at, total: _, ...move }) => ({
    at,
    kind: 'correction',
    ...move,
    text:
      side === 'from'
        ? `Correção: um Pix de ${formatReais(amount_cents)} deixou de valer para esta parcela.`
        : `Correção: um Pix de ${formatReais(amount_cents)} passou a valer para esta parcela.`,
  }));
};

const pixTimeline = mergeTimelines(listRefundEntries, listMoveEntries, listChargeEntries);

/** A callback may be about several persons, so its table has functions of its own. */
const callbackTable: PersonalTable = {
  ...definePersonalTables({ pix_notices: { columns: callbacks, key: ['id'] } }).pix_notices!,
  async find(db, person) {
    const callbacksAboutPerson = await findCallbacksAbout(db, person);
    return callbacksAboutPerson.map(({ id, received_at, entries, isAboutPerson }) => ({
      id,
      received_at,
      pix: entries.filter(isAboutPerson),
    }));
  },
  /** Retains only the ids of the person's entries. */
  async erase(tx, person) {
    await lockErasure(tx);
    for (const { id, entries, isAboutPerson } of await findCallbacksAbout(tx, person)) {
      const pix = entries.map((entry) => (isAboutPerson(entry) ? toErasedEntry(entry) : entry));
      await updateCallback(tx, id, JSON.stringify({ pix }));
    }
  },
};

export const pixPersonalData: PersonalData = {
  timeline: pixTimeline,
  tables: {
    ...definePersonalTables({
      pix_charges: { orderBy: 'created_at, id' },
      pix_authorisations: {
        orderBy: 'created_at, id',
        // A live authorisation is ended, because the PSP identifies the payer by it.
        eraseRelated: (tx, _rows, { id }) => endErasedAuthorisations(tx, id),
      },
      pix_recurrences: {
        where: ({ id }) => sql`rec_id in (select rec_id from pix_authorisations where customer_id = ${id})`,
        orderBy: 'rec_id',
      },
      pix_debits: { orderBy: 'due_on, charge_id' },
      pix_payments: { orderBy: 'paid_at' },
      pix_refunds: { orderBy: 'created_at, id' },
      pix_moves: {
        orderBy: 'position',
        // Both sides of a move have the same reason, and the other side may belong to another customer.
        eraseWhere: ({ id }) => sql`id in (select id from pix_moves where customer_id = ${id})`,
        erase: { reason: ERASED },
        auditTrail: { kind: 'pix_payment', idColumn: 'end_to_end_id' },
      },
      pix_discrepancies: { orderBy: 'found_at' },
      pix_txids: {
        where: ({ id }) => sql`txid in (select lower(txid) from pix_charges where customer_id = ${id})`,
        orderBy: 'txid',
      },
      pix_end_to_end_ids: {
        where: ({ id }) =>
          sql`end_to_end_id in (select end_to_end_id from pix_payments where customer_id = ${id})`,
        orderBy: 'end_to_end_id',
      },
    }),
    pix_notices: callbackTable,
  },
  async listOpenDebts(db, customerId) {
    const openRefunds = await db.rows<{ id: string }>(sql`
      select id from pix_refunds where customer_id = ${customerId}
        and (status in ('asked', 'processing') or stranded_cents > 0)`);
    if (openRefunds.length === 0) return [];
    return [
      {
        code: 'refund_under_way',
        en: 'A refund is in progress, or needs manual action.',
        pt: 'Há uma devolução em andamento ou que precisa de atenção.',
        refunds: openRefunds.map(({ id }) => id),
      },
    ];
  },
};

type Entry = Record<string, unknown>;
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null;

/** Finds the callbacks about a person's payments. All of a callback that cannot be parsed is treated as theirs. */
async function findCallbacksAbout(db: Queryable, { id }: Person) {
  const pspIds = await listPspIds(db, id);
  if (pspIds.size === 0) return [];
  const isAboutPerson = (entry: Entry) =>
    Object.values(pickEntryIds(entry)).some(
      (pspId) => typeof pspId === 'string' && pspIds.has(pspId.toLowerCase()),
    );
  return (await listCallbacksAbout(db, pspIds)).flatMap((callback) => {
    if (!listMentionedIds(callback.text).some((pspId) => pspIds.has(pspId))) return [];
    const entries = (parseCallbackEntries(callback.text) ?? []).filter(isEntry);
    if (entries.some(isAboutPerson)) return [{ ...callback, entries, isAboutPerson }];
    return [{ ...callback, entries: [{ text: callback.text }], isAboutPerson: () => true }];
  });
}

/** Leaves only the ids of an entry. */
const toErasedEntry = (entry: Entry) => ({ ...pickEntryIds(entry), [ERASED]: true });
