import { type Static, Type } from 'typebox';
import { Personal } from '#platform/http/masking.ts';
import { TextOrNull } from '#platform/http/schemas.ts';
import { AUTOPAY_EVENTS } from './autopay-events.ts';
import {
  Amount,
  CheckoutHash,
  CheckoutHashOrNull,
  Day,
  defineEvent,
  EndToEndId,
  IdField,
  IdOrNullField,
  Instant,
  Integer,
  MerchantSlug,
} from './event-schemas.ts';

const installmentFields = {
  checkout_hash: CheckoutHash(),
  installment_id: IdField('ins', 'The installment.'),
  number: Integer('The number of the installment within the purchase, starting at 1.', 2),
};
const purchaseFields = {
  installments_total: Integer('The number of installments of the purchase.', 4),
  merchant_name: Type.String({ description: 'Name of the merchant.', examples: ['Padaria Flor do Trigo'] }),
};
const chargeFields = {
  checkout_hash: CheckoutHash(),
  installment_id: IdField('ins', 'The installment the charge is for.'),
  pix_id: IdField('pix', 'The charge.'),
};
const pricedChargeFields = {
  ...chargeFields,
  type: Type.Enum(['settle', 'settle_partial', 'settle_with_penalty', 'extend']),
  value: Amount('The amount of the charge.'),
};

const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const;
const buildOfferFields = (exampleStatus: (typeof OFFER_STATUSES)[number]) => ({
  offer_id: IdField('off', 'The offer.'),
  merchant: MerchantSlug(),
  amount: Amount('The amount of the purchase.', 204.4),
  installments: Integer('The number of installments.', 4),
  status: Type.Enum([...OFFER_STATUSES], { examples: [exampleStatus] }),
  expires_at: Instant('When the offer expires.', '2026-11-17T12:00:00.000Z'),
  reference: Type.Optional(
    TextOrNull({ description: "The merchant's own reference.", examples: ['pedido-1042'] }),
  ),
});

const decisionFields = {
  offer_id: IdOrNullField('off', 'The offer, if the decision concerns one.'),
  merchant: TextOrNull({
    description: 'Slug of the merchant of that offer.',
    examples: ['padaria-flor-do-trigo'],
  }),
};

/**
 * All event types with the schemas of their data, which `emit` takes, handlers get, and partners receive. Names and units are those of
 * the wire format. The events of a purchase are numbered in a sequence, except cashback events, which belong to the customer.
 */
