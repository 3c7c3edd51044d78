import { type Static, Type } from 'typebox';
import { idPattern, TextOrNull } from '#platform/http/schemas.ts';
import { AUTOPAY_EVENTS } from './autopay-events.ts';
import {
  amount,
  day,
  endToEndId,
  event,
  HASH,
  HASH_PATTERN,
  hash,
  id,
  instant,
  NOON,
  slug,
} from './event-parts.ts';

const installment = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment.'),
  number: Type.Integer({ description: 'Which of the purchase, from 1.' }),
};
const ofPurchase = {
  installments_total: Type.Integer({ description: 'How many installments the purchase has.' }),
  merchant_name: Type.String({ description: 'Where it was bought.' }),
};
const charge = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment the charge is for.'),
  pix_id: id('pix', 'The charge.'),
};
const pricedCharge = {
  ...charge,
  type: Type.Enum(['settle', 'settle_partial', 'settle_with_penalty', 'extend']),
  value: amount('What the charge asks for.'),
};

const offer = {
  offer_id: id('off', 'The offer.'),
  merchant: slug(),
  amount: amount('What is bought for.'),
  installments: Type.Integer({ description: 'In how many installments.' }),
  status: Type.Enum(['pending', 'accepted', 'declined', 'expired', 'cancelled']),
  expires_at: instant('Until when it can be accepted.'),
  reference: Type.Optional(TextOrNull({ description: 'What the merchant calls it.' })),
};

const INSTALLMENT = {
  checkout_hash: HASH,
  installment_id: 'ins_01kfx3v9e2r4s6t8w0y2a4c6e8',
  number: 2,
};
const PURCHASE = { installments_total: 4, merchant_name: 'Padaria Flor do Trigo' };
const CHARGE = {
  checkout_hash: HASH,
  installment_id: INSTALLMENT.installment_id,
  pix_id: 'pix_01kfx3v9e2r4s6t8w0y2a4c6e8',
};
const END_TO_END_ID = 'E1234567820261115120000000000001';
export const OFFER = {
  offer_id: 'off_01kfx3v9e2r4s6t8w0y2a4c6e8',
  merchant: 'padaria-flor-do-trigo',
  amount: 204.4,
  installments: 4,
  expires_at: '2026-11-17T12:00:00.000Z',
  reference: 'pedido-1042',
};

const DECISION = 'dec_01kfx3v9e2r4s6t8w0y2a4c6e8';

/**
 * Every type of event with the schema of its data: what `emit` takes, what handlers get, and what partners receive. Names and
 * units are those of the wire. Events of a purchase are numbered in its sequence. Its cashback events belong to the customer and
 * are not numbered.
 */
