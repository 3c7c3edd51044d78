import { cents, parseReais } from '#core/money.ts';
import { parsePercent, percentDown } from '#core/percent.ts';
import type { EventData, EventHandler } from '#events';
import { creditCashback, reverseCashback } from './cashback-account.ts';
import { findEarned } from './store/lots.ts';

/** An installment was settled: on time, it has earned its cashback; otherwise it has not, whatever was thought before. */
export const onInstallmentPaid: EventHandler<'installment.paid'> = async (tx, event, events) => {
  const { customerId, data: paid, occurredAt } = event;
  const context = { events, now: occurredAt };
  const causedAt = new Date(paid.paid_at);
  const position = await findEarned(tx, customerId!, paid.installment_id);
  if (position !== undefined && !paid.on_time) {
    const description = `Estorno: não foi paga em dia, ${nameOf(paid)}`;
    await reverseCashback(tx, { customerId: customerId!, position, causedAt, description }, context);
  }
  if (position !== undefined || !paid.on_time) return;
  const amountCents = percentDown(parseReais(paid.amount)!, parsePercent(paid.cashback_percent)!);
  if (amountCents === cents(0)) return;
  await creditCashback(
    tx,
    {
      customerId: customerId!,
      kind: 'earned',
      amountCents,
      causedAt,
      description: `Parcela ${paid.number} de ${paid.installments_total} paga em dia: ${paid.merchant_name}`,
      checkoutHash: paid.checkout_hash,
      installmentId: paid.installment_id,
    },
    context,
  );
};

/** What had settled an installment was taken back, and so is what it had earned. */
export const onInstallmentReopened: EventHandler<'installment.reopened'> = async (tx, event, events) => {
  const { customerId, data: reopened, occurredAt } = event;
  const position = await findEarned(tx, customerId!, reopened.installment_id);
  if (position === undefined) return;
  const description = `Estorno: pagamento devolvido, ${nameOf(reopened)}`;
  const reversal = { customerId: customerId!, position, causedAt: occurredAt, description };
  await reverseCashback(tx, reversal, { events, now: occurredAt });
};

type Named = Pick<EventData<'installment.paid'>, 'number' | 'installments_total' | 'merchant_name'>;

const nameOf = ({ number, installments_total, merchant_name }: Named) =>
  `parcela ${number} de ${installments_total}, ${merchant_name}`;
