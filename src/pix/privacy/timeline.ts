import { formatReais } from '#core/values/money.ts';
import { sql } from '#platform/database/db.ts';
import { type ListTimeline, mergeTimelines, toTimelinePage } from '#platform/privacy/personal-data.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { MoveRow } from '../store/moves.ts';
import type { ChargeRefund, RefundRow } from '../store/refunds.ts';

type Charge = { total: number } & Pick<
  ChargeRow,
  'id' | 'installment_id' | 'checkout_hash' | 'type' | 'value_cents' | 'created_at'
>;

const listChargeEntries: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Charge>(sql`
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

type Refund = { total: number; at: Date } & ChargeRefund &
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
  const rows = await db.rows<Refund>(sql`
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

type Move = { total: number } & Pick<
  MoveRow,
  'side' | 'end_to_end_id' | 'installment_id' | 'checkout_hash' | 'amount_cents' | 'moved_at'
>;

const listMoveEntries: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Move>(sql`
    select count(*) over () as total, side, end_to_end_id, installment_id, checkout_hash, amount_cents, moved_at
    from pix_moves where customer_id = ${customerId} order by position desc limit ${limit}`);
  return toTimelinePage(rows, ({ side, amount_cents, moved_at: at, total: _, ...place }) => ({
    at,
    kind: 'correction',
    ...place,
    text:
      side === 'from'
        ? `Correção: um Pix de ${formatReais(amount_cents)} deixou de valer para esta parcela.`
        : `Correção: um Pix de ${formatReais(amount_cents)} passou a valer para esta parcela.`,
  }));
};

/** Contains codes, refunds and moves. The credit module contributes payments. */
export const pixTimeline = mergeTimelines(listRefundEntries, listMoveEntries, listChargeEntries);