export const EVENT_CATALOG = {
  'lead.received': event(
    'Somebody sent a form.',
    {
      id: id('lead', 'The lead.'),
      kind: Type.String({ description: 'Which form.' }),
      received_at: instant('When it came.'),
    },
    { id: 'lead_01kfx3v9e2r4s6t8w0y2a4c6e8', kind: 'partner', received_at: NOON },
  ),
  'customer.registered': event(
    'A customer signed up.',
    {
      customer_id: id('cus', 'The new customer.'),
      registered_at: instant('When.'),
      invited_with: TextOrNull({ description: 'The referral code the customer came with.' }),
    },
    { customer_id: 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8', registered_at: NOON, invited_with: 'ANA4821' },
  ),
  'checkout.created': event(
    'A customer bought something.',
    {
      checkout_hash: hash(),
      merchant: slug(),
      purchased_at: instant('When it was bought.'),
      financed: amount('What was bought for.'),
      total: amount('What is to be paid in all.'),
      installments: Type.Integer({ description: 'In how many installments.' }),
      first_due_on: day('When the first falls due.'),
    },
    {
      checkout_hash: HASH,
      merchant: OFFER.merchant,
      purchased_at: NOON,
      financed: 204.4,
      total: 204.4,
      installments: 4,
      first_due_on: '2026-11-22',
    },
  ),
  'checkout.paid': event(
    'All installments of a purchase are paid.',
    { checkout_hash: hash() },
    { checkout_hash: HASH },
  ),
  'checkout.overdue': event(
    'The day turned, and the purchase has become overdue. Told when its first installment does; again only if it was not overdue ' +
      'in between.',
    { checkout_hash: hash() },
    { checkout_hash: HASH },
  ),
  'checkout.returned': event(
    'Some or all of a purchase was returned.',
    {
      checkout_hash: hash(),
      merchant: slug(),
      amount: amount('What was returned now.'),
      returned: amount('What was returned in all.'),
      refunded: amount('What of it goes back to the customer.'),
      whole: Type.Boolean({ description: 'Whether nothing of the purchase is left.' }),
      returned_at: instant('When.'),
    },
    {
      checkout_hash: HASH,
      merchant: OFFER.merchant,
      amount: 51.1,
      returned: 51.1,
      refunded: 0,
      whole: false,
      returned_at: NOON,
    },
  ),
  'installment.paid': event(
    'An installment was settled. Told again when it turns out that it was settled at another time, or with less cashback, and when ' +
      'something was returned.',
    {
      ...installment,
      ...ofPurchase,
      amount: amount('What was agreed.'),
      discount: amount('What of it was given back for paying early.'),
      returned: amount('What it comes to less since something was returned.'),
      paid_with_cashback: amount('What of it was taken off with cashback, which earns none.'),
      paid_at: instant('When it was settled.'),
      on_time: Type.Boolean({ description: 'On or before the effective due day.' }),
      cashback_percent: Type.Number({ description: 'What the purchase earns of what is paid on time.' }),
    },
    {
      ...INSTALLMENT,
      ...PURCHASE,
      amount: 51.1,
      discount: 0,
      returned: 0,
      paid_with_cashback: 0,
      paid_at: NOON,
      on_time: true,
      cashback_percent: 2,
    },
  ),
  'installment.overdue': event(
    'The day turned, and something is still owed on an installment whose effective due day is past. Told once for each due day.',
    {
      ...installment,
      ...ofPurchase,
      due_on: day('When it fell due.'),
      effective_due_on: day('The business day until which it could be paid in time.'),
      outstanding: amount('What is owed of the installment, without fine and interest.'),
    },
    {
      ...INSTALLMENT,
      ...PURCHASE,
      due_on: '2026-11-14',
      effective_due_on: '2026-11-16',
      outstanding: 51.1,
    },
  ),
  'installment.extended': event(
    'An installment falls due on another day: an extension was paid, or taken back.',
    {
      ...installment,
      due_on: day('When it falls due now.'),
      extensions: Type.Integer({ description: 'How often it was extended.' }),
    },
    { ...INSTALLMENT, due_on: '2026-11-29', extensions: 1 },
  ),
  'installment.overpaid': event(
    'Something was paid on an installment that was not owed after all, and cannot go back by Pix: cashback, or what is older than 90 ' +
      'days, or what the payment provider refuses to refund for its age. It is cashback from now on.',
    {
      ...installment,
      ...ofPurchase,
      amount: amount(
        'What becomes cashback. Below zero: what is cashback no more, since the payment was taken back.',
      ),
    },
    { ...INSTALLMENT, ...PURCHASE, amount: 5.1 },
  ),
  'installment.payment_changed': event(
    'Something was paid on an installment without settling it, or what had been paid was taken back or went back.',
    {
      ...installment,
      paid: amount('What is paid of the amount now, without fine, interest and fees.'),
      outstanding: amount('What is left of the amount.'),
    },
    { ...INSTALLMENT, paid: 20, outstanding: 31.1 },
  ),
  'installment.reopened': event(
    'What had settled an installment was taken back: that is owed again.',
    {
      ...installment,
      ...ofPurchase,
      outstanding: amount('What is owed again.'),
      due_on: day('When it falls or fell due.'),
    },
    { ...INSTALLMENT, ...PURCHASE, outstanding: 51.1, due_on: '2026-11-29' },
  ),
  'pix.created': event(
    'A charge can be paid.',
    { ...pricedCharge, expires_at: instant('Until when it can be paid.') },
    { ...CHARGE, type: 'settle', value: 51.1, expires_at: '2026-11-16T03:00:00.000Z' },
  ),
  'pix.paid': event(
    'The money of a charge arrived.',
    {
      ...pricedCharge,
      paid: amount('What was paid.'),
      paid_at: instant('When the money arrived.'),
      txid: Type.String({ pattern: '^[a-zA-Z0-9]{26,35}$', description: 'The charge at the PSP.' }),
      end_to_end_id: endToEndId('The payment in the Pix network.'),
    },
    {
      ...CHARGE,
      type: 'settle',
      value: 51.1,
      paid: 51.1,
      paid_at: NOON,
      txid: '7d9f0335d2ab4b9fa5d5a35a8e6c1f20',
      end_to_end_id: END_TO_END_ID,
    },
  ),
  'pix.expired': event(
    'A charge was not paid in time.',
    { ...pricedCharge, expired_at: instant('Since when it cannot be paid.') },
    { ...CHARGE, type: 'settle', value: 51.1, expired_at: '2026-11-16T03:00:00.000Z' },
  ),
  'pix.refunded': event(
    'Money of a payment went back to the payer.',
    {
      ...charge,
      amount: amount('What went back to the payer.'),
      reason: Type.Enum(['too_much', 'taken_back'], {
        description: 'It was more than was owed, or the payer’s bank took it back.',
      }),
      end_to_end_id: endToEndId('The payment it was a part of.'),
    },
    { ...CHARGE, amount: 51.1, reason: 'too_much', end_to_end_id: END_TO_END_ID },
  ),
  'pix.moved': event(
    'A payment was found to be for another installment, and counts for this one no longer.',
    {
      ...charge,
      amount: amount('What it was.'),
      moved_at: instant('Since when it counts for this installment no longer.'),
      end_to_end_id: endToEndId('The payment in the Pix network.'),
    },
    { ...CHARGE, amount: 51.1, moved_at: NOON, end_to_end_id: END_TO_END_ID },
  ),
  ...AUTOPAY_EVENTS,
  'cashback.changed': event(
    'A customer has more or less cashback.',
    {
      id: Type.String({ pattern: '^(csh|exp)_[0-9a-z]{26}$', description: 'The line of the statement.' }),
      kind: Type.Enum(['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted']),
      amount: amount('By how much: below zero it was taken.'),
      balance: amount('What the customer has now.'),
      checkout_hash: TextOrNull({ pattern: HASH_PATTERN, description: 'The purchase, if it is of one.' }),
      installment_id: TextOrNull({
        pattern: idPattern('ins'),
        description: 'The installment, if it is of one.',
      }),
      expires_on: TextOrNull({ format: 'date', description: 'Last day it can be used.' }),
    },
    {
      id: 'csh_01kfx3v9e2r4s6t8w0y2a4c6e8',
      kind: 'earned',
      amount: 1.02,
      balance: 21.02,
      checkout_hash: HASH,
      installment_id: INSTALLMENT.installment_id,
      expires_on: '2027-05-14',
    },
  ),
  'referral.rewarded': event(
    'A customer was credited for an invitation.',
    {
      role: Type.Enum(['referrer', 'invited'], { description: 'Which side the customer is on.' }),
      reward: amount('What the customer was credited.'),
    },
    { role: 'referrer', reward: 20 },
  ),
  'offer.created': event('A merchant made an offer.', offer, { ...OFFER, status: 'pending' }),
  'offer.claimed': event(
    'Somebody has opened an open offer, and has it from now on until it expires.',
    offer,
    { ...OFFER, status: 'pending' },
  ),
  'offer.accepted': event(
    'An offer was accepted: it is a purchase now.',
    { ...offer, checkout_hash: hash() },
    { ...OFFER, status: 'accepted', checkout_hash: HASH },
  ),
  'offer.declined': event('An offer was declined.', offer, { ...OFFER, status: 'declined' }),
  'offer.expired': event('An offer was not accepted in time.', offer, { ...OFFER, status: 'expired' }),
  'offer.cancelled': event('An offer was taken back.', offer, { ...OFFER, status: 'cancelled' }),
  'credit.review': event(
    'A purchase, or a limit that a customer asked about, waits for a person of the operator. The offer stays pending.',
    {
      decision_id: id('dec', 'The decision.'),
      offer_id: TextOrNull({ pattern: idPattern('off'), description: 'The offer, if it is about one.' }),
      merchant: TextOrNull({ description: 'Slug of the merchant of that offer.' }),
    },
    { decision_id: DECISION, offer_id: OFFER.offer_id, merchant: OFFER.merchant },
  ),
  'credit.decided': event(
    'A person of the operator has answered. An offer that was approved can be accepted now.',
    {
      decision_id: id('dec', 'The decision.'),
      outcome: Type.Enum(['approved', 'declined']),
      offer_id: TextOrNull({ pattern: idPattern('off'), description: 'The offer, if it is about one.' }),
      merchant: TextOrNull({ description: 'Slug of the merchant of that offer.' }),
    },
    { decision_id: DECISION, outcome: 'approved', offer_id: OFFER.offer_id, merchant: OFFER.merchant },
  ),
  'credit.limit_changed': event(
    'The credit policy or a person has changed a customer’s limit, or a higher one is offered.',
    {
      limit: amount('What counts now.'),
      offered: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'What counts once the customer says yes.',
      }),
    },
    { limit: 150, offered: 200 },
  ),
  'payout.paid': event(
    'A merchant was paid.',
    {
      payout_id: id('pay', 'The payout.'),
      merchant: slug(),
      amount: amount('What was paid.'),
      paid_at: instant('When.'),
      reference: TextOrNull({ description: 'The bank’s reference.' }),
    },
    {
      payout_id: 'pay_01kfx3v9e2r4s6t8w0y2a4c6e8',
      merchant: OFFER.merchant,
      amount: 1980.5,
      paid_at: NOON,
      reference: 'TED 482913',
    },
  ),
} as const;

export type EventType = keyof typeof EVENT_CATALOG;
export type EventData<T extends EventType> = Static<(typeof EVENT_CATALOG)[T]>;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];
/** Including fields that partners do not get. */
export const STAFF_EVENT_TYPES = [...EVENT_TYPES, 'webhook.disabled'] as const;

/** Data that fits the type of the event. */
export function exampleOf<T extends EventType>(type: T): EventData<T> {
  const { examples } = EVENT_CATALOG[type] as { examples?: unknown[] };
  return examples![0] as EventData<T>;
}

export const descriptionOf = (type: EventType): string =>
  (EVENT_CATALOG[type] as { description?: string }).description!;
