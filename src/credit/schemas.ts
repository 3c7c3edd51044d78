import { type Static, type TObject, Type } from 'typebox';
import { CHARGE_TYPES } from '#core/finance/charge.ts';
import { MAX_INSTALLMENTS } from '#core/finance/schedule.ts';
import { customerNameField, WithCustomerName } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Day,
  Id,
  idPattern,
  Reais,
  Slug,
  StrictObject,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import {
  exampleAmounts,
  exampleCheckout,
  exampleCost,
  exampleItem,
  exampleOptions,
  exampleOrder,
  exampleReturn,
  exampleReturnOrder,
} from './examples.ts';
import { exampleMember, HASH_PATTERN, MemberRefSchema, Metadata } from './fields.ts';
import { omit } from './omit.ts';

export const STATUSES = ['open', 'overdue', 'paid'] as const;

const Percent = (description: string) => Type.Number({ description: `${description}, in percent.` });
const Status = Type.Enum([...STATUSES], {
  description:
    '`overdue` from the day after the effective due day until it is paid, including unpaid penalties.',
});

export const Amounts = Type.Object(
  {
    financed: Reais('Purchase amount'),
    paid: Reais('Paid amount of the installments, without penalties and fees'),
    returned: Reais('Reduction of the installments by returns'),
    outstanding: Reais('Outstanding amount of the installments'),
    penalties: Reais('Unpaid fines and interest as of now'),
    total_due: Reais('Outstanding and penalties'),
  },
  { $id: 'Amounts', examples: [exampleAmounts] },
);

const itemFields = {
  hash: Type.String({ pattern: HASH_PATTERN, description: 'Identifies the purchase in URLs.' }),
  status: Status,
  merchant: Type.Object({ slug: Slug(), name: Type.String(), logo_url: TextOrNull() }),
  description: TextOrNull(),
  purchased_at: Timestamp(),
  amounts: Amounts,
  installments_total: Type.Integer(),
  installments_paid: Type.Integer(),
  next_due_on: TextOrNull({ format: 'date', description: 'The due day of the next unpaid installment.' }),
  returned_at: TextOrNull({ format: 'date-time', description: 'When the purchase was returned in full.' }),
};

export const CheckoutItem = Type.Object(itemFields, { $id: 'CheckoutItem', examples: [exampleItem] });

export const CheckoutPage = PageOf(CheckoutItem, 'CheckoutPage');

const terms = {
  weekly_rate_percent: Percent('Interest per week; with 0 the amount is split evenly'),
  fine_percent: Percent('One-time fine on the amount that is unpaid after the due day; at most 2'),
  late_interest_percent: Percent('Simple interest per month on late amounts, charged by the day; at most 1'),
  extension_fee_percent: Percent('Fee for an extension, on the outstanding amount; at most 10'),
  extension_days: Type.Integer({ description: 'Number of days by which an extension moves the due day.' }),
  extension_limit: Type.Integer({ description: 'Maximum number of extensions of an installment.' }),
  cashback_percent: Percent('Cashback on each installment paid on time'),
};

const cet = {
  cet_percent_month: Percent('Total cost of the credit per month (CET), a twelfth of a year'),
  cet_percent_year: Percent('Total cost of the credit per year of 365 days (CET)'),
};

/** The terms of a purchase, and the hash of its contract. */
const AgreedTerms = Type.Object(
  {
    ...terms,
    ...cet,
    contract_sha256: TextOrNull({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the contract in hex: of its canonical JSON, or of the PDF if it was created by an earlier release. Null if there is none yet.',
    }),
  },
  { $id: 'AgreedTerms', description: 'The agreed terms of the purchase, which never change.' },
);

export const Terms = Type.Object(
  { ...terms, ...cet },
  {
    $id: 'Terms',
    description: 'The agreed terms of the purchase, which never change.',
  },
);

