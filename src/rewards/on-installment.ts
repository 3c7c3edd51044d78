import { cents, parseReais, ZERO } from '#core/values/money.ts';
import { computePercentDown, parsePercent } from '#core/values/percent.ts';
import type { EventContext, EventData, EventHandler } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { creditCashback, debitCashback, reverseCashback, writeDueExpiries } from './cashback-account.ts';
import { type RewardContext, updateInvitationReward } from './invitations.ts';
import { type EarnedCredit, findEarnedCredit, type LastLine } from './store/cashback.ts';
import { findReferrer } from './store/invitations.ts';

/** The handlers take a function that returns these settings, because commands read settings only when they are used. */
type RewardLimits = Pick<RewardContext, 'rewardsPerMerchant'>;

/**
 * Credits cashback for an installment that was settled on time, on the part not paid with cashback. Reverses an earlier credit if the
 * amount has changed. The payment may also fulfil the condition of an invitation reward.
 */
export const onInstallmentPaid =
  (getLimits: () => RewardLimits): EventHandler<'installment.paid'> =>
  async (tx, event, events) => {
    const { customerId, data: payment, occurredAt } = event;
    const context = { events, now: occurredAt };
    const [referrerId, earnedCredit, lastLine] = await Promise.all([
      findReferrer(tx, customerId),
      findEarnedCredit(tx, customerId, payment.installment_id),
      writeDueExpiries(tx, customerId, context),
    ]);
    await updateEarnings(tx, customerId, payment, { earnedCredit, lastLine }, context);
    const { rewardsPerMerchant } = getLimits();
    await updateInvitationReward(tx, customerId, referrerId, { ...context, rewardsPerMerchant });
  };

async function updateEarnings(
  tx: CustomerTx,
  customerId: string,
  payment: EventData<'installment.paid'>,
  { earnedCredit, lastLine }: { earnedCredit: EarnedCredit | undefined; lastLine: LastLine },
  context: EventContext,
): Promise<void> {
  const causedAt = new Date(payment.paid_at);
  const amountAfterReturns = cents(parseReais(payment.amount)! - parseReais(payment.returned)!);
  const cashbackBase = cents(amountAfterReturns - parseReais(payment.paid_with_cashback)!);
  const amountCents = payment.on_time
    ? computePercentDown(cashbackBase, parsePercent(payment.cashback_percent)!)
    : ZERO;
  if ((earnedCredit?.amount_cents ?? 0) === amountCents) return;
  if (earnedCredit) {
    const changeReason = payment.returned === 0 ? 'paga em outra parte com cashback' : 'compra devolvida';
    const reason = payment.on_time ? changeReason : 'não foi paga em dia';
    const description = `Estorno: ${reason}, ${describeInstallment(payment)}`;
    const { position } = earnedCredit;
    await reverseCashback(tx, { customerId, position, causedAt, description }, context);
  }
  if (amountCents === ZERO) return;
  await creditCashback(
    tx,
    {
      customerId,
      kind: 'earned',
      amountCents,
      causedAt,
      description: `Parcela ${payment.number} de ${payment.installments_total} paga em dia: ${payment.merchant_name}`,
      checkoutHash: payment.checkout_hash,
      installmentId: payment.installment_id,
    },
    context,
    // The reversal has written a line after `lastLine`.
    earnedCredit ? undefined : lastLine,
  );
}

/**
 * Credits excess money of an installment as cashback, valid for 180 days from now. If the amount is negative, debits the cashback,
 * because a chargeback took the money that was converted to it.
 */
export const onInstallmentOverpaid: EventHandler<'installment.overpaid'> = async (tx, event, events) => {
  const { customerId, data: overpayment, occurredAt } = event;
  const amountCents = parseReais(overpayment.amount)!;
  const reason =
    amountCents > 0
      ? 'Devolvido em cashback, por não poder voltar por Pix:'
      : 'Estorno: pagamento devolvido,';
  const movement = {
    customerId,
    kind: 'redeemed',
    causedAt: occurredAt,
    description: `${reason} ${describeInstallment(overpayment)}`,
    checkoutHash: overpayment.checkout_hash,
    installmentId: overpayment.installment_id,
  } as const;
  const context = { events, now: occurredAt };
  if (amountCents > 0) await creditCashback(tx, { ...movement, amountCents }, context);
  else await debitCashback(tx, { ...movement, amountCents: -amountCents }, context);
};

/** Reverses the cashback of an installment whose settlement was reversed. */
export const onInstallmentReopened =
  (getLimits: () => RewardLimits): EventHandler<'installment.reopened'> =>
  async (tx, event, events) => {
    const { customerId, data: reopening, occurredAt } = event;
    const context = { events, now: occurredAt };
    const [referrerId, earnedCredit] = await Promise.all([
      findReferrer(tx, customerId),
      findEarnedCredit(tx, customerId, reopening.installment_id),
    ]);
    if (earnedCredit) {
      const description = `Estorno: pagamento devolvido, ${describeInstallment(reopening)}`;
      const { position } = earnedCredit;
      await reverseCashback(tx, { customerId, position, causedAt: occurredAt, description }, context);
    }
    const { rewardsPerMerchant } = getLimits();
    await updateInvitationReward(tx, customerId, referrerId, { ...context, rewardsPerMerchant });
  };

/** Handles a payment that neither settled nor reopened an installment, but may fulfil the condition of an invitation reward. */
export const onPaymentChanged =
  (getLimits: () => RewardLimits): EventHandler<'installment.payment_changed'> =>
  async (tx, { customerId, occurredAt }, events) => {
    const referrerId = await findReferrer(tx, customerId);
    const { rewardsPerMerchant } = getLimits();
    await updateInvitationReward(tx, customerId, referrerId, { events, now: occurredAt, rewardsPerMerchant });
  };

type InstallmentRef = Pick<EventData<'installment.paid'>, 'number' | 'installments_total' | 'merchant_name'>;

const describeInstallment = ({ number, installments_total, merchant_name }: InstallmentRef) =>
  `parcela ${number} de ${installments_total}, ${merchant_name}`;
