import { type Static, Type } from 'typebox';
import { Personal } from '#platform/http/masking.ts';
import { idPattern, TextOrNull } from '#platform/http/schemas.ts';
import { AUTOPAY_EVENTS } from './autopay-events.ts';
import {
  amount,
  day,
  defineEvent,
  EXAMPLE_HASH,
  EXAMPLE_INSTANT,
  endToEndId,
  HASH_PATTERN,
  hash,
  id,
  instant,
  slug,
} from './event-schemas.ts';

const installmentFields = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment.'),
  number: Type.Integer({ description: 'The number of the installment within the purchase, starting at 1.' }),
};
const purchaseFields = {
  installments_total: Type.Integer({ description: 'The number of installments of the purchase.' }),
  merchant_name: Type.String({ description: 'Name of the merchant.' }),
};
const chargeFields = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment the charge is for.'),
  pix_id: id('pix', 'The charge.'),
};
const pricedChargeFields = {
  ...chargeFields,
  type: Type.Enum(['settle', 'settle_partial', 'settle_with_penalty', 'extend']),
  value: amount('The amount of the charge.'),
};

const offerFields = {
  offer_id: id('off', 'The offer.'),
  merchant: slug(),
  amount: amount('The amount of the purchase.'),
  installments: Type.Integer({ description: 'The number of installments.' }),
  status: Type.Enum(['pending', 'accepted', 'declined', 'expired', 'cancelled']),
  expires_at: instant('When the offer expires.'),
  reference: Type.Optional(TextOrNull({ description: "The merchant's own reference." })),
};

const EXAMPLE_INSTALLMENT = {
  checkout_hash: EXAMPLE_HASH,
  installment_id: 'ins_01kfx3v9e2r4s6t8w0y2a4c6e8',
  number: 2,
};
const EXAMPLE_PURCHASE = { installments_total: 4, merchant_name: 'Padaria Flor do Trigo' };
const EXAMPLE_CHARGE = {
  checkout_hash: EXAMPLE_HASH,
  installment_id: EXAMPLE_INSTALLMENT.installment_id,
  pix_id: 'pix_01kfx3v9e2r4s6t8w0y2a4c6e8',
};
const EXAMPLE_END_TO_END_ID = 'E1234567820261115120000000000001';
export const EXAMPLE_OFFER = {
  offer_id: 'off_01kfx3v9e2r4s6t8w0y2a4c6e8',
  merchant: 'padaria-flor-do-trigo',
  amount: 204.4,
  installments: 4,
  expires_at: '2026-11-17T12:00:00.000Z',
  reference: 'pedido-1042',
};

const EXAMPLE_DECISION_ID = 'dec_01kfx3v9e2r4s6t8w0y2a4c6e8';

/**
 * All event types with the schemas of their data: what `emit` takes, what handlers get, and what partners receive. Names and units are
 * those of the wire format. The events of a purchase are numbered in a sequence. Its cashback events belong to the customer and are not
 * numbered.
 */