const PixOption = Type.Union(
  [
    Type.Object({ type: Type.Enum(CHARGE_TYPES.slice(0, 2)), value: Reais('Amount to pay now') }),
    Type.Object({
      type: Type.Literal('settle_partial'),
      min: Reais('Minimum amount'),
      max: Reais('Maximum amount, which settles the installment'),
    }),
    Type.Object({
      type: Type.Literal('extend'),
      value: Reais('Amount to pay now'),
      due_on: Day('New due day if the extension is paid today'),
    }),
  ],
  { examples: exampleOptions },
);

export const CheckoutAutopay = Type.Object({
  status: Type.Enum(['pending', 'active', 'rejected', 'expired', 'ended'], {
    description: 'Status of the autopay authorisation: see /wallet/checkouts/{hash}/autopay.',
  }),
});

export const InstallmentAutopay = Type.Object({
  status: Type.Enum(['scheduled', 'trying', 'paid', 'failed'], {
    description:
      '`scheduled`: the bank will debit it on `on`. `trying`: the bank refused, and retries on `on`. `failed`: the customer must pay it with a PIX code.',
  }),
  on: Day('Day of the next or the last debit'),
  value: Reais('Amount of the debit'),
  tries: Type.Integer({ description: 'Number of days on which the bank tried to debit.' }),
  reason: TextOrNull({
    description: 'The last reason of the bank, as a text for the customer in Portuguese.',
  }),
});

const orNull = <T extends TObject>(schema: T, description: string) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'], description });

export const Installment = Type.Object(
  {
    id: Id('ins'),
    number: Type.Integer(),
    due_on: Day('The due day, including extensions'),
    effective_due_on: Day(
      'The due day or the next banking day after it; the installment is late after this day',
    ),
    status: Status,
    amount: Reais('Agreed amount'),
    paid: Reais('Paid part of the amount'),
    discount: Reais('Early payment discount'),
    returned: Reais(
      'Reduction of the amount by returns; by rounding the last installment may grow by some centavos',
    ),
    outstanding: Reais('Outstanding amount'),
    penalty: Type.Object({
      fine: Reais('Unpaid fine'),
      interest: Reais('Unpaid interest'),
      total: Reais('Sum of both'),
      days_late: Type.Integer({ description: 'Days since the effective due day.' }),
    }),
    charges_paid: Type.Object(
      {
        fine: Reais('Fine'),
        interest: Reais('Interest'),
        extension_fee: Reais('Extension fees'),
      },
      { description: 'Charges paid in addition to the amount, minus refunds.' },
    ),
    charges_waived: Type.Object(
      { fine: Reais('Fine'), interest: Reais('Interest') },
      { description: 'Penalties that were waived because a retried autopay debit settled the installment.' },
    ),
    total_due: Reais('Outstanding and penalty'),
    paid_at: TextOrNull({ format: 'date-time' }),
    extensions: Type.Integer({ description: 'Number of extensions.' }),
    cashback_if_on_time: Reais(
      'Cashback that it earns if it is settled by its effective due day. Returned amounts and amounts paid with cashback earn none. 0 once it is paid or late',
    ),
    pix_options: Type.Array(PixOption, {
      description: 'The PIX charges that can be created now, and their amounts.',
    }),
    autopay: orNull(InstallmentAutopay, 'The debit of the installment; null without autopay.'),
  },
  { $id: 'Installment', examples: [exampleCheckout.installments[0]] },
);

const autopay = orNull(CheckoutAutopay, 'The autopay of the purchase; null if it was never requested.');

const returns = Type.Array(
  Type.Object({
    amount: Reais('Amount of the return'),
    reason: Type.String({ description: 'The reason, written for the customer.' }),
    returned_at: Timestamp(),
  }),
  { description: 'The returns of the purchase, oldest first.' },
);

