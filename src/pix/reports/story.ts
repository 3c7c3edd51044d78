import { spokenReais } from '#core/money.ts';
import { sql } from '#platform/database/db.ts';
import { type Storyteller, storyOf, told } from '#platform/privacy/personal-data.ts';

type Charge = {
  total: number;
  id: string;
  installment_id: string;
  checkout_hash: string;
  type: string;
  value_cents: number;
  created_at: Date;
};

const tellCharges: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<Charge>(sql`
    select count(*) over () as total, id, installment_id, checkout_hash, type, value_cents, created_at from pix_charges
    where customer_id = ${customerId} and status not in ('creating', 'discarded') and assigned_end_to_end_id is null
    order by created_at desc, id desc limit ${most}`);
  return told(rows, ({ id, installment_id, checkout_hash, type, value_cents, created_at: at }) => ({
    at,
    kind: 'pix_code',
    pix_id: id,
    installment_id,
    checkout_hash,
    text: `Gerou um código Pix de ${spokenReais(value_cents)}${type === 'extend' ? ' para prorrogar uma parcela' : ''}.`,
  }));
};

type Refund = {
  total: number;
  end_to_end_id: string;
  amount_cents: number;
  forced: boolean;
  status: 'asked' | 'processing' | 'returned' | 'given_up' | 'credited';
  reason: string | null;
  at: Date;
};

const REFUNDS = {
  asked: (amount: string) => `Devolução de ${amount} por Pix pedida ao banco.`,
  processing: (amount: string) => `Devolução de ${amount} por Pix em andamento no banco.`,
  returned: (amount: string) => `${amount} devolvidos por Pix.`,
  given_up: (amount: string, reason: string | null) =>
    `Devolução de ${amount} por Pix não foi possível: a operação precisa resolver. Motivo: ${reason}.`,
  credited: (amount: string) =>
    `Devolução de ${amount} por Pix recusada: o pagamento tem mais de 90 dias. O que não era devido virou cashback.`,
};

const tellRefunds: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<Refund>(sql`
    select count(*) over () as total, end_to_end_id, amount_cents, forced, status, reason,
           coalesce(settled_at, created_at) as at
    from pix_refunds where customer_id = ${customerId} and status not in ('failed', 'overtaken')
    order by at desc, id desc limit ${most}`);
  return told(rows, ({ end_to_end_id, amount_cents, forced, status, reason, at }) => ({
    at,
    kind: forced ? 'chargeback' : 'refund',
    end_to_end_id,
    text: forced
      ? `O banco do pagador tomou de volta ${spokenReais(amount_cents)} de um Pix.`
      : REFUNDS[status](spokenReais(amount_cents), reason),
  }));
};

/** Codes that could be paid, and refunds. Payments are in credit's part. */
export const pixStory = storyOf(tellRefunds, tellCharges);
