import { Type } from 'typebox';
import { customerName } from '#platform/http/personal.ts';
import { Id, Reais, Slug, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { exampleCheckout, exampleCost } from '../examples.ts';
import { HASH_PATTERN } from '../hash.ts';
import { OperatorCheckout, STATUSES } from '../schemas.ts';

const endToEndId = { description: 'The payment in the Pix network.' };
const PAYMENT = 'E99900001202611151200aB3dE5fG7h1';

const exampleReceipt = {
  source: 'pix',
  end_to_end_id: PAYMENT,
  received_at: '2026-10-31T15:00:00.000Z',
  amount: 34.03,
  applied: [{ number: 1, interest: 0.03, fine: 0.66, extension_fee: 0, principal: 33.34, discount: 0 }],
  refunded: 0,
  cashback: 0,
  excess: 0,
  gone: 0,
};

/** Money for a purchase, and where each centavo of it is now. */
const CheckoutReceipt = Type.Object(
  {
    source: Type.Enum(['pix', 'cashback', 'manual']),
    end_to_end_id: TextOrNull(endToEndId),
    received_at: Timestamp(),
    amount: Reais('What arrived'),
    applied: Type.Array(
      Type.Object({
        number: Type.Integer({ description: 'Of the installment.' }),
        interest: Reais('To late interest'),
        fine: Reais('To the fine'),
        extension_fee: Reais('To the price of an extension'),
        principal: Reais('To the amount of the installment'),
        discount: Reais('What of the amount was given back for paying early; no money'),
      }),
      { description: 'What it pays now. After a return it can be several installments.' },
    ),
    refunded: Reais('What went back by Pix, or is under way'),
    cashback: Reais('What became cashback'),
    excess: Reais('What is too much and waits for a person'),
    gone: Reais('What the payer’s bank took back, or a person moved to another purchase'),
  },
  {
    $id: 'CheckoutReceipt',
    description: 'The parts add up to `amount`, but for the discount.',
    examples: [exampleReceipt],
  },
);

const exampleReturned = {
  id: 'ret_01kfx3c8gq5v0m7d2h9ynwztb4',
  status: 'made',
  amount: 33.34,
  reason: 'Lente riscada',
  asked_at: '2026-10-31T15:00:00.000Z',
  by: 'mbr_01kfx3c8gq5v0m7d2h9ynwztb4',
  by_name: 'Téo Nogueira',
  refunds: [{ end_to_end_id: PAYMENT, amount: 33.34 }],
  cashback: 0,
  refusal: null,
};

const CheckoutReturn = Type.Object(
  {
    id: Id('ret'),
    status: Type.Enum(['waiting', 'made', 'refused'], {
      description: '`waiting` and `refused`: no money moved.',
    }),
    amount: Reais('What is returned, of what was bought for'),
    reason: Type.String(),
    asked_at: Timestamp({ description: 'When it was made, or asked for.' }),
    by: Type.String({ description: 'Who made or asked for it: a person, a member of the merchant, a key.' }),
    by_name: TextOrNull({ description: 'What a person or member is called.' }),
    refunds: Type.Array(
      Type.Object({ end_to_end_id: Type.String(endToEndId), amount: Reais('What of it') }),
      {
        description: 'What went back by Pix, or is under way.',
      },
    ),
    cashback: Reais('What became cashback of the customer'),
    refusal: TextOrNull({ description: 'Why it was refused.' }),
  },
  { $id: 'CheckoutReturn', examples: [exampleReturned] },
);

/** One purchase of any customer, with its money. */
export const StaffCheckout = Type.Object(
  {
    ...OperatorCheckout.properties,
    ...customerName,
    receipts: Type.Array(CheckoutReceipt, { description: 'What was paid, the earliest first.' }),
    returns: Type.Array(CheckoutReturn, { description: 'In the order in which they were asked for.' }),
  },
  {
    $id: 'StaffCheckout',
    examples: [
      {
        ...exampleCheckout,
        ...exampleCost,
        customer_name: 'Ana Souza',
        receipts: [exampleReceipt],
        returns: [exampleReturned],
      },
    ],
  },
);

export const Owed = Type.Object(
  {
    at: Timestamp({ description: 'As of when.' }),
    outstanding: Reais('What is left of the amounts'),
    penalties: Reais('Fines and interest'),
    total_due: Reais('Both'),
    installments: Type.Array(
      Type.Object({
        id: Id('ins'),
        checkout_hash: Type.String({ pattern: HASH_PATTERN }),
        merchant: Type.Object({ slug: Slug(), name: Type.String() }),
        written_off: Type.Boolean({
          description: 'The purchase is a loss in the book, and owed all the same.',
        }),
        number: Type.Integer(),
        due_on: Type.String({ format: 'date' }),
        status: Type.Enum([...STATUSES]),
        outstanding: Reais('What is left of the amount'),
        fine: Reais('Fine not paid yet'),
        interest: Reais('Interest not paid yet'),
        days_late: Type.Integer({ description: 'Days since the effective due day.' }),
        total_due: Reais('All of it'),
      }),
    ),
  },
  {
    $id: 'Owed',
    examples: [
      {
        at: '2026-10-31T15:00:00.000Z',
        outstanding: 33.34,
        penalties: 0.69,
        total_due: 34.03,
        installments: [
          {
            id: 'ins_01kfx3c8gq5v0m7d2h9ynwztb4',
            checkout_hash: exampleCheckout.hash,
            merchant: { slug: 'farmacia-sao-jocundo', name: 'Farmácia São Jocundo' },
            written_off: false,
            number: 1,
            due_on: '2026-10-28',
            status: 'overdue',
            outstanding: 33.34,
            fine: 0.66,
            interest: 0.03,
            days_late: 3,
            total_due: 34.03,
          },
        ],
      },
    ],
  },
);
