import { findPurchaseDebts } from '#credit';
import { NotBefore, type Prepare } from '#messages';
import { isReminderHour, nextReminderHour } from './quiet-hours.ts';
import { pixCodeOf, type Reminding } from './reminders.ts';

/**
 * Prepares the message right before it is sent: only while the installment is owed and no debit is scheduled, with the current amount and
 * a Pix code. In quiet hours it is postponed.
 */
export const prepareAutopayFailed =
  (reminding: Reminding): Prepare<'autopay_failed'> =>
  async ({ customerId, parts, now }) => {
    const { db, clock, findAutopay } = reminding;
    if (!isReminderHour(now)) return new NotBefore(nextReminderHour(now));
    const { checkoutHash, installmentId } = parts;
    const [purchase, autopay] = await Promise.all([
      findPurchaseDebts(db, customerId!, checkoutHash, now.getTime()),
      findAutopay(db, customerId!, checkoutHash, now),
    ]);
    if (!purchase || purchase.isOver) return null;
    // It was authorised again meanwhile.
    if (installmentId === null && autopay?.checkout.status === 'active') return null;
    const owed = purchase.installments.find(
      ({ id, debt }) => debt.status !== 'paid' && (installmentId === null || id === installmentId),
    );
    if (!owed) return null;
    const { id, number, debt } = owed;
    const debit = autopay?.installments.get(id)?.status;
    if (debit === 'scheduled' || debit === 'trying') return null;
    // What falls due later needs no code of today.
    const code = installmentId === null ? undefined : await pixCodeOf(reminding, customerId!, id);
    // The PSP may have been slow.
    const then = clock.now();
    if (!isReminderHour(then)) return new NotBefore(nextReminderHour(then));
    return {
      ...parts,
      merchant: purchase.merchantName,
      number,
      of: purchase.installments.length,
      dueOn: debt.dueOn,
      owedCents: debt.settleAmount,
      isLate: debt.status === 'overdue',
      ...(code !== undefined && { pixCode: code }),
    };
  };
