import { type Static, type TObject, Type } from 'typebox';
import { MAX_INSTALLMENTS } from '#core/finance/schedule.ts';
import { customerNameField, WithCustomerName } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Day,
  Id,
  IdOrNull,
  IntegerField,
  Reais,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import {
  CheckoutHash,
  ExampleText,
  MerchantWithLogo,
  OfferMetadataSchema,
  ReasonRequest,
  RecordCreatorSchema,
} from './fields.ts';

export const STATUSES = ['open', 'overdue', 'paid'] as const;

const Percent = (description: string, example = 0) =>
  Type.Number({ description: `${description}, in percent.`, examples: [example] });
const Status = Type.Enum([...STATUSES], {
  description:
    '`overdue` from the day after the effective due day until the amount and all penalties are paid.',
  examples: ['overdue'],
});

/** The examples are those of R$ 100.00 in three installments, the first three days late: fine 33.34 × 2 %, interest 33.34 × 3 × 1 % / 30. */
export const Amounts = Type.Object(
  {
    financed: Reais('Purchase amount', { examples: [100] }),
    paid: Reais('Paid amount of the installments, without penalties and fees'),
    returned: Reais('Amount by which returns reduced the installments'),
    outstanding: Reais('Outstanding amount of the installments', { examples: [100] }),
    penalties: Reais('Unpaid fines and interest as of now', { examples: [0.69] }),
    total_due: Reais('Outstanding and penalties', { examples: [100.69] }),
  },
  { $id: 'Amounts' },
);

const checkoutItemFields = {
  hash: CheckoutHash('Identifies the purchase in URLs.'),
  status: Status,
  merchant: MerchantWithLogo,
  description: TextOrNull({ examples: ['Óculos de leitura'] }),
  purchased_at: Timestamp({ examples: ['2026-10-21T14:30:00.000Z'] }),
  amounts: Amounts,
  installments_total: Type.Integer({ examples: [3] }),
  installments_paid: Type.Integer(),
  next_due_on: TextOrNull({
    format: 'date',
    description: 'The due day of the next unpaid installment.',
    examples: ['2026-10-28'],
  }),
  returned_at: TextOrNull({ format: 'date-time', description: 'When the purchase was returned in full.' }),
};

export const CheckoutItem = Type.Object(checkoutItemFields, { $id: 'CheckoutItem' });

export const CheckoutPage = PageOf(CheckoutItem, 'CheckoutPage');

const termsFields = {
  weekly_rate_percent: Percent('Interest per week (0: the amount is split evenly)'),
  fine_percent: Percent('One-time fine on the amount that is unpaid after the due day (at most 2)', 2),
  late_interest_percent: Percent(
    'Simple interest per month on late amounts, charged by the day (at most 1)',
    1,
  ),
  extension_fee_percent: Percent('Fee for an extension, on the outstanding amount (at most 10)', 5),
  extension_days: IntegerField('Number of days by which an extension moves the due day.', 7),
  extension_limit: IntegerField('Maximum number of extensions of an installment.', 2),
  cashback_percent: Percent('Cashback on each installment paid on time', 2.5),
};

const cetFields = {
  cet_percent_month: Percent('Total cost of the credit (CET) per month, a twelfth of a year'),
  cet_percent_year: Percent('Total cost of the credit (CET) per year of 365 days'),
};

const AgreedTerms = Type.Object(
  {
    ...termsFields,
    ...cetFields,
    contract_sha256: TextOrNull({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the contract in hex: of its canonical JSON, or of the PDF if it was created by an earlier release. Null if there is none yet.',
    }),
  },
  { $id: 'AgreedTerms', description: 'The agreed terms of the purchase, which never change.' },
);

export const Terms = Type.Object(
  { ...termsFields, ...cetFields },
  {
    $id: 'Terms',
    description: 'The terms of a purchase. Once the purchase exists, they never change.',
  },
);