export const EVENT_CATALOG = {
  'lead.received': defineEvent(
    'A contact form was submitted.',
    {
      id: id('lead', 'The lead.'),
      kind: Type.String({ description: 'The kind of form.' }),
      received_at: instant('When the form was received.'),
    },
    { id: 'lead_01kfx3v9e2r4s6t8w0y2a4c6e8', kind: 'partner', received_at: EXAMPLE_INSTANT },
  ),
  'customer.registered': defineEvent(
    'A customer signed up.',
    {
      customer_id: id('cus', 'The new customer.'),
      registered_at: instant('When the customer signed up.'),
      invited_with: TextOrNull({ description: 'The referral code that the customer used.' }),
    },
    {
      customer_id: 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8',
      registered_at: EXAMPLE_INSTANT,
      invited_with: 'ANA4821',
    },
  ),
  'checkout.created': defineEvent(
    'A customer made a purchase.',
    {
      checkout_hash: hash(),
      merchant: slug(),
      purchased_at: instant('When the purchase was made.'),
      financed: amount('The financed amount.'),
      total: amount('The total of all installments.'),
      installments: Type.Integer({ description: 'The number of installments.' }),
      first_due_on: day('When the first installment is due.'),
    },
    {
      checkout_hash: EXAMPLE_HASH,
      merchant: EXAMPLE_OFFER.merchant,
      purchased_at: EXAMPLE_INSTANT,
      financed: 204.4,
      total: 204.4,
      installments: 4,
      first_due_on: '2026-11-22',
    },
  ),
  'checkout.paid': defineEvent(
    'All installments of a purchase are paid.',
    { checkout_hash: hash() },
    { checkout_hash: EXAMPLE_HASH },
  ),
  'checkout.overdue': defineEvent(
    'A purchase has become overdue at the start of a day. Published when its first installment becomes overdue, and again only if the ' +
      'purchase was not overdue in between.',
    { checkout_hash: hash() },
    { checkout_hash: EXAMPLE_HASH },
  ),
  'checkout.returned': defineEvent(
    'A purchase was returned, partially or completely.',
    {
      checkout_hash: hash(),
      merchant: slug(),
      amount: amount('The amount of this return.'),
      returned: amount('The total amount of all returns.'),
      refunded: amount('The part of this return that is refunded to the customer.'),
      whole: Type.Boolean({ description: 'Whether the purchase has been returned completely.' }),
      reason: Personal('text', { description: 'The reason, written for the customer.' }),
      returned_at: instant('When the return was made.'),
    },
    {
      checkout_hash: EXAMPLE_HASH,
      merchant: EXAMPLE_OFFER.merchant,
      amount: 51.1,
      returned: 51.1,
      refunded: 0,
      whole: false,
      reason: 'Não serviu',
      returned_at: EXAMPLE_INSTANT,
    },
  ),
  'installment.paid': defineEvent(
    'An installment was settled. Published again if it turns out that it was settled at another time or with less cashback, and after a ' +
      'return.',
    {
      ...installmentFields,
      ...purchaseFields,
      amount: amount('The agreed amount.'),
      discount: amount('The discount for early payment.'),
      returned: amount('The reduction of the amount by returns.'),
      paid_with_cashback: amount('The part paid with cashback, which earns no cashback.'),
      paid_at: instant('When the installment was settled.'),
      on_time: Type.Boolean({ description: 'Whether it was settled on or before the effective due date.' }),
      cashback_percent: Type.Number({
        description: 'The cashback rate of the purchase for on-time payments.',
      }),
    },
    {
      ...EXAMPLE_INSTALLMENT,
      ...EXAMPLE_PURCHASE,
      amount: 51.1,
      discount: 0,
      returned: 0,
      paid_with_cashback: 0,
      paid_at: EXAMPLE_INSTANT,
      on_time: true,
      cashback_percent: 2,
    },
  ),
  'installment.overdue': defineEvent(
    'An installment was not settled by its effective due date. Published once for each due date, at the start of the next day.',
    {
      ...installmentFields,
      ...purchaseFields,
      due_on: day('The due date.'),
      effective_due_on: day('The last business day for payment on time.'),
      outstanding: amount('The outstanding amount, without fine and interest.'),
    },
    {
      ...EXAMPLE_INSTALLMENT,
      ...EXAMPLE_PURCHASE,
      due_on: '2026-11-14',
      effective_due_on: '2026-11-16',
      outstanding: 51.1,
    },
  ),
  'installment.extended': defineEvent(
    'The due date of an installment has changed: an extension was paid or reversed.',
    {
      ...installmentFields,
      due_on: day('The new due date.'),
      extensions: Type.Integer({ description: 'The number of extensions.' }),
    },
    { ...EXAMPLE_INSTALLMENT, due_on: '2026-11-29', extensions: 1 },
  ),
  'installment.overpaid': defineEvent(
    'An installment was overpaid, and the excess cannot be refunded by Pix: it was paid with cashback, is older than 90 days, or the payment ' +
      'provider refuses the refund because of its age. The excess becomes cashback.',
    {
      ...installmentFields,
      ...purchaseFields,
      amount: amount(
        'The amount that becomes cashback. Negative if it is no longer cashback, because the payment was reversed.',
      ),
    },
    { ...EXAMPLE_INSTALLMENT, ...EXAMPLE_PURCHASE, amount: 5.1 },
  ),
  'installment.payment_changed': defineEvent(
    'An installment was partially paid, or a payment of it was reversed or refunded.',
    {
      ...installmentFields,
      paid: amount('The paid amount, without fine, interest and fees.'),
      outstanding: amount('The outstanding amount.'),
    },
    { ...EXAMPLE_INSTALLMENT, paid: 20, outstanding: 31.1 },
  ),
  'installment.reopened': defineEvent(
    'The payment that had settled an installment was reversed: the amount is owed again.',
    {
      ...installmentFields,
      ...purchaseFields,
      outstanding: amount('The amount that is owed again.'),
      due_on: day('The due date.'),
    },
    { ...EXAMPLE_INSTALLMENT, ...EXAMPLE_PURCHASE, outstanding: 51.1, due_on: '2026-11-29' },
  ),
  'pix.created': defineEvent(
    'A charge was created and can be paid.',
    { ...pricedChargeFields, expires_at: instant('When the charge expires.') },
    { ...EXAMPLE_CHARGE, type: 'settle', value: 51.1, expires_at: '2026-11-16T03:00:00.000Z' },
  ),
  'pix.paid': defineEvent(
    'A charge was paid.',
    {
      ...pricedChargeFields,
      paid: amount('The amount paid.'),
      paid_at: instant('When the payment arrived.'),
      txid: Type.String({ pattern: '^[a-zA-Z0-9]{26,35}$', description: 'The id of the charge at the PSP.' }),
      end_to_end_id: endToEndId('The payment in the Pix network.'),
    },
    {
      ...EXAMPLE_CHARGE,
      type: 'settle',
      value: 51.1,
      paid: 51.1,
      paid_at: EXAMPLE_INSTANT,
      txid: '7d9f0335d2ab4b9fa5d5a35a8e6c1f20',
      end_to_end_id: EXAMPLE_END_TO_END_ID,
    },
  ),
  'pix.expired': defineEvent(
    'A charge was not paid in time.',
    { ...pricedChargeFields, expired_at: instant('When the charge expired.') },
    { ...EXAMPLE_CHARGE, type: 'settle', value: 51.1, expired_at: '2026-11-16T03:00:00.000Z' },
  ),
  'pix.refunded': defineEvent(
    'A payment was refunded, completely or in part.',
    {
      ...chargeFields,
      amount: amount('The refunded amount.'),
      reason: Type.Enum(['too_much', 'taken_back'], {
        description: 'The payment exceeded the amount owed, or the payer’s bank reversed it.',
      }),
      end_to_end_id: endToEndId('The refunded payment.'),
    },
    { ...EXAMPLE_CHARGE, amount: 51.1, reason: 'too_much', end_to_end_id: EXAMPLE_END_TO_END_ID },
  ),
  'pix.moved': defineEvent(
    'A payment was moved to another installment and no longer counts for this one.',
    {
      ...chargeFields,
      amount: amount('The amount of the payment.'),
      moved_at: instant('When the payment was moved.'),
      end_to_end_id: endToEndId('The payment in the Pix network.'),
    },
    { ...EXAMPLE_CHARGE, amount: 51.1, moved_at: EXAMPLE_INSTANT, end_to_end_id: EXAMPLE_END_TO_END_ID },
  ),
  ...AUTOPAY_EVENTS,
  'cashback.changed': defineEvent(
    'The cashback balance of a customer has changed.',
    {
      id: Type.String({ pattern: '^(csh|exp)_[0-9a-z]{26}$', description: 'The id of the statement entry.' }),
      kind: Type.Enum(['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted']),
      amount: amount('The change of the balance; negative if it decreased.'),
      balance: amount('The new balance.'),
      checkout_hash: TextOrNull({
        pattern: HASH_PATTERN,
        description: 'The purchase, if the change concerns one.',
      }),
      installment_id: TextOrNull({
        pattern: idPattern('ins'),
        description: 'The installment, if the change concerns one.',
      }),
      expires_on: TextOrNull({
        format: 'date',
        description: 'The last day on which the cashback can be used.',
      }),
    },
    {
      id: 'csh_01kfx3v9e2r4s6t8w0y2a4c6e8',
      kind: 'earned',
      amount: 1.02,
      balance: 21.02,
      checkout_hash: EXAMPLE_HASH,
      installment_id: EXAMPLE_INSTALLMENT.installment_id,
      expires_on: '2027-05-14',
    },
  ),
  'referral.rewarded': defineEvent(
    'A customer received a reward for a referral.',
    {
      role: Type.Enum(['referrer', 'invited'], { description: 'The role of the customer in the referral.' }),
      reward: amount('The credited amount.'),
    },
    { role: 'referrer', reward: 20 },
  ),
  'offer.created': defineEvent('A merchant created an offer.', offerFields, {
    ...EXAMPLE_OFFER,
    status: 'pending',
  }),
  'offer.claimed': defineEvent(
    'A customer has claimed an open offer and holds it until it expires.',
    offerFields,
    { ...EXAMPLE_OFFER, status: 'pending' },
  ),
  'offer.accepted': defineEvent(
    'An offer was accepted and became a purchase.',
    { ...offerFields, checkout_hash: hash() },
    { ...EXAMPLE_OFFER, status: 'accepted', checkout_hash: EXAMPLE_HASH },
  ),
  'offer.declined': defineEvent('An offer was declined.', offerFields, {
    ...EXAMPLE_OFFER,
    status: 'declined',
  }),
  'offer.expired': defineEvent('An offer was not accepted in time.', offerFields, {
    ...EXAMPLE_OFFER,
    status: 'expired',
  }),
  'offer.cancelled': defineEvent('An offer was cancelled.', offerFields, {
    ...EXAMPLE_OFFER,
    status: 'cancelled',
  }),
  'credit.review': defineEvent(
    'A purchase, or a credit limit that a customer asked to review, is waiting for a decision by a staff user. The offer stays pending.',
    {
      decision_id: id('dec', 'The decision.'),
      offer_id: TextOrNull({
        pattern: idPattern('off'),
        description: 'The offer, if the decision concerns one.',
      }),
      merchant: TextOrNull({ description: 'Slug of the merchant of that offer.' }),
    },
    { decision_id: EXAMPLE_DECISION_ID, offer_id: EXAMPLE_OFFER.offer_id, merchant: EXAMPLE_OFFER.merchant },
  ),
  'credit.decided': defineEvent(
    'A staff user has decided. An approved offer can now be accepted.',
    {
      decision_id: id('dec', 'The decision.'),
      outcome: Type.Enum(['approved', 'declined']),
      offer_id: TextOrNull({
        pattern: idPattern('off'),
        description: 'The offer, if the decision concerns one.',
      }),
      merchant: TextOrNull({ description: 'Slug of the merchant of that offer.' }),
    },
    {
      decision_id: EXAMPLE_DECISION_ID,
      outcome: 'approved',
      offer_id: EXAMPLE_OFFER.offer_id,
      merchant: EXAMPLE_OFFER.merchant,
    },
  ),
  'credit.limit_changed': defineEvent(
    'The credit policy or a staff user has changed a customer’s credit limit, or a higher limit is offered.',
    {
      limit: amount('The current limit.'),
      offered: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'The limit that applies once the customer accepts.',
      }),
    },
    { limit: 150, offered: 200 },
  ),
  'payout.paid': defineEvent(
    'A payout to a merchant was made.',
    {
      payout_id: id('pay', 'The payout.'),
      merchant: slug(),
      amount: amount('The amount paid.'),
      paid_at: instant('When the payout was made.'),
      reference: TextOrNull({ description: 'The bank’s reference.' }),
    },
    {
      payout_id: 'pay_01kfx3v9e2r4s6t8w0y2a4c6e8',
      merchant: EXAMPLE_OFFER.merchant,
      amount: 1980.5,
      paid_at: EXAMPLE_INSTANT,
      reference: 'TED 482913',
    },
  ),
} as const;

export type EventType = keyof typeof EVENT_CATALOG;
export type EventData<T extends EventType> = Static<(typeof EVENT_CATALOG)[T]>;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];
/** The event types that staff users see, including those that partners do not receive. */
export const STAFF_EVENT_TYPES = [...EVENT_TYPES, 'webhook.disabled'] as const;

/** The example data of an event type. */
export function exampleOf<T extends EventType>(type: T): EventData<T> {
  const { examples } = EVENT_CATALOG[type] as { examples?: unknown[] };
  return examples![0] as EventData<T>;
}

export const descriptionOf = (type: EventType): string =>
  (EVENT_CATALOG[type] as { description?: string }).description!;
