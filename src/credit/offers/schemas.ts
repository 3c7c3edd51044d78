import { Type } from 'typebox';
import { MAX_INSTALLMENTS } from '#core/finance/schedule.ts';
import { DAY_MS, SECOND_MS } from '#core/values/duration.ts';
import { Customer } from '#customers';
import { PageOf } from '#platform/http/pagination.ts';
import {
  BooleanField,
  Day,
  Id,
  IdOrNull,
  IntegerOrNull,
  idPattern,
  Reais,
  Slug,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import {
  CHECKOUT_HASH_PATTERN,
  ExampleText,
  MerchantNameAndSlug,
  MerchantWithLogo,
  OfferMetadataInput,
  OfferMetadataSchema,
  RecordCreatorSchema,
} from '../fields.ts';
import { CheckoutPage, Creditor, DuePayments, Terms } from '../schemas.ts';
import { CODE_PATTERN } from './claim-keys.ts';
import { OFFER_STATUSES } from './states.ts';

const EXAMPLE_OFFER_ID = 'off_01kfx3c8gq5v0m7d2h9ynwztb4';

const quoteFields = {
  amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'Purchase amount in reais.',
    examples: [100],
  }),
  installments: Type.Integer({
    minimum: 1,
    maximum: MAX_INSTALLMENTS,
    description: 'Number of weekly installments.',
    examples: [3],
  }),
};

export const QuoteQuery = Type.Object(quoteFields);

export const QuoteOrder = StrictObject(
  {
    amount: quoteFields.amount,
    // Not a union: every keyword applies to one type only, so an error names the violated rule.
    installments: Type.Unsafe<number | 'all'>({
      type: ['integer', 'string'],
      minimum: 1,
      maximum: MAX_INSTALLMENTS,
      pattern: '^all$',
      description:
        'Number of weekly installments, or `all` for a quote of every number that your plan allows.',
      examples: [3],
    }),
  },
  { $id: 'QuoteOrder' },
);

export const Quote = Type.Object(
  {
    amount: Reais('Purchase amount', { examples: [100] }),
    installments: Type.Array(
      Type.Object({
        number: Type.Integer(),
        due_on: Day('The due day'),
        amount: Reais('Amount of the installment'),
      }),
      {
        examples: [
          [
            { number: 1, due_on: '2026-11-22', amount: 33.34 },
            { number: 2, due_on: '2026-11-29', amount: 33.33 },
            { number: 3, due_on: '2026-12-06', amount: 33.33 },
          ],
        ],
      },
    ),
    total: Reais('Sum of all installments', { examples: [100] }),
    cost: Reais('Cost of the credit (the total minus the amount)'),
    cashback_if_on_time: Reais(
      'Cashback that all installments earn together if each is settled by its effective due day',
      { examples: [2.49] },
    ),
    terms: Terms,
  },
  { $id: 'Quote' },
);

const QuoteList = Type.Object(
  { data: Type.Array(Quote, { description: 'By number of installments, ascending.' }) },
  { $id: 'QuoteList' },
);

export const QuoteOrQuotes = Type.Union([Quote, QuoteList]);

const MAX_ITEMS = 100;
/** Open offers are valid no longer than offers to a phone. */
const MAX_OPEN_TTL_S = (2 * DAY_MS) / SECOND_MS;

const itemFields = {
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  amount: Type.Number({
    format: 'reais',
    description: 'Amount for the whole quantity in reais; negative for a discount.',
    examples: [100],
  }),
};

const offerFields = {
  ...quoteFields,
  description: Type.Optional(Text(200, { description: 'What the customer buys.' })),
  reference: Type.Optional(
    Text(100, {
      description:
        'Your own reference. Repeating the same reference and content returns the existing offer while it is pending or accepted, and ' +
        'creates a new one after it was cancelled, declined or has expired.',
    }),
  ),
  items: Type.Optional(
    Type.Array(StrictObject({ name: Text(120), ...itemFields }), {
      maxItems: MAX_ITEMS,
      description: 'The items of the purchase. Their amounts add up to `amount`.',
    }),
  ),
};

const definePhoneField = (note: string) =>
  Type.String({
    format: 'phone',
    maxLength: 40,
    description: `Mobile number in international format (E.164), or in the Brazilian format: 11 98765-0001. ${note}`,
  });

