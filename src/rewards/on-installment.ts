import { cents, parseReais, ZERO } from '#core/money.ts';
import { parsePercent, percentDown } from '#core/percent.ts';
import type { EventContext, EventData, EventHandler } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { creditCashback, debitCashback, readAccount, reverseCashback } from './cashback-account.ts';
import { rewardInvitation } from './reward-invitation.ts';
import { findReferrer } from './store/invitations.ts';
import { findEarned } from './store/lots.ts';
import type { LastLine } from './store/movements.ts';

/**
 * An installment was settled. Paid on time, it earns cashback on what was not paid with cashback; otherwise an earlier credit is
 * reversed. The payment may also complete the condition of an invitation.
 */
export const onInstallmentPaid: EventHandler<'installment.paid'> = async (tx, event, events) => {
  const { customerId, data: paid, occurredAt } = event;
  const context = { events, now: occurredAt };
  const [referrerId, earned, account] = await Promise.all([
    findReferrer(tx, customerId),
    findEarned(tx, customerId, paid.installment_id),
    readAccount(tx, customerId, context),
  ]);
  await earn(tx, customerId, paid, { earned, account }, context);
  if (referrerId !== undefined) await rewardInvitation(tx, customerId, referrerId, context);
};

async function earn(
  tx: CustomerTx,
  customerId: string,
  paid: EventData<'installment.paid'>,
  { earned, account }: { earned: Awaited<ReturnType<typeof findEarned>>; account: LastLine },
  context: EventContext,
): Promise<void> {
  const causedAt = new Date(paid.paid_at);
  const comesTo = cents(parseReais(paid.amount)! - parseReais(paid.returned)!);
  const base = cents(comesTo - parseReais(paid.paid_with_cashback)!);
  const amountCents = paid.on_time ? percentDown(base, parsePercent(paid.cashback_percent)!) : ZERO;
  if ((earned?.amount_cents ?? 0) === amountCents) return;
  if (earned) {
    const otherwise = paid.returned === 0 ? 'paga em outra parte com cashback' : 'compra devolvida';
    const why = paid.on_time ? otherwise : 'não foi paga em dia';
    const description = `Estorno: ${why}, ${nameOf(paid)}`;
    const reversal = { customerId, position: earned.position, causedAt, description };
    await reverseCashback(tx, reversal, context);
  }
  if (amountCents === ZERO) return;
  await creditCashback(
    tx,
    {
      customerId,
      kind: 'earned',
      amountCents,
      causedAt,
      description: `Parcela ${paid.number} de ${paid.installments_total} paga em dia: ${paid.merchant_name}`,
      checkoutHash: paid.checkout_hash,
      installmentId: paid.installment_id,
    },
    context,
    // Reversals are included by now.
    earned ? undefined : account,
  );
}

/**
 * A payment on an installment that turned out not to be owed becomes cashback, valid for 180 days from now. Negative: a
 * chargeback took money that had become cashback.
 */
export const onInstallmentOverpaid: EventHandler<'installment.overpaid'> = async (tx, event, events) => {
  const { customerId, data: overpaid, occurredAt } = event;
  const amountCents = parseReais(overpaid.amount)!;
  const why =
    amountCents > 0
      ? 'Devolvido em cashback, por não poder voltar por Pix:'
      : 'Estorno: pagamento devolvido,';
  const movement = {
    customerId: customerId,
    kind: 'redeemed',
    causedAt: occurredAt,
    description: `${why} ${nameOf(overpaid)}`,
    checkoutHash: overpaid.checkout_hash,
    installmentId: overpaid.installment_id,
  } as const;
  const context = { events, now: occurredAt };
  if (amountCents > 0) await creditCashback(tx, { ...movement, amountCents }, context);
  else await debitCashback(tx, { ...movement, amountCents: -amountCents }, context);
};

/** The settlement of an installment was reversed, and so is what it had earned. */
export const onInstallmentReopened: EventHandler<'installment.reopened'> = async (tx, event, events) => {
  const { customerId, data: reopened, occurredAt } = event;
  const context = { events, now: occurredAt };
  const [referrerId, earned] = await Promise.all([
    findReferrer(tx, customerId),
    findEarned(tx, customerId, reopened.installment_id),
  ]);
  if (earned) {
    const description = `Estorno: pagamento devolvido, ${nameOf(reopened)}`;
    const reversal = {
      customerId: customerId,
      position: earned.position,
      causedAt: occurredAt,
      description,
    };
    await reverseCashback(tx, reversal, context);
  }
  if (referrerId !== undefined) await rewardInvitation(tx, customerId, referrerId, context);
};

/** What was paid changed without settling or reopening an installment: this may also complete the condition of an invitation. */
export const onPaymentChanged: EventHandler<'installment.payment_changed'> = async (tx, event, events) => {
  const { customerId, occurredAt } = event;
  const referrerId = await findReferrer(tx, customerId);
  if (referrerId !== undefined)
    await rewardInvitation(tx, customerId, referrerId, { events, now: occurredAt });
};

type InstallmentName = Pick<EventData<'installment.paid'>, 'number' | 'installments_total' | 'merchant_name'>;

const nameOf = ({ number, installments_total, merchant_name }: InstallmentName) =>
  `parcela ${number} de ${installments_total}, ${merchant_name}`;
