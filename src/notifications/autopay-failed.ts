import { findPurchaseDebts } from '#credit';
import { Postponement, type PrepareMessage } from '#messages';
import { isReminderHour, nextReminderHour } from './quiet-hours.ts';
import { createPixCode, type ReminderDeps } from './reminders.ts';

/**
 * Prepares the message right before it is sent, with the current amount and a Pix code. Postpones it in quiet hours, and withdraws it if the
 * installment is paid or another debit is scheduled.
 */
export const prepareAutopayFailed =
  (deps: ReminderDeps): PrepareMessage<'autopay_failed'> =>
  async ({ customerId, data, now }) => {
    const { db, clock, findAutopay } = deps;
    if (!isReminderHour(now)) return new Postponement(nextReminderHour(now));
    const { checkoutHash, installmentId } = data;
    const [purchase, autopay] = await Promise.all([
      findPurchaseDebts(db, customerId!, checkoutHash, now.getTime()),
      findAutopay(db, customerId!, checkoutHash, now),
    ]);
    if (!purchase || purchase.isClosed) return null;
    // The customer authorised autopay again meanwhile.
    if (installmentId === null && autopay?.checkout.status === 'active') return null;
    const unpaid = purchase.installments.find(
      ({ id, debt }) => debt.status !== 'paid' && (installmentId === null || id === installmentId),
    );
    if (!unpaid) return null;
    const { id, number, debt } = unpaid;
    const debitStatus = autopay?.installments.get(id)?.status;
    if (debitStatus === 'scheduled' || debitStatus === 'trying') return null;
    // If autopay has ended, the next installment may be due later: a code of today would be useless.
    const code = installmentId === null ? undefined : await createPixCode(deps, customerId!, id);
    // Creating the code may have taken long.
    const afterCode = clock.now();
    if (!isReminderHour(afterCode)) return new Postponement(nextReminderHour(afterCode));
    return {
      ...data,
      merchant: purchase.merchantName,
      number,
      installmentCount: purchase.installments.length,
      dueOn: debt.dueOn,
      owedCents: debt.settleAmount,
      isLate: debt.status === 'overdue',
      ...(code !== undefined && { pixCode: code }),
    };
  };