export const EVENT_CATALOG = {
  'lead.received': defineEvent('A contact form was submitted.', {
    id: IdField('lead', 'The lead.'),
    kind: Type.String({ description: 'The kind of form.', examples: ['partner'] }),
    received_at: Instant('When the form was received.'),
  }),
  'customer.registered': defineEvent('A customer signed up.', {
    customer_id: IdField('cus', 'The new customer.'),
    registered_at: Instant('When the customer signed up.'),
    invited_with: TextOrNull({
      description: 'The referral code that the customer used.',
      examples: ['ANA4821'],
    }),
  }),
  'checkout.created': defineEvent('A customer made a purchase.', {
    checkout_hash: CheckoutHash(),
    merchant: MerchantSlug(),
    purchased_at: Instant('When the purchase was made.'),
    financed: Amount('The financed amount.', 204.4),
    total: Amount('The total of all installments.', 204.4),
    installments: Integer('The number of installments.', 4),
    first_due_on: Day('When the first installment is due.', '2026-11-22'),
  }),
  'checkout.paid': defineEvent('All installments of a purchase are paid.', { checkout_hash: CheckoutHash() }),
  'checkout.overdue': defineEvent(
    'A purchase has become overdue at the start of a day. Published when its first installment becomes overdue, and again only if the ' +
      'purchase was not overdue in between.',
    { checkout_hash: CheckoutHash() },
  ),
  'checkout.returned': defineEvent('A purchase was returned, partially or completely.', {
    checkout_hash: CheckoutHash(),
    merchant: MerchantSlug(),
    amount: Amount('The amount of this return.'),
    returned: Amount('The total amount of all returns.'),
    refunded: Amount('The part of this return that is refunded to the customer.', 0),
    whole: Type.Boolean({ description: 'Whether the purchase has been returned completely.' }),
    reason: Personal('text', {
      description: 'The reason, written for the customer.',
      examples: ['Não serviu'],
    }),
    returned_at: Instant('When the return was made.'),
  }),
  'installment.paid': defineEvent(
    'An installment was settled. Published again if it turns out that it was settled at another time or with less cashback, and after a ' +
      'return.',
    {
      ...installmentFields,
      ...purchaseFields,
      amount: Amount('The agreed amount.'),
      discount: Amount('The discount for early payment.', 0),
      returned: Amount('The reduction of the amount by returns.', 0),
      paid_with_cashback: Amount('The part paid with cashback, which earns no cashback.', 0),
      paid_at: Instant('When the installment was settled.'),
      on_time: Type.Boolean({
        description: 'Whether it was settled on or before the effective due day.',
        examples: [true],
      }),
      cashback_percent: Type.Number({
        description: 'The cashback rate of the purchase for on-time payments.',
        examples: [2],
      }),
    },
  ),
  'installment.overdue': defineEvent(
    'An installment was not settled by its effective due day. Published once for each due day, at the start of the next day.',
    {
      ...installmentFields,
      ...purchaseFields,
      due_on: Day('The due day.', '2026-11-14'),
      effective_due_on: Day(
        'The due day or the next bank business day; the installment is late after this day.',
        '2026-11-16',
      ),
      outstanding: Amount('The outstanding amount, without fine and interest.'),
    },
  ),
  'installment.extended': defineEvent(
    'The due day of an installment has changed: an extension was paid or reversed.',
    {
      ...installmentFields,
      due_on: Day('The new due day.', '2026-11-29'),
      extensions: Integer('The number of extensions.', 1),
    },
  ),
  'installment.overpaid': defineEvent(
    'An installment was overpaid, and the excess cannot be refunded by Pix: it was paid with cashback, is older than 90 days, or the payment ' +
      'provider refuses the refund because of its age. The excess becomes cashback.',
    {
      ...installmentFields,
      ...purchaseFields,
      amount: Amount(
        'The amount that becomes cashback. Negative if it is no longer cashback, because the payment was reversed.',
        5.1,
      ),
    },
  ),
  'installment.payment_changed': defineEvent(
    'An installment was partially paid, or a payment of it was reversed or refunded.',
    {
      ...installmentFields,
      paid: Amount('The paid amount, without fine, interest and fees.', 20),
      outstanding: Amount('The outstanding amount.', 31.1),
    },
  ),
  'installment.reopened': defineEvent(
    'The payment that had settled an installment was reversed: the amount is owed again.',
    {
      ...installmentFields,
      ...purchaseFields,
      outstanding: Amount('The amount that is owed again.'),
      due_on: Day('The due day.', '2026-11-29'),
    },
  ),
  'pix.created': defineEvent('A charge was created and can be paid.', {
    ...pricedChargeFields,
    expires_at: Instant('When the charge expires.', '2026-11-16T03:00:00.000Z'),
  }),
  'pix.paid': defineEvent('A charge was paid.', {
    ...pricedChargeFields,
    paid: Amount('The amount paid.'),
    paid_at: Instant('When the payment arrived.'),
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{26,35}$',
      description: 'The id of the charge at the PSP.',
      examples: ['7d9f0335d2ab4b9fa5d5a35a8e6c1f20'],
    }),
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
  }),
  'pix.expired': defineEvent('A charge was not paid in time.', {
    ...pricedChargeFields,
    expired_at: Instant('When the charge expired.', '2026-11-16T03:00:00.000Z'),
  }),
  'pix.refunded': defineEvent('A payment was refunded, completely or in part.', {
    ...chargeFields,
    amount: Amount('The refunded amount.'),
    reason: Type.Enum(['too_much', 'taken_back'], {
      description:
        '`too_much`: the payment exceeded the amount owed. `taken_back`: the payer’s bank reversed the payment.',
    }),
    end_to_end_id: EndToEndId('The refunded payment.'),
  }),
  'pix.moved': defineEvent('A payment was moved to another installment and no longer counts for this one.', {
    ...chargeFields,
    amount: Amount('The amount of the payment.'),
    moved_at: Instant('When the payment was moved.'),
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
  }),
  ...AUTOPAY_EVENTS,
  'cashback.changed': defineEvent('The cashback balance of a customer has changed.', {
    id: Type.String({
      pattern: '^(csh|exp)_[0-9a-z]{26}$',
      description: 'The id of the statement entry.',
      examples: ['csh_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    }),
    kind: Type.Enum(['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted']),
    amount: Amount('The change of the balance; negative if it decreased.', 1.02),
    balance: Amount('The new balance.', 21.02),
    checkout_hash: CheckoutHashOrNull('The purchase, if the change concerns one.'),
    installment_id: IdOrNullField('ins', 'The installment, if the change concerns one.'),
    expires_on: TextOrNull({
      format: 'date',
      description: 'The last day on which the cashback can be used.',
      examples: ['2027-05-14'],
    }),
  }),
  'referral.rewarded': defineEvent('A customer received a reward for a referral.', {
    role: Type.Enum(['referrer', 'invited'], { description: 'The role of the customer in the referral.' }),
    reward: Amount('The credited amount.', 20),
  }),
  'offer.created': defineEvent('A merchant created an offer.', buildOfferFields('pending')),
  'offer.claimed': defineEvent(
    'A customer has claimed an open offer. From then on only this customer can accept it, until it expires.',
    buildOfferFields('pending'),
  ),
  'offer.accepted': defineEvent('An offer was accepted and became a purchase.', {
    ...buildOfferFields('accepted'),
    checkout_hash: CheckoutHash(),
  }),
  'offer.declined': defineEvent('An offer was declined.', buildOfferFields('declined')),
  'offer.expired': defineEvent('An offer was not accepted in time.', buildOfferFields('expired')),
  'offer.cancelled': defineEvent('An offer was cancelled.', buildOfferFields('cancelled')),
  'credit.review': defineEvent(
    'A purchase, or a review of the limit that a customer requested, waits for the decision of a staff user. The offer stays pending.',
    {
      decision_id: IdField('dec', 'The decision.'),
      ...decisionFields,
    },
  ),
  'credit.decided': defineEvent('A staff user has decided. An approved offer can now be accepted.', {
    decision_id: IdField('dec', 'The decision.'),
    outcome: Type.Enum(['approved', 'declined']),
    ...decisionFields,
  }),
  'credit.limit_changed': defineEvent(
    'The credit policy or a staff user has changed a customer’s credit limit, or a higher limit is offered.',
    {
      limit: Amount('The current limit.', 150),
      offered: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'The limit that applies once the customer accepts.',
        examples: [200],
      }),
    },
  ),
  'payout.paid': defineEvent('A payout to a merchant was made.', {
    payout_id: IdField('pay', 'The payout.'),
    merchant: MerchantSlug(),
    amount: Amount('The amount paid.', 1980.5),
    paid_at: Instant('When the payout was made.'),
    reference: TextOrNull({ description: 'The bank’s reference.', examples: ['TED 482913'] }),
  }),
} as const;

export type EventType = keyof typeof EVENT_CATALOG;
export type EventData<T extends EventType> = Static<(typeof EVENT_CATALOG)[T]>;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];
/** The event types that staff users see, including those that partners do not receive. */
export const STAFF_EVENT_TYPES = [...EVENT_TYPES, 'webhook.disabled'] as const;

export function getExample<T extends EventType>(type: T): EventData<T> {
  const { examples } = EVENT_CATALOG[type] as { examples?: unknown[] };
  return examples![0] as EventData<T>;
}

export const getDescription = (type: EventType): string =>
  (EVENT_CATALOG[type] as { description?: string }).description!;