const PixOption = Type.Union(
  [
    Type.Object({ type: Type.Enum(['settle', 'settle_with_penalty']), value: Reais('Amount to pay now') }),
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
  { examples: [{ type: 'settle_with_penalty', value: 34.03 }] },
);

export const CheckoutAutopay = Type.Object({
  status: Type.Enum(['pending', 'active', 'rejected', 'expired', 'ended'], {
    description: 'Status of the autopay authorisation: see /wallet/checkouts/{hash}/autopay.',
  }),
});

export const InstallmentAutopay = Type.Object({
  status: Type.Enum(['scheduled', 'trying', 'paid', 'failed'], {
    description:
      '`scheduled`: the bank will debit the installment on `on`. `trying`: the bank refused, and retries on `on`. `failed`: the customer must pay with a PIX code.',
  }),
  on: Day('Day of the next or the last debit'),
  value: Reais('Amount of the debit'),
  tries: Type.Integer({ description: 'Number of days on which the bank tried to debit.' }),
  reason: TextOrNull({
    description: 'The last reason of the bank, as a text for the customer in Portuguese.',
  }),
});

const toNullable = <T extends TObject>(schema: T, description: string) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'], description, examples: [null] });

export const Installment = Type.Object(
  {
    id: Id('ins'),
    number: Type.Integer({ examples: [1] }),
    due_on: Day('The due day, including extensions', { examples: ['2026-10-28'] }),
    effective_due_on: Day(
      'The due day or the next banking day after it; the installment is late after this day',
      { examples: ['2026-10-28'] },
    ),
    status: Status,
    amount: Reais('Agreed amount', { examples: [33.34] }),
    paid: Reais('Paid part of the amount'),
    discount: Reais('Early payment discount'),
    returned: Reais(
      'Reduction of the amount by returns (negative by some centavos if rounding increased the last installment)',
    ),
    outstanding: Reais('Outstanding amount', { examples: [33.34] }),
    penalty: Type.Object({
      fine: Reais('Unpaid fine', { examples: [0.66] }),
      interest: Reais('Unpaid interest', { examples: [0.03] }),
      total: Reais('Sum of both', { examples: [0.69] }),
      days_late: Type.Integer({ description: 'Days since the effective due day.', examples: [3] }),
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
    total_due: Reais('Outstanding and penalty', { examples: [34.03] }),
    paid_at: TextOrNull({ format: 'date-time' }),
    extensions: Type.Integer({ description: 'Number of extensions.' }),
    cashback_if_on_time: Reais(
      'Cashback that the installment earns if it is settled by its effective due day (0 once it is paid or late; returned amounts and amounts paid with cashback earn none)',
    ),
    pix_options: Type.Array(PixOption, {
      description: 'The PIX charges that can be created now, and their amounts.',
    }),
    autopay: toNullable(InstallmentAutopay, 'The debit of the installment; null without autopay.'),
  },
  { $id: 'Installment' },
);

const autopay = toNullable(CheckoutAutopay, 'The autopay of the purchase; null if it was never requested.');

const returns = Type.Array(
  Type.Object({
    amount: Reais('Amount of the return'),
    reason: Type.String({ description: 'The reason, written for the customer.' }),
    returned_at: Timestamp(),
  }),
  { description: 'The returns of the purchase, oldest first.', examples: [[]] },
);

export const Checkout = Type.Object(
  { ...checkoutItemFields, returns, autopay, terms: AgreedTerms, installments: Type.Array(Installment) },
  { $id: 'Checkout' },
);

export const DuePayments = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        checkout_hash: CheckoutHash('The purchase.'),
        merchant: Type.String({ examples: ['Ótica Pupila'] }),
        autopay,
        installment: Installment,
      }),
      { description: 'The installments of at most ten purchases, the earliest due first.' },
    ),
    more_checkouts: Type.Integer({ description: 'Number of further purchases with such an installment.' }),
    unpaid_checkouts: Type.Integer({ description: 'Number of all unpaid purchases.' }),
  },
  { $id: 'DuePayments', description: 'The installments that are overdue or due within seven days.' },
);

const saleFields = {
  customer: Type.Object({
    name: TextField('The name, masked except for the first name.', 'Bruno L***'),
  }),
  offer_id: IdOrNull('off', { description: 'The offer of the purchase, if it was accepted from one.' }),
  metadata: OfferMetadataSchema('The metadata of the offer.'),
  by: RecordCreatorSchema(),
};

const SaleItem = Type.Object({ ...checkoutItemFields, ...saleFields }, { $id: 'SaleItem' });

export const SalePage = PageOf(SaleItem, 'SalePage');

const saleInstallment = omit(Installment.properties, 'pix_options', 'autopay');
export const Sale = Type.Object(
  {
    ...checkoutItemFields,
    ...saleFields,
    terms: AgreedTerms,
    installments: Type.Array(Type.Object(saleInstallment)),
  },
  { $id: 'Sale' },
);

const writtenOffAt = TextOrNull({
  format: 'date-time',
  description: 'When the purchase was written off as a loss. The customer still owes the amount.',
});