export const Checkout = Type.Object(
  { ...itemFields, returns, autopay, terms: AgreedTerms, installments: Type.Array(Installment) },
  { $id: 'Checkout', examples: [{ ...exampleCheckout, returns: [] }] },
);

const saleFields = {
  customer: Type.Object({
    name: Type.String({ description: 'The name, masked except for the first name.' }),
  }),
  offer_id: TextOrNull({
    pattern: idPattern('off'),
    description: 'The offer of the purchase, if it was accepted from one.',
  }),
  metadata: Metadata('The metadata of the offer.'),
  by: MemberRefSchema(),
};
const exampleSale = {
  customer: { name: 'Bruno L***' },
  offer_id: 'off_01kfx3c8gq5v0m7d2h9ynwztb4',
  metadata: { cart: '7781' },
  by: exampleMember,
};

/** The item for the merchant. */
const SaleItem = Type.Object(
  { ...itemFields, ...saleFields },
  { $id: 'SaleItem', examples: [{ ...exampleItem, ...exampleSale }] },
);

export const SalePage = PageOf(SaleItem, 'SalePage');

const saleInstallment = omit(Installment.properties, 'pix_options', 'autopay');
const exampleWholeSale = {
  ...omit(exampleCheckout, 'autopay'),
  ...exampleSale,
  installments: [omit(exampleCheckout.installments[0]!, 'pix_options', 'autopay')],
};

export const Sale = Type.Object(
  {
    ...itemFields,
    ...saleFields,
    terms: AgreedTerms,
    installments: Type.Array(Type.Object(saleInstallment)),
  },
  { $id: 'Sale', examples: [exampleWholeSale] },
);

const writtenOffAt = TextOrNull({
  format: 'date-time',
  description: 'When it was written off as a loss. The customer still owes it.',
});

/** The purchase for staff. In a dry run it has no ids. */
export const OperatorCheckout = Type.Object(
  {
    ...itemFields,
    hash: TextOrNull({ pattern: HASH_PATTERN, description: 'Null in a dry run.' }),
    customer_id: Id('cus'),
    written_off_at: writtenOffAt,
    autopay,
    terms: AgreedTerms,
    installments: Type.Array(
      Type.Object({
        ...Installment.properties,
        id: TextOrNull({ pattern: idPattern('ins'), description: 'Null in a dry run.' }),
      }),
    ),
    cost: Type.Object({
      financed: Reais('Purchase amount'),
      interest: Reais('Cost of the credit'),
      total: Reais('Sum of all installments'),
    }),
  },
  { $id: 'OperatorCheckout', examples: [{ ...exampleCheckout, ...exampleCost }] },
);

export const OperatorCheckoutShown = WithCustomerName(OperatorCheckout, 'OperatorCheckoutShown');

export const OperatorCheckoutItem = Type.Object(
  {
    ...itemFields,
    customer_id: Id('cus'),
    ...customerNameField,
    offer_id: saleFields.offer_id,
    written_off_at: writtenOffAt,
  },
  {
    $id: 'OperatorCheckoutItem',
    examples: [
      {
        ...exampleItem,
        customer_id: exampleCost.customer_id,
        customer_name: 'Ana Souza',
        offer_id: null,
        written_off_at: null,
      },
    ],
  },
);

/** The query parameter of endpoints for returns. */
export const dryRunParameter = () =>
  Type.Object({
    dry_run: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Return the result without writing anything.' }),
    ),
  });

export const ReturnOrder = StrictObject(
  {
    amount: Type.Optional(
      Type.Number({
        format: 'reais',
        description: 'Part of the purchase amount to return, in reais. Defaults to all that is left of it.',
      }),
    ),
    reason: Text(200, { description: 'The reason.' }),
  },
  { $id: 'ReturnOrder', examples: [exampleReturnOrder] },
);

