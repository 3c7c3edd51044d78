import { saoPauloDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import { findCheckoutSummary } from '#credit';
import type { EventHandlers } from '#events';
import { listOwnerPhones } from '#members';
import { type PrepareMessage, queueCustomerMessage, queuePhoneMessage } from '#messages';
import type { Queryable } from '#platform/database/db.ts';

const toCents = (amount: number): number => parseReais(amount)!;

/** Placeholders: the preparation of the message fills them in right before it is sent. */
const PLACEHOLDERS = { merchant: '', number: 0, installmentCount: 0, dueOn: '', owedCents: 0, isLate: false };

/** Writes messages to customers and owners of merchants about events, in the transaction of the event. */
export const notificationHandlers: EventHandlers = {
  'offer.accepted': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash: checkoutHash } = data;
      const messageData = { checkoutHash, merchant: '', totalCents: 0, installments: 0, firstDueOn: '' };
      const checkouts = [checkoutHash];
      queueCustomerMessage(tx, customerId, {
        template: 'offer_accepted',
        data: messageData,
        subject: checkoutHash,
        checkouts,
        now,
      });
    },
  ],
  'pix.paid': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // A paid extension has its own message: `extended`.
      if (data.type === 'extend') return;
      const messageData = {
        amountCents: toCents(data.paid),
        paidOn: saoPauloDay(Date.parse(data.paid_at)),
        page: `compras/${data.checkout_hash}`,
      };
      queueCustomerMessage(tx, customerId, {
        template: 'payment_received',
        data: messageData,
        subject: data.end_to_end_id,
        checkouts: [data.checkout_hash],
        now,
      });
    },
  ],
  'installment.extended': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash, installment_id, number, due_on: dueOn, extensions } = data;
      const messageData = { number, dueOn, page: `compras/${checkout_hash}/${number}` };
      const subject = `${installment_id} ${extensions} ${dueOn}`;
      queueCustomerMessage(tx, customerId, {
        template: 'extended',
        data: messageData,
        subject,
        checkouts: [checkout_hash],
        now,
      });
    },
  ],
  'checkout.returned': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash: checkoutHash, amount, returned, refunded, whole: isWhole, reason } = data;
      const messageData = {
        checkoutHash,
        amountCents: toCents(amount),
        refundedCents: toCents(refunded),
        isWhole,
        reason,
      };
      queueCustomerMessage(tx, customerId, {
        template: 'returned',
        data: messageData,
        subject: `${checkoutHash} ${returned}`,
        checkouts: [checkoutHash],
        now,
      });
    },
  ],
  'autopay.failed': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // There is no message while the bank still retries.
      if (data.retry_on !== null) return;
      const { checkout_hash: checkoutHash, installment_id: installmentId, reason } = data;
      const messageData = { ...PLACEHOLDERS, checkoutHash, installmentId, reason };
      // An installment has at most one finally failed debit per day.
      const subject = `${installmentId} ${saoPauloDay(now.getTime())}`;
      const checkouts = [checkoutHash];
      queueCustomerMessage(tx, customerId, {
        template: 'autopay_failed',
        data: messageData,
        subject,
        checkouts,
        now,
      });
    },
  ],
  'autopay.ended': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // There is no message if the customer ended autopay here, or never authorised it.
      if (data.status !== 'ended' || (data.by !== 'payer' && data.by !== 'bank')) return;
      const { checkout_hash: checkoutHash, autopay_id: subject } = data;
      const messageData = { ...PLACEHOLDERS, checkoutHash, installmentId: null, reason: null };
      const checkouts = [checkoutHash];
      queueCustomerMessage(tx, customerId, {
        template: 'autopay_failed',
        data: messageData,
        subject,
        checkouts,
        now,
      });
    },
  ],
  'payout.paid': [
    async (tx, { merchantId, data, occurredAt: now }) => {
      const { merchant, amount, reference } = data;
      const messageData = { merchant, amountCents: toCents(amount), reference };
      for (const phone of await listOwnerPhones(tx, merchantId!))
        await queuePhoneMessage(tx, phone, {
          template: 'payout_paid',
          data: messageData,
          now,
          isToMember: true,
        });
    },
  ],
};

/** Reads the purchase right before sending, because it may have fewer installments than the offer. */
export const prepareOfferAccepted =
  (db: Queryable): PrepareMessage<'offer_accepted'> =>
  async ({ customerId, data }) => {
    const checkout = await findCheckoutSummary(db, customerId!, data.checkoutHash);
    if (!checkout) return null;
    const { merchant_name: merchant, total_cents: totalCents, installments_total: installments } = checkout;
    return { ...data, merchant, totalCents, installments, firstDueOn: checkout.first_due_on };
  };
