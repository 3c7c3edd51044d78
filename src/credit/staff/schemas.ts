import { Type } from 'typebox';
import { customerNameField } from '#platform/http/masking.ts';
import { Id, Reais, Slug, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { exampleCheckout, exampleCost } from '../examples.ts';
import { HASH_PATTERN } from '../fields.ts';
import { OperatorCheckout, STATUSES } from '../schemas.ts';

const endToEndId = { description: 'Identifier of the payment in the Pix network.' };
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

/** A payment for a purchase, and how each centavo of it is used now. */
const CheckoutReceipt = Type.Object(
  {
    source: Type.Enum(['pix', 'cashback', 'manual']),
    end_to_end_id: TextOrNull(endToEndId),
    received_at: Timestamp(),
    amount: Reais('Received amount'),
    applied: Type.Array(
      Type.Object({
        number: Type.Integer({ description: 'Number of the installment.' }),
        interest: Reais('Late interest paid'),
        fine: Reais('Fine paid'),
        extension_fee: Reais('Extension fee paid'),
        principal: Reais('Principal paid'),
        discount: Reais('Early payment discount, which is not money received'),
      }),
      { description: 'The installments that it pays. After a return these can be several.' },
    ),
    refunded: Reais('Refunded by Pix, completed or in progress'),
    cashback: Reais('Converted to cashback'),
    excess: Reais('Excess that staff must handle'),
    gone: Reais('Charged back by the payer’s bank, or moved to another purchase by staff'),
  },
  {
    $id: 'CheckoutReceipt',
    description: 'The parts, without the discount, add up to `amount`.',
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
      description: '`waiting` and `refused` returns moved no money.',
    }),
    amount: Reais('Returned part of the purchase amount'),
    reason: Type.String(),
    asked_at: Timestamp({ description: 'When it was completed or requested.' }),
    by: Type.String({ description: 'The author: a staff user, a member of the merchant, or an API key.' }),
    by_name: TextOrNull({ description: 'Name of the staff user or member.' }),
    refunds: Type.Array(
      Type.Object({ end_to_end_id: Type.String(endToEndId), amount: Reais('Refunded amount') }),
      {
        description: 'Refunds by Pix, completed or in progress.',
      },
    ),
    cashback: Reais('Converted to cashback of the customer'),
    refusal: TextOrNull({ description: 'Reason of the refusal.' }),
  },
  { $id: 'CheckoutReturn', examples: [exampleReturned] },
);

/** A purchase with its payments and returns. */
export const StaffCheckout = Type.Object(
  {
    ...OperatorCheckout.properties,
    ...customerNameField,
    receipts: Type.Array(CheckoutReceipt, { description: 'The payments, the earliest first.' }),
    returns: Type.Array(CheckoutReturn, { description: 'The returns, in the order of the requests.' }),
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
    at: Timestamp({ description: 'The instant of the amounts.' }),
    outstanding: Reais('Outstanding amounts'),
    penalties: Reais('Fines and interest'),
    total_due: Reais('Sum of both'),
    installments: Type.Array(
      Type.Object({
        id: Id('ins'),
        checkout_hash: Type.String({ pattern: HASH_PATTERN }),
        merchant: Type.Object({ slug: Slug(), name: Type.String() }),
        written_off: Type.Boolean({
          description: 'Whether the purchase is written off. The customer still owes it.',
        }),
        number: Type.Integer(),
        due_on: Type.String({ format: 'date' }),
        status: Type.Enum([...STATUSES]),
        outstanding: Reais('Outstanding amount'),
        fine: Reais('Unpaid fine'),
        interest: Reais('Unpaid interest'),
        days_late: Type.Integer({ description: 'Days since the effective due day.' }),
        total_due: Reais('Outstanding amount and penalties'),
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