const returnFields = {
  id: Id('ret'),
  amount: Reais('Returned part of the purchase amount'),
  reason: Type.String(),
  returned_at: Timestamp(),
  refunds: Type.Array(
    Type.Object({
      end_to_end_id: Type.String({
        pattern: '^[0-9A-Za-z]{1,64}$',
        description: 'Identifier of the payment in the Pix network.',
      }),
      amount: Reais('Refunded amount'),
    }),
    { description: 'Refunds by Pix, the newest payment first.' },
  ),
  cashback: Reais('Amount that becomes cashback of the customer because it cannot be refunded by Pix'),
  by: MemberRefSchema(),
};

export const MerchantReturn = Type.Object(
  { ...returnFields, checkout: Sale },
  { $id: 'MerchantReturn', examples: [{ ...exampleReturn, checkout: exampleWholeSale }] },
);

export const OperatorReturn = Type.Object(
  { ...returnFields, checkout: OperatorCheckout },
  {
    $id: 'OperatorReturn',
    examples: [{ ...exampleReturn, checkout: { ...exampleCheckout, ...exampleCost } }],
  },
);

export const CheckoutOrder = StrictObject(
  {
    customer: Text(80, { description: 'Id or phone of the customer.' }),
    merchant: Text(200, { description: 'Slug of the merchant.' }),
    amount: Reais('Purchase amount'),
    installments: Type.Integer({
      minimum: 1,
      maximum: MAX_INSTALLMENTS,
      description: 'Number of weekly installments.',
    }),
    description: Type.Optional(Text(200)),
    terms: Type.Optional(
      StrictObject(Type.Partial(Type.Object(terms)).properties, {
        description:
          'Terms that differ from the defaults. The default weekly rate and cashback are those of the merchant’s plan.',
      }),
    ),
    purchased_at: Type.Optional(
      Timestamp({
        description: 'When it was bought. Defaults to now. At most 24 hours ago, except in the sandbox.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Return the result without writing anything.' })),
  },
  { $id: 'CheckoutOrder', examples: [exampleOrder] },
);

export const WriteOffOrder = StrictObject(
  { reason: Text(200, { description: 'The reason.' }) },
  { $id: 'WriteOffOrder', examples: [{ reason: 'Cliente falecido' }] },
);

export const WriteOffState = Type.Object(
  {
    checkout_hash: Type.String({ pattern: HASH_PATTERN }),
    customer_id: Id('cus'),
    written_off_at: TextOrNull({ format: 'date-time' }),
    outstanding: Reais('Outstanding amount, which is booked as a loss while the purchase is written off'),
  },
  {
    $id: 'WriteOffState',
    examples: [
      {
        checkout_hash: exampleItem.hash,
        customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
        written_off_at: '2026-11-15T12:00:00.000Z',
        outstanding: 66.66,
      },
    ],
  },
);

export const HashParams = Type.Object({
  hash: Type.String({
    pattern: HASH_PATTERN,
    description: 'The hash of the purchase.',
    examples: [exampleItem.hash],
  }),
});

/** Path parameters and 404 texts of the endpoints for one purchase: for staff, its customer and its merchant. */
export const purchasePath = {
  params: HashParams,
  notFound: { en: 'There is no purchase with this hash.', pt: 'Não há compra com este hash.' },
};
export const ownPurchasePath = {
  params: HashParams,
  notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
};
export const salePath = {
  params: HashParams,
  notFound: { en: 'You have no sale with this hash.', pt: 'Você não tem venda com este hash.' },
};

export const exampleCreditor = {
  name: 'Semana Demonstração Ltda.',
  cnpj: '11.222.333/0001-81',
  address: 'Rua de Exemplo, 100, Centro, São Paulo, SP, 01000-000',
  email: 'contato@semana.example',
};

export const Creditor = Type.Object(
  {
    name: Type.String(),
    cnpj: Type.String({ pattern: '^\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}$' }),
    address: Type.String(),
    email: Type.String(),
  },
  {
    $id: 'Creditor',
    examples: [exampleCreditor],
  },
);
