import { saoPauloDay } from '#core/values/day.ts';
import { formatReais } from '#core/values/money.ts';
import { buildCreditorFacts, buildCreditorFooter, buildPersonFacts, findDebt, toCreditor } from '#credit';
import { findIdentity } from '#customers';
import type { DocumentContent } from '#platform/documents/document.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import type { Pix } from '../pix.ts';
import { findVisibleCharge } from '../store/charges.ts';
import { listChargePayments } from '../store/payments.ts';

const PURPOSES: Record<string, string> = {
  settle: 'quitação da parcela',
  settle_with_penalty: 'quitação da parcela',
  settle_partial: 'pagamento parcial da parcela',
  extend: 'prorrogação da parcela',
};

const timeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Builds the payment receipt document of a paid charge. Returns undefined if the customer has no such charge. */
export async function buildPaymentReceipt(
  { db, creditorSettings }: Pick<Pix, 'db' | 'creditorSettings'>,
  customerId: string,
  chargeId: string,
): Promise<DocumentContent | undefined> {
  const [charge, payments, person] = await Promise.all([
    findVisibleCharge(db, customerId, chargeId),
    listChargePayments(db, customerId, chargeId),
    findIdentity(db, customerId),
  ]);
  const lastPayment = payments.at(-1);
  if (!charge || !lastPayment || !person) return undefined;
  const debt = await findDebt(db, customerId, charge.installment_id, lastPayment.paid_at.getTime());
  if (!debt) return undefined;
  return {
    title: 'Comprovante de pagamento',
    createdAt: lastPayment.paid_at,
    footer: buildCreditorFooter(toCreditor(creditorSettings)),
    blocks: [
      buildCreditorFacts(toCreditor(creditorSettings)),
      buildPersonFacts(person),
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
      // The id does not fit in a cell of a table: broken into two lines, it could not be searched.
      ...payments.map(({ paid_at, end_to_end_id, amount_cents }) => ({
        facts: [
          ['Pix (ID da transação)', end_to_end_id],
          [
            'Dia e hora (Brasília)',
            `${formatBrazilianDay(saoPauloDay(paid_at.getTime()))} ${timeFormat.format(paid_at)}`,
          ],
          ['Valor', formatReais(amount_cents)],
        ] as Array<[string, string]>,
      })),
      {
        text: 'O que passou do valor devido volta por Pix para quem pagou; devoluções e estornos estão na carteira.',
      },
    ],
  };
}
