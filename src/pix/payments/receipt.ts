import { saoPauloDay } from '#core/day.ts';
import { spokenReais } from '#core/money.ts';
import { findDebt, footerOf, lenderFacts, personFacts } from '#credit';
import { findIdentity } from '#customers';
import type { Paper } from '#platform/papers/paper.ts';
import { spokenDay } from '#platform/privacy/personal-data.ts';
import type { Pix } from '../pix.ts';
import { findShownCharge } from '../store/charges.ts';
import { listChargePayments } from '../store/payments.ts';

const PURPOSES: Record<string, string> = {
  settle: 'quitação da parcela',
  settle_with_penalty: 'quitação da parcela',
  settle_partial: 'pagamento parcial da parcela',
  extend: 'prorrogação da parcela',
};

const hour = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** That the money of a charge arrived, and for what. Undefined where it did not. */
export async function receiptOf(
  { db, lender }: Pick<Pix, 'db' | 'lender'>,
  customerId: string,
  chargeId: string,
): Promise<Paper | undefined> {
  const [charge, payments, person] = await Promise.all([
    findShownCharge(db, customerId, chargeId),
    listChargePayments(db, customerId, chargeId),
    findIdentity(db, customerId),
  ]);
  const last = payments.at(-1);
  if (!charge || !last || !person) return undefined;
  const debt = await findDebt(db, customerId, charge.installment_id, last.paid_at.getTime());
  if (!debt) return undefined;
  return {
    title: 'Comprovante de pagamento',
    at: last.paid_at,
    footer: footerOf(lender),
    blocks: [
      lenderFacts(lender),
      personFacts(person),
      { heading: 'O que foi pago' },
      {
        facts: [
          ['Loja', debt.merchantName],
          ['Compra', debt.checkoutHash],
          ['Parcela', `${debt.number} de ${debt.installmentsTotal}`],
          ['Referente a', PURPOSES[charge.type] ?? charge.type],
          ['Identificador da cobrança', charge.txid],
        ],
      },
      { heading: 'Como foi pago' },
      {
        head: ['Dia e hora (São Paulo)', 'Pix (ID da transação)', 'Valor'],
        rows: payments.map(({ paid_at, end_to_end_id, amount_cents }) => [
          `${spokenDay(saoPauloDay(paid_at.getTime()))} ${hour.format(paid_at)}`,
          end_to_end_id,
          spokenReais(amount_cents),
        ]),
      },
      {
        text: 'O que passou do valor devido volta por Pix para quem pagou; devoluções e estornos estão na carteira.',
      },
    ],
  };
}