export const OfferOrder = StrictObject(
  {
    phone: Type.Optional(
      definePhoneField(
        'Its owner need not be a customer yet. Without a phone the offer is open: the first customer who claims it can accept it.',
      ),
    ),
    ...offerFields,
    metadata: Type.Optional(OfferMetadataInput),
    return_url: Type.Optional(
      Text(2_000, {
        description:
          'URL that the offer page links back to, with `offer_id`, `status` and `reference` added to its query. It must use https and an ' +
          'origin in `return_origins` of your key. Its query is no proof of payment: rely on the event, or get the offer.',
        examples: ['https://loja.example.com.br/pedidos/1042'],
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: MAX_OPEN_TTL_S,
        description:
          'How long an open offer can be claimed, in seconds: 900 by default, 3,600 with a `return_url`. An offer to a phone is valid for ' +
          'two days, and so is an open offer once it is claimed.',
      }),
    ),
  },
  {
    $id: 'OfferOrder',
    examples: [
      {
        phone: '+5511987650002',
        amount: 100,
        installments: 3,
        description: 'Bolo de casamento',
        reference: 'PEDIDO-1042',
        items: [
          { name: 'Bolo de casamento', quantity: 1, amount: 90 },
          { name: 'Entrega', quantity: 1, amount: 10 },
        ],
        metadata: { cart: '7781' },
      },
    ],
  },
);

export const OfferClaim = StrictObject(
  {
    token: Type.Optional(Text(100, { description: 'The token in the link, after /pagar/.' })),
    code: Type.Optional(
      Text(40, {
        description: 'The code as typed. Case, spaces and dashes are ignored.',
        examples: ['K7QM 4XTA'],
      }),
    ),
  },
  {
    $id: 'OfferClaim',
    anyOf: [{ required: ['token'] }, { required: ['code'] }],
    examples: [{ code: 'K7QM 4XTA' }],
  },
);

const commonFields = {
  id: Id('off'),
  status: Type.Enum([...OFFER_STATUSES], {
    description: 'A pending offer becomes `expired` at `expires_at`.',
  }),
  description: TextOrNull({ examples: ['Bolo de casamento'] }),
  items: Type.Array(Type.Object({ name: ExampleText('Bolo de casamento'), ...itemFields }), {
    description: 'The items of the purchase, if the merchant listed them.',
  }),
  quote: Quote,
  expires_at: Timestamp({
    description: 'When the offer expires. Until then it can be accepted, or claimed if it is open.',
    examples: ['2026-11-17T12:00:00.000Z'],
  }),
  created_at: Timestamp(),
  checkout_hash: TextOrNull({
    pattern: CHECKOUT_HASH_PATTERN,
    description: 'The purchase of an accepted offer.',
  }),
};

