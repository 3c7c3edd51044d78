import { type Static, type TObject, Type } from 'typebox';
import { CHARGE_TYPES } from '#core/charge.ts';
import { MAX_INSTALLMENTS } from '#core/schedule.ts';
import { PageOf } from '#platform/http/pagination.ts';
import { customerName, WithCustomerName } from '#platform/http/personal.ts';
import {
  Day,
  Form,
  Id,
  idPattern,
  Reais,
  Slug,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { BySchema, exampleBy } from './by.ts';
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
import { HASH_PATTERN } from './hash.ts';

export const STATUSES = ['open', 'overdue', 'paid'] as const;

const Percent = (description: string) => Type.Number({ description: `${description}, in percent.` });
const Status = Type.Enum([...STATUSES], {
  description:
    '`overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.',
});

export const Amounts = Type.Object(
  {
    financed: Reais('What was bought for'),
    paid: Reais('What was paid of the installments, penalties and fees not counted'),
    returned: Reais('What the installments come to less since something was returned'),
    outstanding: Reais('What is still to be paid of the installments'),
    penalties: Reais('Fines and interest as of now'),
    total_due: Reais('Outstanding and penalties'),
  },
  { $id: 'Amounts', examples: [exampleAmounts] },
);

const item = {
  hash: Type.String({ pattern: HASH_PATTERN, description: 'Identifies the purchase in addresses.' }),
  status: Status,
  merchant: Type.Object({ slug: Slug(), name: Type.String(), logo_url: TextOrNull() }),
  description: TextOrNull(),
  purchased_at: Timestamp(),
  amounts: Amounts,
  installments_total: Type.Integer(),
  installments_paid: Type.Integer(),
  next_due_on: TextOrNull({ format: 'date', description: 'The earliest due day of what is not paid.' }),
  returned_at: TextOrNull({ format: 'date-time', description: 'When all of it was returned.' }),
};

export const CheckoutItem = Type.Object(item, { $id: 'CheckoutItem', examples: [exampleItem] });

export const CheckoutPage = PageOf(CheckoutItem, 'CheckoutPage');

const terms = {
  weekly_rate_percent: Percent('Interest a week; 0 splits the amount evenly'),
  fine_percent: Percent('Fine on what a due day left unpaid, once; at most 2'),
  late_interest_percent: Percent('Interest a month on what is late, simple, by the day; at most 1'),
  extension_fee_percent: Percent('Price of an extension, on what is outstanding; at most 10'),
  extension_days: Type.Integer({ description: 'By how many days an extension moves the due day.' }),
  extension_limit: Type.Integer({ description: 'How often an installment can be extended.' }),
  cashback_percent: Percent('Share of each installment paid on time that comes back'),
};

const cet = {
  cet_percent_month: Percent('What the credit costs in all a month (CET), a twelfth of the year'),
  cet_percent_year: Percent('What the credit costs in all a year of 365 days (CET)'),
};

/** As agreed with a purchase: beside the terms, which contract says so. */
const AgreedTerms = Type.Object(
  {
    ...terms,
    ...cet,
    contract_sha256: TextOrNull({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the contract, as hex; null while there is none.',
    }),
  },
  { $id: 'AgreedTerms', description: 'As agreed with the purchase; they never change.' },
);

export const Terms = Type.Object(
  { ...terms, ...cet },
  {
    $id: 'Terms',
    description: 'As agreed with the purchase; they never change.',
  },
);

const PixOption = Type.Union(
  [
    Type.Object({ type: Type.Enum(CHARGE_TYPES.slice(0, 2)), value: Reais('What it costs now') }),
    Type.Object({
      type: Type.Literal('settle_partial'),
      min: Reais('The least'),
      max: Reais('The most, which settles it'),
    }),
    Type.Object({
      type: Type.Literal('extend'),
      value: Reais('What it costs now'),
      due_on: Day('The due day if it is paid today'),
    }),
  ],
  { examples: exampleOptions },
);

export const CheckoutAutopay = Type.Object({
  status: Type.Enum(['pending', 'active', 'rejected', 'expired', 'ended'], {
    description: 'How the authorisation of debits stands: see /wallet/checkouts/{hash}/autopay.',
  }),
});

export const InstallmentAutopay = Type.Object({
  status: Type.Enum(['scheduled', 'trying', 'paid', 'failed'], {
    description:
      '`scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code.',
  }),
  on: Day('When it is debited, or was last'),
  tries: Type.Integer({ description: 'On how many days the bank tried.' }),
  reason: TextOrNull({ description: 'What the bank said last, in words for the customer, in Portuguese.' }),
});

const orNull = <T extends TObject>(schema: T, description: string) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'], description });

export const Installment = Type.Object(
  {
    id: Id('ins'),
    number: Type.Integer(),
    due_on: Day('The due day, extensions included'),
    effective_due_on: Day('The next bank business day: until then nothing is late'),
    status: Status,
    amount: Reais('As agreed'),
    paid: Reais('What was paid of the amount'),
    discount: Reais('What was given back for paying early'),
    returned: Reais(
      'What it comes to less since something was returned; by rounding the last one may come to some centavos more',
    ),
    outstanding: Reais('What is left of the amount'),
    penalty: Type.Object({
      fine: Reais('Fine not paid yet'),
      interest: Reais('Interest not paid yet'),
      total: Reais('Both'),
      days_late: Type.Integer({ description: 'Days since the effective due day.' }),
    }),
    charges_paid: Type.Object(
      {
        fine: Reais('Fine'),
        interest: Reais('Interest'),
        extension_fee: Reais('Price of extensions'),
      },
      { description: 'What was paid on top of the amount, less what went back.' },
    ),
    total_due: Reais('Outstanding and penalty'),
    paid_at: TextOrNull({ format: 'date-time' }),
    extensions: Type.Integer({ description: 'How often it was extended.' }),
    cashback_if_on_time: Reais(
      'What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late',
    ),
    pix_options: Type.Array(PixOption, { description: 'What can be generated now, and for how much.' }),
    autopay: orNull(InstallmentAutopay, 'Its debit, if one was asked for.'),
  },
  { $id: 'Installment', examples: [exampleCheckout.installments[0]] },
);

const autopay = orNull(CheckoutAutopay, 'Whether its installments are debited; null: nobody asked for it.');

export const Checkout = Type.Object(
  { ...item, autopay, terms: AgreedTerms, installments: Type.Array(Installment) },
  { $id: 'Checkout', examples: [exampleCheckout] },
);

const sale = {
  customer: Type.Object({ name: Type.String({ description: 'Masked but for the first name.' }) }),
  offer_id: TextOrNull({ pattern: idPattern('off'), description: 'The offer it came from, if it did.' }),
  by: BySchema(),
};
const exampleSale = {
  customer: { name: 'Bruno L***' },
  offer_id: 'off_01kfx3c8gq5v0m7d2h9ynwztb4',
  by: exampleBy,
};

/** The same for the merchant. */
const SaleItem = Type.Object(
  { ...item, ...sale },
  { $id: 'SaleItem', examples: [{ ...exampleItem, ...exampleSale }] },
);

export const SalePage = PageOf(SaleItem, 'SalePage');

const { pix_options: _, autopay: ___, ...saleInstallment } = Installment.properties;
const { pix_options: __, autopay: ____, ...exampleSaleInstallment } = exampleCheckout.installments[0]!;

const { autopay: _____, ...exampleBare } = exampleCheckout;
const exampleWholeSale = { ...exampleBare, ...exampleSale, installments: [exampleSaleInstallment] };

export const Sale = Type.Object(
  { ...item, ...sale, terms: AgreedTerms, installments: Type.Array(Type.Object(saleInstallment)) },
  { $id: 'Sale', examples: [exampleWholeSale] },
);

const writtenOffAt = TextOrNull({
  format: 'date-time',
  description: 'When it was written off: in the book it is a loss, and owed all the same.',
});

/** The same for the operator. In a dry run there are no ids yet. */
export const OperatorCheckout = Type.Object(
  {
    ...item,
    hash: TextOrNull({ pattern: HASH_PATTERN, description: 'null in a dry run.' }),
    customer_id: Id('cus'),
    written_off_at: writtenOffAt,
    autopay,
    terms: AgreedTerms,
    installments: Type.Array(
      Type.Object({
        ...Installment.properties,
        id: TextOrNull({ pattern: idPattern('ins'), description: 'null in a dry run.' }),
      }),
    ),
    cost: Type.Object({
      financed: Reais('What was bought for'),
      interest: Reais('What the credit costs'),
      total: Reais('All installments together'),
    }),
  },
  { $id: 'OperatorCheckout', examples: [{ ...exampleCheckout, ...exampleCost }] },
);

export const OperatorCheckoutShown = WithCustomerName(OperatorCheckout, 'OperatorCheckoutShown');

export const OperatorCheckoutItem = Type.Object(
  { ...item, customer_id: Id('cus'), ...customerName, offer_id: sale.offer_id, written_off_at: writtenOffAt },
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

/** Of a return. */
export const dryRunParameter = () =>
  Type.Object({
    dry_run: Type.Optional(Type.Enum(['true', 'false'], { description: 'Only says what it would do.' })),
  });

export const ReturnOrder = Form(
  {
    amount: Type.Optional(
      Type.Number({
        format: 'reais',
        description: 'How much of what was bought for, in reais; all that is left of it unless sent.',
      }),
    ),
    reason: Text(200, { description: 'Why.' }),
  },
  { $id: 'ReturnOrder', examples: [exampleReturnOrder] },
);

const made = {
  id: Id('ret'),
  amount: Reais('What was returned, of what was bought for'),
  reason: Type.String(),
  returned_at: Timestamp(),
  refunds: Type.Array(
    Type.Object({
      end_to_end_id: Type.String({
        pattern: '^[0-9A-Za-z]{1,64}$',
        description: 'The payment in the Pix network.',
      }),
      amount: Reais('What of it goes back'),
    }),
    { description: 'What goes back by Pix, the newest payment first.' },
  ),
  cashback: Reais('What becomes cashback of the customer, because it cannot go back by Pix'),
  by: BySchema(),
};

export const MerchantReturn = Type.Object(
  { ...made, checkout: Sale },
  { $id: 'MerchantReturn', examples: [{ ...exampleReturn, checkout: exampleWholeSale }] },
);

export const OperatorReturn = Type.Object(
  { ...made, checkout: OperatorCheckout },
  {
    $id: 'OperatorReturn',
    examples: [{ ...exampleReturn, checkout: { ...exampleCheckout, ...exampleCost } }],
  },
);

export const CheckoutOrder = Form(
  {
    customer: Text(80, { description: 'Id or phone of the customer.' }),
    merchant: Text(200, { description: 'Slug of the merchant.' }),
    amount: Reais('What is bought for'),
    installments: Type.Integer({ minimum: 1, maximum: MAX_INSTALLMENTS, description: 'One a week.' }),
    description: Type.Optional(Text(200)),
    terms: Type.Optional(
      Form(Type.Partial(Type.Object(terms)).properties, {
        description:
          'Where they are to differ from the usual; weekly rate and cashback are usually those of the merchant’s plan.',
      }),
    ),
    purchased_at: Type.Optional(
      Timestamp({
        description: 'When it was bought, if not now. At most 24 hours ago; in the sandbox any time.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only says what it would come to.' })),
  },
  { $id: 'CheckoutOrder', examples: [exampleOrder] },
);

export const WriteOffOrder = Form(
  { reason: Text(200, { description: 'Why.' }) },
  { $id: 'WriteOffOrder', examples: [{ reason: 'Cliente falecido' }] },
);

export const WriteOffState = Type.Object(
  {
    checkout_hash: Type.String({ pattern: HASH_PATTERN }),
    customer_id: Id('cus'),
    written_off_at: TextOrNull({ format: 'date-time' }),
    outstanding: Reais('What is left of the amount: owed, and a loss while it is written off'),
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
    description: 'The hash, as in lists.',
    examples: [exampleItem.hash],
  }),
});

/** Of the endpoints of one purchase: for the operator, its customer and its merchant. */
export const ofPurchase = {
  params: HashParams,
  notFound: { en: 'There is no purchase with this hash.', pt: 'Não há compra com este hash.' },
};
export const ofOwnPurchase = {
  params: HashParams,
  notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
};
export const ofSale = {
  params: HashParams,
  notFound: { en: 'You have no sale with this hash.', pt: 'Você não tem venda com este hash.' },
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
    examples: [
      {
        name: 'Semana Demonstração Ltda.',
        cnpj: '11.222.333/0001-81',
        address: 'Rua de Exemplo, 100, Centro, São Paulo, SP, 01000-000',
        email: 'contato@semana.example',
      },
    ],
  },
);
