import { Type } from 'typebox';
import { MAX_INSTALLMENTS } from '#core/schedule.ts';
import { Pagination } from '#platform/http/pagination.ts';
import { Form, Id, idPattern, Slug, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { exampleItem, exampleTerms } from '../examples.ts';
import { HASH_PATTERN } from '../purchases/hash.ts';
import { Day, Reais, Terms } from '../schemas.ts';
import { OFFER_STATUSES } from './store.ts';

const OFFER = 'off_01kfx3c8gq5v0m7d2h9ynwztb4';

const wish = {
  amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'What is bought for, in reais.',
    examples: [100],
  }),
  installments: Type.Integer({
    minimum: 1,
    maximum: MAX_INSTALLMENTS,
    description: 'One a week.',
    examples: [3],
  }),
};

export const QuoteQuery = Type.Object(wish);

export const QuoteOrder = Form(wish, {
  $id: 'QuoteOrder',
  examples: [{ amount: 100, installments: 3 }],
});

const exampleQuote = {
  amount: 100,
  installments: [
    { number: 1, due_on: '2026-11-22', amount: 33.34 },
    { number: 2, due_on: '2026-11-29', amount: 33.33 },
    { number: 3, due_on: '2026-12-06', amount: 33.33 },
  ],
  total: 100,
  cost: 0,
  cashback_if_on_time: 2.49,
  terms: exampleTerms,
};

export const Quote = Type.Object(
  {
    amount: Reais('What is bought for'),
    installments: Type.Array(
      Type.Object({ number: Type.Integer(), due_on: Day('When it falls due'), amount: Reais('What is due') }),
    ),
    total: Reais('All installments together'),
    cost: Reais('What the credit costs: the total less the amount'),
    cashback_if_on_time: Reais(
      'What all installments earn together if each is settled by its effective due day',
    ),
    terms: Terms,
  },
  { $id: 'Quote', examples: [exampleQuote] },
);

export const OfferOrder = Form(
  {
    phone: Type.String({
      format: 'phone',
      description: 'Mobile number in international format (E.164). Its owner need not be a customer yet.',
    }),
    ...wish,
    description: Type.Optional(Text(200, { description: 'What is bought.' })),
    reference: Type.Optional(
      Text(100, {
        description:
          'What you call it. The same reference and content again is the same offer while that is pending or accepted; after it was ' +
          'cancelled, declined or has expired, a new one.',
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
      },
    ],
  },
);

const shared = {
  id: Id('off'),
  status: Type.Enum([...OFFER_STATUSES], {
    description: '`expired` two days after it was made, unless something came of it before.',
  }),
  description: TextOrNull(),
  quote: Quote,
  expires_at: Timestamp({ description: 'It can be accepted until then.' }),
  created_at: Timestamp(),
  checkout_hash: TextOrNull({ pattern: HASH_PATTERN, description: 'The purchase, once it was accepted.' }),
};

const exampleShared = {
  id: OFFER,
  status: 'pending',
  description: 'Bolo de casamento',
  quote: exampleQuote,
  expires_at: '2026-11-17T12:00:00.000Z',
  created_at: '2026-11-15T12:00:00.000Z',
  checkout_hash: null,
};

const { quote: _, ...exampleStaffOffer } = {
  ...exampleShared,
  merchant: { slug: 'padaria-flor-do-trigo', name: 'Padaria Flor do Trigo' },
  customer_id: null,
  reference: 'PEDIDO-1042',
  amount: 100,
  installments: 3,
  accepted_installments: null,
  closed_at: null,
};

/** For the operator. The phone is not shown. */
export const StaffOfferItem = Type.Object(
  {
    id: shared.id,
    status: shared.status,
    merchant: Type.Object({ slug: Slug(), name: Type.String() }),
    customer_id: TextOrNull({ pattern: idPattern('cus'), description: 'Who accepted it.' }),
    description: shared.description,
    reference: TextOrNull({ description: 'What the merchant calls it.' }),
    amount: Reais('What is bought for'),
    installments: Type.Integer({ description: 'At most so many.' }),
    accepted_installments: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    checkout_hash: shared.checkout_hash,
    created_at: shared.created_at,
    expires_at: shared.expires_at,
    closed_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffOfferItem', examples: [exampleStaffOffer] },
);

export const StaffOffer = Type.Object(
  { ...StaffOfferItem.properties, quote: Quote },
  { $id: 'StaffOffer', examples: [{ ...exampleStaffOffer, quote: exampleQuote }] },
);

export const StaffOfferOrder = Form(
  {
    merchant: Slug({ description: 'Slug of the merchant in whose name it is made.' }),
    ...OfferOrder.properties,
    dry_run: Type.Optional(Type.Boolean({ description: 'Only says what it would come to.' })),
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
    ...shared,
    phone: Type.String(),
    reference: TextOrNull(),
    link: Type.String({ description: 'Where it is read and accepted; the message has it.' }),
  },
  {
    $id: 'MerchantOffer',
    examples: [
      {
        ...exampleShared,
        phone: '+5511987650002',
        reference: 'PEDIDO-1042',
        link: `https://semana.example/carteira/ofertas/${OFFER}`,
      },
    ],
  },
);

export const WalletOffer = Type.Object(
  {
    ...shared,
    merchant: Type.Object({ slug: Slug(), name: Type.String(), logo_url: TextOrNull() }),
  },
  { $id: 'WalletOffer', examples: [{ ...exampleShared, merchant: exampleItem.merchant }] },
);

export const MerchantOfferPage = Type.Object(
  { data: Type.Array(MerchantOffer), pagination: Pagination },
  { $id: 'MerchantOfferPage' },
);

export const WalletOfferPage = Type.Object(
  { data: Type.Array(WalletOffer), pagination: Pagination },
  { $id: 'WalletOfferPage' },
);

export const OfferParams = Type.Object({
  id: Id('off', { description: 'The id, as in lists.', examples: [OFFER] }),
});

export const statusParameter = {
  status: Type.Optional(Type.Enum([...OFFER_STATUSES], { description: 'Only those in this status now.' })),
};

export const referenceParameter = {
  reference: Type.Optional(Text(100, { description: 'Only those that you called this.' })),
};

export const InstallmentsChoice = Form(
  {
    installments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_INSTALLMENTS,
        description: 'In fewer installments than offered, if so.',
      }),
    ),
  },
  { $id: 'InstallmentsChoice', examples: [{ installments: 2 }] },
);
