import { Type } from 'typebox';
import { MAX_INSTALLMENTS } from '#core/schedule.ts';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Day,
  Form,
  Id,
  IntegerOrNull,
  idPattern,
  Reais,
  Slug,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { BySchema, exampleBy } from '../by.ts';
import { exampleItem, exampleTerms } from '../examples.ts';
import { HASH_PATTERN } from '../hash.ts';
import { Terms } from '../schemas.ts';
import { CODE_PATTERN } from './claim-keys.ts';
import { OFFER_STATUSES } from './states.ts';

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

const MOST_ITEMS = 100;

const item = {
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  amount: Type.Number({
    minimum: 0,
    format: 'reais',
    description: 'For the whole quantity, in reais.',
    examples: [90],
  }),
};

const exampleItems = [
  { name: 'Bolo de casamento', quantity: 1, amount: 90 },
  { name: 'Entrega', quantity: 1, amount: 10 },
];

const order = {
  ...wish,
  description: Type.Optional(Text(200, { description: 'What is bought.' })),
  reference: Type.Optional(
    Text(100, {
      description:
        'What you call it. The same reference and content again is the same offer while that is pending or accepted; after it was ' +
        'cancelled, declined or has expired, a new one.',
    }),
  ),
  items: Type.Optional(
    Type.Array(Form({ name: Text(120), ...item }), {
      maxItems: MOST_ITEMS,
      description: 'What is bought, one by one. The amounts add up to `amount`.',
    }),
  ),
};

const phone = (more: string) =>
  Type.String({
    format: 'phone',
    maxLength: 40,
    description: `Mobile number in international format (E.164), or as people in Brazil write it: 11 98765-0001. ${more}`,
  });

