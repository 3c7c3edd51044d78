import { saoPauloDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import { findCheckoutSummary } from '#credit';
import type { EventHandlers } from '#events';
import { listOwnerPhones } from '#members';
import {
  type PrepareMessage,
  queueCustomerMessage,
  queuePhoneMessage,
  type TemplateData,
  type TemplateName,
} from '#messages';
import type { Queryable, Tx } from '#platform/database/db.ts';

const toCents = (amount: number): number => parseReais(amount)!;

/** `createAutopayFailedPreparer` in reminders.ts replaces these values right before the message is sent. */
const AUTOPAY_FAILED_PLACEHOLDERS = {
  merchant: '',
  number: 0,
  installmentCount: 0,
  dueOn: '',
  owedCents: 0,
  isLate: false,
};

type PurchaseEvent = { customerId: string; data: { checkout_hash: string }; occurredAt: Date };

/** Writes a message about an event of a purchase to its customer. */
function notifyCustomer<N extends TemplateName>(
  tx: Tx,
  { customerId, data: { checkout_hash }, occurredAt: now }: PurchaseEvent,
  message: { template: N; data: TemplateData<N>; subjectKey: string },
): void {
  queueCustomerMessage(tx, customerId, { ...message, checkouts: [checkout_hash], now });
}

/** Writes messages to customers and owners of merchants about events, in the transaction of the event. */
export const notificationHandlers: EventHandlers = {
  'offer.accepted': [
    async (tx, event) => {
      const { checkout_hash: checkoutHash } = event.data;
      // `createOfferAcceptedPreparer` fills in the other values.
      const data = { checkoutHash, merchant: '', totalCents: 0, installments: 0, firstDueOn: '' };
      notifyCustomer(tx, event, { template: 'offer_accepted', data, subjectKey: checkoutHash });
    },
  ],
  'pix.paid': [
    async (tx, event) => {
      const { type, paid, paid_at, checkout_hash, end_to_end_id: subjectKey } = event.data;
      // A paid extension has its own message: `extended`.
      if (type === 'extend') return;
      const paidOn = saoPauloDay(Date.parse(paid_at));
      const data = { amountCents: toCents(paid), paidOn, page: `compras/${checkout_hash}` };
      notifyCustomer(tx, event, { template: 'payment_received', data, subjectKey });
    },
  ],
  'installment.extended': [
    async (tx, event) => {
      const { checkout_hash, installment_id, number, due_on: dueOn, extensions } = event.data;
      const data = { number, dueOn, page: `compras/${checkout_hash}/${number}` };
      const subjectKey = `${installment_id} ${extensions} ${dueOn}`;
      notifyCustomer(tx, event, { template: 'extended', data, subjectKey });
    },
  ],
  'checkout.returned': [
    async (tx, event) => {
      const { checkout_hash: checkoutHash, amount, returned, refunded, whole: isWhole, reason } = event.data;
      const amounts = { amountCents: toCents(amount), refundedCents: toCents(refunded) };
      const data = { checkoutHash, ...amounts, isWhole, reason };
      notifyCustomer(tx, event, { template: 'returned', data, subjectKey: `${checkoutHash} ${returned}` });
    },
  ],
  'autopay.failed': [
    async (tx, event) => {
      const { checkout_hash: checkoutHash, installment_id: installmentId, reason, retry_on } = event.data;
      // There is no message while the bank still retries.
      if (retry_on !== null) return;
      const data = { ...AUTOPAY_FAILED_PLACEHOLDERS, checkoutHash, installmentId, reason };
      // An installment has at most one finally failed debit per day.
      const subjectKey = `${installmentId} ${saoPauloDay(event.occurredAt.getTime())}`;
      notifyCustomer(tx, event, { template: 'autopay_failed', data, subjectKey });
    },
  ],
  'autopay.ended': [
    async (tx, event) => {
      const { checkout_hash: checkoutHash, autopay_id: subjectKey, status, by: endedBy } = event.data;
      // There is no message if the customer ended autopay here, or never authorised it.
      if (status !== 'ended' || (endedBy !== 'payer' && endedBy !== 'bank')) return;
      const data = { ...AUTOPAY_FAILED_PLACEHOLDERS, checkoutHash, installmentId: null, reason: null };
      notifyCustomer(tx, event, { template: 'autopay_failed', data, subjectKey });
    },
  ],
  'payout.paid': [
    async (tx, { merchantId, data: { merchant, amount, reference }, occurredAt: now }) => {
      const data = { merchant, amountCents: toCents(amount), reference };
      const message = { template: 'payout_paid', data, now, isToMember: true } as const;
      for (const phone of await listOwnerPhones(tx, merchantId!)) await queuePhoneMessage(tx, phone, message);
    },
  ],
};

/** Reads the purchase right before the message is sent, because the purchase may have fewer installments than the offer. */
export const createOfferAcceptedPreparer =
  (db: Queryable): PrepareMessage<'offer_accepted'> =>
  async ({ customerId, data }) => {
    const checkout = await findCheckoutSummary(db, customerId!, data.checkoutHash);
    if (!checkout) return null;
    const { merchant_name: merchant, total_cents: totalCents, installments_total: installments } = checkout;
    return { ...data, merchant, totalCents, installments, firstDueOn: checkout.first_due_on };
  };