/** An offer as staff see it, without the phone. */
export const StaffOfferItem = Type.Object(
  {
    id: commonFields.id,
    status: commonFields.status,
    merchant: MerchantNameAndSlug,
    customer_id: IdOrNull('cus', { description: 'The customer who claimed or accepted the offer.' }),
    description: commonFields.description,
    reference: TextOrNull({ description: 'The merchant’s own reference.' }),
    amount: Reais('Purchase amount', { examples: [100] }),
    installments: Type.Integer({ description: 'The maximum number of installments.', examples: [3] }),
    accepted_installments: IntegerOrNull(),
    checkout_hash: commonFields.checkout_hash,
    created_at: commonFields.created_at,
    expires_at: commonFields.expires_at,
    claimed_at: TextOrNull({ format: 'date-time' }),
    closed_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffOfferItem' },
);

export const StaffOffer = Type.Object(
  { ...StaffOfferItem.properties, items: commonFields.items, quote: Quote },
  { $id: 'StaffOffer' },
);

export const StaffOfferOrder = StrictObject(
  {
    merchant: Slug({ description: 'Slug of the merchant.' }),
    phone: definePhoneField('Its owner need not be a customer yet.'),
    ...offerFields,
    dry_run: Type.Optional(Type.Boolean({ description: 'Return the result without writing anything.' })),
  },
  {
    $id: 'StaffOfferOrder',
    examples: [
      {
        merchant: 'padaria-flor-do-trigo',
        phone: '+5511987650002',
        amount: 100,
        installments: 3,
        dry_run: true,
      },
    ],
  },
);

export const MerchantOffer = Type.Object(
  {
    ...commonFields,
    phone: TextOrNull({ description: 'The phone that the offer was sent to; null for an open offer.' }),
    reference: TextOrNull(),
    metadata: OfferMetadataSchema('The metadata as you sent it.'),
    return_url: TextOrNull({ description: 'The return URL as you sent it.' }),
    link: TextField(
      'The page where the customer reads and accepts the offer. The message to a phone contains it.',
      'https://semana.example/pagar/3kTMd9vR2xYb7LqWn0PzAh',
    ),
    code: TextOrNull({
      pattern: CODE_PATTERN,
      description:
        'The code of a pending open offer, which customers can type in the wallet instead of opening the link.',
    }),
    qr_code: TextOrNull({
      description: 'The QR code of the link of a pending open offer, as a PNG in a data URI.',
    }),
    claimed_at: TextOrNull({ format: 'date-time', description: 'When a customer claimed the open offer.' }),
    by: RecordCreatorSchema(),
  },
  { $id: 'MerchantOffer' },
);

const return_url = TextOrNull({
  description:
    'URL that the offer page links back to, with `offer_id`, `status` and `reference` in its query; null if the merchant sent none.',
});
export const WalletOffer = Type.Object(
  { ...commonFields, return_url, merchant: MerchantWithLogo, creditor: Creditor },
  { $id: 'WalletOffer' },
);

export const PublicOffer = Type.Object(
  {
    status: commonFields.status,
    claimed: BooleanField('Whether the offer was claimed or sent to a phone, and so cannot be claimed.'),
    merchant: MerchantWithLogo,
    amount: Reais('Purchase amount', { examples: [100] }),
    description: commonFields.description,
    items: commonFields.items,
    quote: Quote,
    return_url,
    expires_at: commonFields.expires_at,
  },
  { $id: 'PublicOffer' },
);

export const OfferTokenParams = Type.Object({
  token: Type.String({
    pattern: `${CHECKOUT_HASH_PATTERN}|${idPattern('off')}`,
    description: 'The token in the link, after /pagar/, or the id of an offer to a phone.',
    examples: ['3kTMd9vR2xYb7LqWn0PzAh'],
  }),
});

export const MerchantOfferPage = PageOf(MerchantOffer, 'MerchantOfferPage');

export const WalletOfferPage = PageOf(WalletOffer, 'WalletOfferPage');

export const WalletHome = Type.Object(
  {
    credit: Customer.properties.credit,
    cashback: Type.Object({
      available: Reais('Available cashback (negative if cashback that had been spent was reversed)'),
      pending: Reais('Cashback that the open installments will earn if they are all paid on time'),
    }),
    due: DuePayments,
    offers: Type.Array(WalletOffer),
    checkouts: CheckoutPage,
  },
  { $id: 'WalletHome' },
);

const params = Type.Object({
  id: Id('off', { description: 'The id of the offer.', examples: [EXAMPLE_OFFER_ID] }),
});

/** Path parameters and 404 texts of the endpoints for one offer, as staff, its merchant and its customer request it. */
export const offerRoute = {
  params,
  notFound: { en: 'There is no offer with this id.', pt: 'Não há oferta com este id.' },
};
export const ownOfferRoute = {
  params,
  notFound: { en: 'You have no offer with this id.', pt: 'Você não tem oferta com este id.' },
};
export const receivedOfferRoute = {
  params,
  notFound: { en: 'You have received no offer with this id.', pt: 'Não há oferta para você com este id.' },
};

export const statusParameter = {
  status: Type.Optional(Type.Enum([...OFFER_STATUSES], { description: 'Only offers with this status.' })),
};

export const codeParameter = {
  code: Type.Optional(Text(40, { description: 'Only the open offer with this code.' })),
};

export const referenceParameter = {
  reference: Type.Optional(Text(100, { description: 'Only offers with this reference of yours.' })),
};

export const InstallmentsChoice = StrictObject(
  {
    installments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_INSTALLMENTS,
        description: 'Number of installments, if fewer than offered.',
      }),
    ),
  },
  { $id: 'InstallmentsChoice', examples: [{ installments: 2 }] },
);