export const OfferOrder = Form(
  {
    phone: Type.Optional(
      phone(
        'Its owner need not be a customer yet. Left out, the offer is open: for whoever claims it first.',
      ),
    ),
    ...order,
    return_url: Type.Optional(
      Text(2_000, {
        description:
          'Where the page of the offer leads back to, with `offer_id`, `status` and `reference` added to its query. Https, and of an ' +
          'origin in `return_origins` of your key. It proves nothing: believe the event, or read the offer.',
        examples: ['https://loja.example.com.br/pedidos/1042'],
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 172_800,
        description:
          'For how many seconds an open offer can be claimed: 900 unless set, 3,600 with a `return_url`. An offer to a phone holds for ' +
          'two days, and so does an open one from when it is claimed.',
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
        items: exampleItems,
      },
    ],
  },
);

export const OfferClaim = Form(
  {
    token: Type.Optional(Text(100, { description: 'Of the link: what follows /pagar/.' })),
    code: Type.Optional(
      Text(40, {
        description: 'As it was typed: the case, spaces and dashes do not matter.',
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

const shared = {
  id: Id('off'),
  status: Type.Enum([...OFFER_STATUSES], {
    description: '`expired` at `expires_at`, unless something came of it before.',
  }),
  description: TextOrNull(),
  items: Type.Array(Type.Object({ name: Type.String(), ...item }), {
    description: 'What is bought, one by one, if the merchant said so.',
  }),
  quote: Quote,
  expires_at: Timestamp({
    description: 'It can be accepted until then; one that nobody has claimed, be claimed.',
  }),
  created_at: Timestamp(),
  checkout_hash: TextOrNull({ pattern: HASH_PATTERN, description: 'The purchase, once it was accepted.' }),
};

const exampleShared = {
  id: OFFER,
  status: 'pending',
  description: 'Bolo de casamento',
  items: exampleItems,
  quote: exampleQuote,
  expires_at: '2026-11-17T12:00:00.000Z',
  created_at: '2026-11-15T12:00:00.000Z',
  checkout_hash: null,
};

const {
  quote: _,
  items: __,
  ...exampleStaffOffer
} = {
  ...exampleShared,
  merchant: { slug: 'padaria-flor-do-trigo', name: 'Padaria Flor do Trigo' },
  customer_id: null,
  reference: 'PEDIDO-1042',
  amount: 100,
  installments: 3,
  accepted_installments: null,
  claimed_at: null,
  closed_at: null,
};

/** For the operator. The phone is not shown. */
export const StaffOfferItem = Type.Object(
  {
    id: shared.id,
    status: shared.status,
    merchant: Type.Object({ slug: Slug(), name: Type.String() }),
    customer_id: TextOrNull({ pattern: idPattern('cus'), description: 'Who claimed or accepted it.' }),
    description: shared.description,
    reference: TextOrNull({ description: 'What the merchant calls it.' }),
    amount: Reais('What is bought for'),
    installments: Type.Integer({ description: 'At most so many.' }),
    accepted_installments: IntegerOrNull(),
    checkout_hash: shared.checkout_hash,
    created_at: shared.created_at,
    expires_at: shared.expires_at,
    claimed_at: TextOrNull({ format: 'date-time' }),
    closed_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffOfferItem', examples: [exampleStaffOffer] },
);

export const StaffOffer = Type.Object(
  { ...StaffOfferItem.properties, items: shared.items, quote: Quote },
  { $id: 'StaffOffer', examples: [{ ...exampleStaffOffer, items: exampleItems, quote: exampleQuote }] },
);

export const StaffOfferOrder = Form(
  {
    merchant: Slug({ description: 'Slug of the merchant in whose name it is made.' }),
    phone: phone('Its owner need not be a customer yet.'),
    ...order,
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

const LINK = 'https://semana.example/pagar/3kTMd9vR2xYb7LqWn0PzAh';

export const MerchantOffer = Type.Object(
  {
    ...shared,
    phone: TextOrNull({ description: 'To whom it was made. None: an open offer.' }),
    reference: TextOrNull(),
    return_url: TextOrNull({ description: 'Where the page leads back to, as you sent it.' }),
    link: Type.String({ description: 'Where it is read and accepted. The message to a phone has it.' }),
    code: TextOrNull({
      pattern: CODE_PATTERN,
      description: 'Of an open offer that is pending: typed in the wallet, it does what the link does.',
    }),
    qr_code: TextOrNull({ description: 'The link of such an offer, as a PNG in a data URI.' }),
    claimed_at: TextOrNull({ format: 'date-time', description: 'When somebody claimed the open offer.' }),
    by: BySchema(),
  },
  {
    $id: 'MerchantOffer',
    examples: [
      {
        ...exampleShared,
        phone: null,
        reference: 'PEDIDO-1042',
        return_url: 'https://loja.example.com.br/pedidos/1042',
        link: LINK,
        code: 'K7QM4XTA',
        qr_code: 'data:image/png;base64,iVBORw0KGgo…',
        claimed_at: null,
        by: exampleBy,
      },
    ],
  },
);

const merchant = Type.Object({ slug: Slug(), name: Type.String(), logo_url: TextOrNull() });
const return_url = TextOrNull({
  description:
    'Where the page leads back to, with `offer_id`, `status` and `reference` in its query. None: nowhere.',
});
const RETURN_URL = `https://loja.example.com.br/pedidos/1042?offer_id=${OFFER}&status=pending&reference=PEDIDO-1042`;

export const WalletOffer = Type.Object(
  { ...shared, return_url, merchant },
  {
    $id: 'WalletOffer',
    examples: [{ ...exampleShared, return_url: RETURN_URL, merchant: exampleItem.merchant }],
  },
);

const { id: _id, created_at: _at, checkout_hash: _hash, ...examplePublic } = exampleShared;

export const PublicOffer = Type.Object(
  {
    status: shared.status,
    claimed: Type.Boolean({
      description: 'Whether it is somebody’s already: claimed, or made to a phone. Nobody else can claim it.',
    }),
    merchant,
    amount: Reais('What is bought for'),
    description: shared.description,
    items: shared.items,
    quote: Quote,
    return_url,
    expires_at: shared.expires_at,
  },
  {
    $id: 'PublicOffer',
    examples: [
      {
        ...examplePublic,
        claimed: false,
        amount: 100,
        return_url: RETURN_URL,
        merchant: exampleItem.merchant,
      },
    ],
  },
);

export const OfferTokenParams = Type.Object({
  token: Type.String({
    pattern: `${HASH_PATTERN}|${idPattern('off')}`,
    description: 'Of the link: what follows /pagar/, or of an offer to a phone its id.',
    examples: ['3kTMd9vR2xYb7LqWn0PzAh'],
  }),
});

export const MerchantOfferPage = PageOf(MerchantOffer, 'MerchantOfferPage');

export const WalletOfferPage = PageOf(WalletOffer, 'WalletOfferPage');

const params = Type.Object({
  id: Id('off', { description: 'The id, as in lists.', examples: [OFFER] }),
});

/** Of the endpoints of one offer: for the operator, its merchant and its customer. */
export const ofOffer = {
  params,
  notFound: { en: 'There is no offer with this id.', pt: 'Não há oferta com este id.' },
};
export const ofOwnOffer = {
  params,
  notFound: { en: 'You have no offer with this id.', pt: 'Você não tem oferta com este id.' },
};
export const ofOfferToYou = {
  params,
  notFound: { en: 'You were made no offer with this id.', pt: 'Não há oferta para você com este id.' },
};

export const statusParameter = {
  status: Type.Optional(Type.Enum([...OFFER_STATUSES], { description: 'Only those in this status now.' })),
};

export const codeParameter = {
  code: Type.Optional(Text(40, { description: 'Only the open offer with this code.' })),
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
