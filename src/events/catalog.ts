import { type Static, Type } from 'typebox';
import { TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const day = (description: string) => Type.String({ format: 'date', description });
const amount = (description: string) => Type.Number({ description, examples: [51.1] });
const instant = (description: string) => Timestamp({ description });
const id = (description: string) => Type.String({ description });
const hash = () => Type.String({ description: 'The purchase.' });

const installment = {
  checkout_hash: hash(),
  installment_id: id('The installment.'),
  number: Type.Integer({ description: 'Which of the purchase, from 1.' }),
};
const ofPurchase = {
  installments_total: Type.Integer({ description: 'How many installments the purchase has.' }),
  merchant_name: Type.String({ description: 'Where it was bought.' }),
};
const charge = {
  checkout_hash: hash(),
  installment_id: id('The installment the charge is for.'),
  pix_id: id('The charge.'),
};
const pricedCharge = {
  ...charge,
  type: Type.Enum(['settle', 'settle_partial', 'settle_with_penalty', 'extend']),
  value: amount('What the charge asks for.'),
};

/**
 * Every type of event with the schema of its data: what `emit` takes, what handlers get, and what partners are told. Names and
 * units are those of the wire. Data with a `checkout_hash` is numbered in the sequence of that purchase.
 */
export const EVENT_CATALOG = {
  'lead.received': Type.Object({
    id: id('The lead.'),
    kind: Type.String({ description: 'Which form.' }),
    received_at: instant('When it came.'),
  }),
  'customer.registered': Type.Object({
    customer_id: id('The new customer.'),
    registered_at: instant('When.'),
    invited_with: TextOrNull({ description: 'The referral code the customer came with.' }),
  }),
  'checkout.created': Type.Object({
    checkout_hash: hash(),
    merchant: Type.String({ description: 'Slug of the merchant.' }),
    purchased_at: instant('When it was bought.'),
    financed: amount('What was bought for.'),
    total: amount('What is to be paid in all.'),
    installments: Type.Integer({ description: 'In how many installments.' }),
    first_due_on: day('When the first falls due.'),
  }),
  'checkout.paid': Type.Object({ checkout_hash: hash() }),
  /** Told again when it turns out that the installment was settled at another time, or with less cashback. */
  'installment.paid': Type.Object({
    ...installment,
    ...ofPurchase,
    amount: amount('What was agreed.'),
    discount: amount('What of it was given back for paying early.'),
    paid_with_cashback: amount('What of it was taken off with cashback, which earns none.'),
    paid_at: instant('When it was settled.'),
    on_time: Type.Boolean({ description: 'On or before the effective due day.' }),
    cashback_percent: Type.Number({ description: 'What the purchase earns of what is paid on time.' }),
  }),
  'installment.extended': Type.Object({
    ...installment,
    due_on: day('When it falls due now.'),
    extensions: Type.Integer({ description: 'How often it was extended.' }),
  }),
  /** Cashback was spent on it that was not owed after all: money had arrived before. It is cashback again. */
  'installment.overpaid': Type.Object({
    ...installment,
    ...ofPurchase,
    amount: amount('What is given back as cashback.'),
  }),
  /** What had settled it was taken back: that is owed again. */
  'installment.reopened': Type.Object({
    ...installment,
    ...ofPurchase,
    outstanding: amount('What is owed again.'),
    due_on: day('When it falls or fell due.'),
  }),
  'pix.created': Type.Object({ ...pricedCharge, expires_at: instant('Until when it can be paid.') }),
  'pix.paid': Type.Object({
    ...pricedCharge,
    paid: amount('What was paid.'),
    paid_at: instant('When the money arrived.'),
    txid: Type.String({ description: 'The charge at the PSP.' }),
    end_to_end_id: Type.String({ description: 'The payment in the Pix network.' }),
  }),
  'pix.expired': Type.Object({ ...pricedCharge, expired_at: instant('Since when it cannot be paid.') }),
  'pix.refunded': Type.Object({
    ...charge,
    amount: amount('What went back to the payer.'),
    reason: Type.Enum(['too_much', 'taken_back'], {
      description: 'It was more than was owed, or the payer’s bank took it back.',
    }),
    end_to_end_id: Type.String({ description: 'The payment it was a part of.' }),
  }),
  'cashback.changed': Type.Object({
    id: id('The line of the statement.'),
    kind: Type.Enum(['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted']),
    amount: amount('By how much: below zero it was taken.'),
    balance: amount('What the customer has now.'),
    checkout_hash: TextOrNull({ description: 'The purchase, if it is of one.' }),
    installment_id: TextOrNull({ description: 'The installment, if it is of one.' }),
    expires_on: TextOrNull({ format: 'date', description: 'Last day it can be used.' }),
  }),
  'referral.rewarded': Type.Object({
    role: Type.Enum(['referrer', 'invited'], { description: 'Which side the customer is on.' }),
    invited: Type.Optional(Type.String({ description: 'Masked name of the invited, for the referrer.' })),
    reward: amount('What the customer was credited.'),
  }),
} as const;

export type EventType = keyof typeof EVENT_CATALOG;
export type EventData<T extends EventType> = Static<(typeof EVENT_CATALOG)[T]>;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];
