import { saoPauloDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import { findCheckoutSummary } from '#credit';
import type { EventHandlers } from '#events';
import { listOwnerPhones } from '#members';
import { type PrepareMessage, queueCustomerMessage, queuePhoneMessage } from '#messages';
import type { Queryable } from '#platform/database/db.ts';

const toCents = (amount: number): number => parseReais(amount)!;

/** `createAutopayFailedPreparer` replaces these values right before the message is sent. */
const AUTOPAY_FAILED_PLACEHOLDERS = {
  merchant: '',
  number: 0,
  installmentCount: 0,
  dueOn: '',
  owedCents: 0,
  isLate: false,
};

/** Writes messages to customers and owners of merchants about events, in the transaction of the event. */
export const notificationHandlers: EventHandlers = {
  'offer.accepted': [
    async (tx, { customerId, data: { checkout_hash: checkoutHash }, occurredAt: now }) => {
      // `createOfferAcceptedPreparer` fills in the other values.
      const data = { checkoutHash, merchant: '', totalCents: 0, installments: 0, firstDueOn: '' };
      queueCustomerMessage(tx, customerId, {
        template: 'offer_accepted',
        data,
        subject: checkoutHash,
        checkouts: [checkoutHash],
        now,
      });
    },
  ],
  'pix.paid': [
    async (
      tx,
      { customerId, data: { type, paid, paid_at, checkout_hash, end_to_end_id }, occurredAt: now },
    ) => {
      // A paid extension has its own message: `extended`.
      if (type === 'extend') return;
      const paidOn = saoPauloDay(Date.parse(paid_at));
      const data = { amountCents: toCents(paid), paidOn, page: `compras/${checkout_hash}` };
      queueCustomerMessage(tx, customerId, {
        template: 'payment_received',
        data,
        subject: end_to_end_id,
        checkouts: [checkout_hash],
        now,
      });
    },
  ],
  'installment.extended': [
    async (tx, { customerId, data: event, occurredAt: now }) => {
      const { checkout_hash, installment_id, number, due_on: dueOn, extensions } = event;
      const data = { number, dueOn, page: `compras/${checkout_hash}/${number}` };
      queueCustomerMessage(tx, customerId, {
        template: 'extended',
        data,
        subject: `${installment_id} ${extensions} ${dueOn}`,
        checkouts: [checkout_hash],
        now,
      });
    },
  ],
  'checkout.returned': [
    async (tx, { customerId, data: event, occurredAt: now }) => {
      const { checkout_hash: checkoutHash, amount, returned, refunded, whole: isWhole, reason } = event;
      const cents = { amountCents: toCents(amount), refundedCents: toCents(refunded) };
      const data = { checkoutHash, ...cents, isWhole, reason };
      queueCustomerMessage(tx, customerId, {
        template: 'returned',
        data,
        subject: `${checkoutHash} ${returned}`,
        checkouts: [checkoutHash],
        now,
      });
    },
  ],
  'autopay.failed': [
    async (tx, { customerId, data: event, occurredAt: now }) => {
      const { checkout_hash: checkoutHash, installment_id: installmentId, reason, retry_on } = event;
      // There is no message while the bank still retries.
      if (retry_on !== null) return;
      const data = { ...AUTOPAY_FAILED_PLACEHOLDERS, checkoutHash, installmentId, reason };
      // An installment has at most one finally failed debit per day.
      const subject = `${installmentId} ${saoPauloDay(now.getTime())}`;
      queueCustomerMessage(tx, customerId, {
        template: 'autopay_failed',
        data,
        subject,
        checkouts: [checkoutHash],
        now,
      });
    },
  ],
  'autopay.ended': [
    async (tx, { customerId, data: event, occurredAt: now }) => {
      const { checkout_hash: checkoutHash, autopay_id: subject, status, by } = event;
      // There is no message if the customer ended autopay here, or never authorised it.
      if (status !== 'ended' || (by !== 'payer' && by !== 'bank')) return;
      const data = { ...AUTOPAY_FAILED_PLACEHOLDERS, checkoutHash, installmentId: null, reason: null };
      queueCustomerMessage(tx, customerId, {
        template: 'autopay_failed',
        data,
        subject,
        checkouts: [checkoutHash],
        now,
      });
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

/** Reads the purchase right before the message is sent, because it may have fewer installments than the offer. */
export const createOfferAcceptedPreparer =
  (db: Queryable): PrepareMessage<'offer_accepted'> =>
  async ({ customerId, data }) => {
    const checkout = await findCheckoutSummary(db, customerId!, data.checkoutHash);
    if (!checkout) return null;
    const { merchant_name: merchant, total_cents: totalCents, installments_total: installments } = checkout;
    return { ...data, merchant, totalCents, installments, firstDueOn: checkout.first_due_on };
  };
