import { Type } from 'typebox';
import { RECEIPT_SOURCE_NAMES } from '#core/finance/receipts.ts';
import { customerNameField } from '#platform/http/masking.ts';
import { BooleanField, Id, Reais, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { CheckoutHash, ExampleText, MerchantNameAndSlug } from '../fields.ts';
import { Installment, OperatorCheckout } from '../schemas.ts';

const endToEndId = {
  description: 'Identifier of the payment in the Pix network.',
  examples: ['E99900001202611151200aB3dE5fG7h1'],
};

/** A payment for a purchase, and how each centavo of it is used now. */
const CheckoutReceipt = Type.Object(
  {
    source: Type.Enum(RECEIPT_SOURCE_NAMES),
    end_to_end_id: TextOrNull(endToEndId),
    received_at: Timestamp(),
    amount: Reais('Received amount', { examples: [34.03] }),
    applied: Type.Array(
      Type.Object({
        number: Type.Integer({ description: 'Number of the installment.', examples: [1] }),
        interest: Reais('Late interest paid', { examples: [0.03] }),
        fine: Reais('Fine paid', { examples: [0.66] }),
        extension_fee: Reais('Extension fee paid'),
        principal: Reais('Principal paid', { examples: [33.34] }),
        discount: Reais('Early payment discount, which is not money received'),
      }),
      { description: 'The installments that the payment pays; after a return these can be several.' },
    ),
    refunded: Reais('Refunded by Pix, completed or in progress'),
    cashback: Reais('Converted to cashback'),
    excess: Reais('Excess that staff must handle'),
    gone: Reais('Charged back by the payer’s bank, or moved to another purchase by staff'),
  },
  {
    $id: 'CheckoutReceipt',
    description:
      'The applied amounts without discounts, `refunded`, `cashback`, `excess` and `gone` add up to `amount`.',
  },
);

export const CheckoutReturn = Type.Object(
  {
    id: Id('ret'),
    status: Type.Enum(['waiting', 'made', 'refused'], {
      description: '`waiting` and `refused` returns moved no money.',
      examples: ['made'],
    }),
    amount: Reais('Returned part of the purchase amount', { examples: [33.34] }),
    reason: ExampleText('Lente riscada'),
    asked_at: Timestamp({ description: 'When the return was completed or requested.' }),
    by: TextField(
      'The author: a staff user, a member of the merchant, or an API key.',
      'mbr_01kfx3c8gq5v0m7d2h9ynwztb4',
    ),
    by_name: TextOrNull({ description: 'Name of the staff user or member.', examples: ['Téo Nogueira'] }),
    refunds: Type.Array(
      Type.Object({
        end_to_end_id: Type.String(endToEndId),
        amount: Reais('Refunded amount', { examples: [33.34] }),
      }),
      {
        description: 'Refunds by Pix, completed or in progress.',
      },
    ),
    cashback: Reais('Converted to cashback of the customer'),
    refusal: TextOrNull({ description: 'Reason of the refusal.' }),
  },
  { $id: 'CheckoutReturn' },
);

export const StaffCheckout = Type.Object(
  {
    ...OperatorCheckout.properties,
    ...customerNameField,
    receipts: Type.Array(CheckoutReceipt, { description: 'The payments, the earliest first.' }),
    returns: Type.Array(CheckoutReturn, { description: 'The returns, in the order of the requests.' }),
  },
  { $id: 'StaffCheckout' },
);

const { number, due_on, status, outstanding, penalty, total_due } = Installment.properties;
const { fine, interest, days_late } = penalty.properties;

export const Owed = Type.Object(
  {
    at: Timestamp({ description: 'The instant of the amounts.' }),
    outstanding: Reais('Sum of the outstanding amounts', { examples: [33.34] }),
    penalties: Reais('Sum of fines and interest', { examples: [0.69] }),
    total_due: Reais('Sum of both', { examples: [34.03] }),
    installments: Type.Array(
      Type.Object({
        id: Id('ins'),
        checkout_hash: CheckoutHash('The hash of the purchase.'),
        merchant: MerchantNameAndSlug,
        written_off: BooleanField('Whether the purchase is written off. The customer still owes it.'),
        number,
        due_on,
        status,
        outstanding,
        fine,
        interest,
        days_late,
        total_due,
      }),
    ),
  },
  { $id: 'Owed' },
);