/** A purchase as staff see it. In a dry run it has no ids. */
export const OperatorCheckout = Type.Object(
  {
    ...checkoutItemFields,
    hash: TextOrNull({ ...CheckoutHash('Null in a dry run.'), type: ['string', 'null'] }),
    customer_id: Id('cus'),
    written_off_at: writtenOffAt,
    autopay,
    terms: AgreedTerms,
    installments: Type.Array(
      Type.Object({
        ...Installment.properties,
        id: IdOrNull('ins', { description: 'Null in a dry run.' }),
      }),
    ),
    cost: Type.Object({
      financed: Reais('Purchase amount', { examples: [100] }),
      interest: Reais('Cost of the credit'),
      total: Reais('Sum of all installments', { examples: [100] }),
    }),
  },
  { $id: 'OperatorCheckout' },
);

export const OperatorCheckoutWithName = WithCustomerName(OperatorCheckout, 'OperatorCheckoutShown');

export const OperatorCheckoutItem = Type.Object(
  {
    ...checkoutItemFields,
    customer_id: Id('cus'),
    ...customerNameField,
    offer_id: saleFields.offer_id,
    written_off_at: writtenOffAt,
  },
  { $id: 'OperatorCheckoutItem' },
);

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
        description:
          'Part of the purchase amount to return, in reais. Defaults to the amount not returned yet.',
      }),
    ),
    reason: Text(200, { description: 'The reason.' }),
  },
  { $id: 'ReturnOrder', examples: [{ amount: 33.34, reason: 'Lente riscada' }] },
);

const returnFields = {
  id: Id('ret'),
  amount: Reais('Returned part of the purchase amount', { examples: [33.34] }),
  reason: ExampleText('Lente riscada'),
  returned_at: Timestamp(),
  refunds: Type.Array(
    Type.Object({
      end_to_end_id: Type.String({
        pattern: '^[0-9A-Za-z]{1,64}$',
        description: 'Identifier of the payment in the Pix network.',
        examples: ['E99900001202611151200aB3dE5fG7h1'],
      }),
      amount: Reais('Refunded amount', { examples: [33.34] }),
    }),
    { description: 'Refunds by Pix, the newest payment first.' },
  ),
  cashback: Reais(
    'Amount that is converted to cashback of the customer because it cannot be refunded by Pix',
  ),
  by: RecordCreatorSchema(),
};

export const MerchantReturn = Type.Object({ ...returnFields, checkout: Sale }, { $id: 'MerchantReturn' });

export const OperatorReturn = Type.Object(
  { ...returnFields, checkout: OperatorCheckout },
  { $id: 'OperatorReturn' },
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
      StrictObject(Type.Partial(Type.Object(termsFields)).properties, {
        description:
          'Terms that differ from the defaults. The default weekly rate and cashback are those of the merchant’s plan.',
      }),
    ),
    purchased_at: Type.Optional(
      Timestamp({
        description:
          'When the purchase was made. Defaults to now. At most 24 hours ago, except in the sandbox.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Return the result without writing anything.' })),
  },
  {
    $id: 'CheckoutOrder',
    // This customer of the demo data has no debt, so the example works in the sandbox.
    examples: [
      {
        customer: '+5511987650003',
        merchant: 'farmacia-sao-jocundo',
        amount: 100,
        installments: 3,
        description: 'Óculos de leitura',
        dry_run: true,
      },
    ],
  },
);

export const WriteOffOrder = ReasonRequest('WriteOffOrder', 'Cliente falecido');

export const WriteOffState = Type.Object(
  {
    checkout_hash: CheckoutHash('The hash of the purchase.'),
    customer_id: Id('cus'),
    written_off_at: TextOrNull({ format: 'date-time', examples: ['2026-11-15T12:00:00.000Z'] }),
    outstanding: Reais('Outstanding amount, which is booked as a loss while the purchase is written off', {
      examples: [66.66],
    }),
  },
  { $id: 'WriteOffState' },
);

export const HashParams = Type.Object({ hash: CheckoutHash('The hash of the purchase.') });

/** Path parameters and 404 texts of the endpoints for one purchase, as staff, its customer and its merchant request it. */
export const purchaseRoute = {
  params: HashParams,
  notFound: { en: 'There is no purchase with this hash.', pt: 'Não há compra com este hash.' },
};
export const ownPurchaseRoute = {
  params: HashParams,
  notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
};
export const saleRoute = {
  params: HashParams,
  notFound: { en: 'You have no sale with this hash.', pt: 'Você não tem venda com este hash.' },
};

export const Creditor = Type.Object(
  {
    name: ExampleText('Semana Demonstração Ltda.'),
    cnpj: Type.String({
      pattern: '^\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}$',
      examples: ['11.222.333/0001-81'],
    }),
    address: ExampleText('Rua de Exemplo, 100, Centro, São Paulo, SP, 01000-000'),
    email: ExampleText('contato@semana.example'),
  },
  { $id: 'Creditor' },
);
