import { saoPauloDay } from '#core/day.ts';
import { parseReais } from '#core/money.ts';
import { findSummary } from '#credit';
import type { EventHandlers } from '#events';
import { listOwnerPhones } from '#members';
import { type Prepare, tellCustomer, tellPhone } from '#messages';
import type { Queryable } from '#platform/database/db.ts';

/** Amounts of events are in reais. */
const centsOf = (amount: number): number => parseReais(amount)!;

/** The amount owed is read when the message is sent. */
const UNKNOWN_YET = { merchant: '', number: 0, of: 0, dueOn: '', owedCents: 0, isLate: false };

/** Writes messages to customers and owners about events, in the transaction of the event. */
export const noticeHandlers: EventHandlers = {
  'offer.accepted': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash: checkoutHash } = data;
      const parts = { checkoutHash, merchant: '', totalCents: 0, installments: 0, firstDueOn: '' };
      const checkouts = [checkoutHash];
      tellCustomer(tx, customerId, {
        template: 'offer_accepted',
        parts,
        about: checkoutHash,
        checkouts,
        now,
      });
    },
  ],
  'pix.paid': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // For an extension there is the template `extended`.
      if (data.type === 'extend') return;
      const parts = {
        amountCents: centsOf(data.paid),
        paidOn: saoPauloDay(Date.parse(data.paid_at)),
        page: `compras/${data.checkout_hash}`,
      };
      tellCustomer(tx, customerId, {
        template: 'payment_received',
        parts,
        about: data.end_to_end_id,
        checkouts: [data.checkout_hash],
        now,
      });
    },
  ],
  'installment.extended': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash, installment_id, number, due_on: dueOn, extensions } = data;
      const parts = { number, dueOn, page: `compras/${checkout_hash}/${number}` };
      const about = `${installment_id} ${extensions} ${dueOn}`;
      tellCustomer(tx, customerId, { template: 'extended', parts, about, checkouts: [checkout_hash], now });
    },
  ],
  'checkout.returned': [
    async (tx, { customerId, data, occurredAt: now }) => {
      const { checkout_hash: checkoutHash, amount, returned, refunded, whole: isWhole } = data;
      const parts = { checkoutHash, amountCents: centsOf(amount), refundedCents: centsOf(refunded), isWhole };
      tellCustomer(tx, customerId, {
        template: 'returned',
        parts,
        about: `${checkoutHash} ${returned}`,
        checkouts: [checkoutHash],
        now,
      });
    },
  ],
  'autopay.failed': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // No message while the bank retries.
      if (data.retry_on !== null) return;
      const { checkout_hash: checkoutHash, installment_id: installmentId, reason } = data;
      const parts = { ...UNKNOWN_YET, checkoutHash, installmentId, reason };
      // An installment has at most one finally failed debit a day.
      const about = `${installmentId} ${saoPauloDay(now.getTime())}`;
      const checkouts = [checkoutHash];
      tellCustomer(tx, customerId, { template: 'autopay_failed', parts, about, checkouts, now });
    },
  ],
  'autopay.ended': [
    async (tx, { customerId, data, occurredAt: now }) => {
      // No message to a customer who ended it here, or never authorised it.
      if (data.status !== 'ended' || (data.by !== 'payer' && data.by !== 'bank')) return;
      const { checkout_hash: checkoutHash, autopay_id: about } = data;
      const parts = { ...UNKNOWN_YET, checkoutHash, installmentId: null, reason: null };
      const checkouts = [checkoutHash];
      tellCustomer(tx, customerId, { template: 'autopay_failed', parts, about, checkouts, now });
    },
  ],
  'payout.paid': [
    async (tx, { merchantId, data, occurredAt: now }) => {
      const { merchant, amount, reference } = data;
      const parts = { merchant, amountCents: centsOf(amount), reference };
      for (const phone of await listOwnerPhones(tx, merchantId!))
        await tellPhone(tx, phone, { template: 'payout_paid', parts, now, isOfMember: true });
    },
  ],
};

/** The purchase is read when the message is sent: it may have been accepted in fewer installments than offered. */
export const prepareAcceptance =
  (db: Queryable): Prepare<'offer_accepted'> =>
  async ({ customerId, parts }) => {
    const bought = await findSummary(db, customerId!, parts.checkoutHash);
    if (!bought) return null;
    const { merchant_name: merchant, total_cents: totalCents, installments_total: installments } = bought;
    return { ...parts, merchant, totalCents, installments, firstDueOn: bought.first_due_on };
  };
