import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import { Id, ListOf, Slug, StrictObject, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

export const Merchant = Type.Object(
  {
    slug: Slug({ description: 'Identifies the merchant in URLs.' }),
    name: Type.String(),
    category: Type.Object({ slug: Slug(), name: Type.String() }),
    description: TextOrNull(),
    logo_url: TextOrNull({ description: 'URL of a square image.' }),
    city: TextOrNull(),
    state: TextOrNull({ description: 'Two letters, e.g. SP.' }),
    website: TextOrNull(),
    cashback_percent: Type.Number({
      description: 'Share of each installment paid on time that the customer gets back.',
    }),
  },
  {
    $id: 'Merchant',
    examples: [
      {
        slug: 'farmacia-sao-jocundo',
        name: 'Farmácia São Jocundo',
        category: { slug: 'farmacias', name: 'Farmácias e perfumarias' },
        description: 'Medicamentos, dermocosméticos e manipulação com entrega no mesmo dia.',
        logo_url: 'https://api.semana.example/media/logos/farmacia-sao-jocundo.svg',
        city: 'Recife',
        state: 'PE',
        website: 'https://farmaciasaojocundo.example',
        cashback_percent: 2.5,
      },
    ],
  },
);

export const MerchantPage = PageOf(Merchant, 'MerchantPage');

const Category = Type.Object(
  {
    slug: Slug(),
    name: Type.String(),
    merchants: Type.Integer({ description: 'Number of listed merchants in the category.' }),
  },
  { $id: 'Category', examples: [{ slug: 'farmacias', name: 'Farmácias e perfumarias', merchants: 8 }] },
);

export const CategoryList = ListOf(Category, { $id: 'CategoryList' });

const FaqEntry = Type.Object(
  {
    id: Slug(),
    topic: Type.String({ description: 'Lower-case word; a value for the filter `topic`.' }),
    question: Type.String(),
    answer: Type.String(),
  },
  {
    $id: 'FaqEntry',
    examples: [
      {
        id: 'como-pago-uma-parcela',
        topic: 'pagamentos',
        question: 'Como pago uma parcela?',
        answer: 'Pelo aplicativo, com um código Pix gerado na hora. A baixa é automática.',
      },
    ],
  },
);

export const FaqList = ListOf(FaqEntry, { $id: 'FaqList' });

export const FaqTopicList = ListOf(
  Type.Object({ topic: Type.String(), entries: Type.Integer({ description: 'Number of entries.' }) }),
  { $id: 'FaqTopicList', examples: [{ data: [{ topic: 'pagamentos', entries: 5 }] }] },
);

const postSummary = {
  slug: Slug({ description: 'Identifies the post in URLs.' }),
  title: Type.String(),
  summary: Type.String(),
  cover_url: TextOrNull({ description: 'URL of a wide image.' }),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  published_at: Timestamp(),
};

const examplePost = {
  slug: 'como-funciona-o-credito-semanal',
  title: 'Como funciona o crédito semanal',
  summary: 'Por que pagar por semana ajuda a caber no orçamento.',
  cover_url: 'https://api.semana.example/media/covers/como-funciona-o-credito-semanal.svg',
  author: 'Marina Duarte',
  tags: ['crédito', 'orçamento'],
  published_at: '2026-11-02T12:00:00.000Z',
};

export const PostSummary = Type.Object(postSummary, { $id: 'PostSummary', examples: [examplePost] });

export const PostPage = PageOf(PostSummary, 'PostPage');

export const Post = Type.Object(
  {
    ...postSummary,
    body: Type.String({ description: 'The text in Markdown.' }),
    body_html: Type.String({ description: 'The text as sanitized HTML.' }),
  },
  {
    $id: 'Post',
    examples: [
      {
        ...examplePost,
        body: '## Toda semana\n\nUm pouco.',
        body_html: '<h2>Toda semana</h2>\n<p>Um pouco.</p>\n',
      },
    ],
  },
);

export const LeadForm = StrictObject(
  {
    kind: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,39}$',
      description: 'Kind of form: a lower-case word of your choice, e.g. `partner`.',
    }),
    name: Text(200),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    phone: Type.Optional(
      Type.String({
        format: 'phone',
        description: 'International format (E.164), e.g. +5511987654321, or the usual Brazilian notation.',
      }),
    ),
    company: Type.Optional(Text(200)),
    message: Type.Optional(Text(5_000)),
  },
  {
    $id: 'LeadForm',
    anyOf: [{ required: ['email'] }, { required: ['phone'] }],
    examples: [
      {
        kind: 'partner',
        name: 'Joana Prado',
        email: 'joana@padariadoceu.example',
        phone: '+5511987654321',
        company: 'Padaria do Céu',
        message: 'Quero oferecer o crédito semanal na minha loja.',
      },
    ],
  },
);

export const Lead = Type.Object(
  { id: Id('lead'), kind: Type.String(), received_at: Timestamp() },
  {
    $id: 'Lead',
    examples: [
      { id: 'lead_01kfx3c8gq5v0m7d2h9ynwztb4', kind: 'partner', received_at: '2026-11-15T12:00:00.000Z' },
    ],
  },
);

const Cell = () =>
  Type.Unsafe<string | number | boolean | string[] | null>({
    description: 'The value as an export file contains it.',
  });

export const ImportOutcome = Type.Object(
  {
    added: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer({ description: 'Number of lines that change nothing.' }),
    bad: Type.Integer({
      description: 'Number of invalid lines. Above zero only in a dry run: otherwise nothing is imported.',
    }),
    changes: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Slug or id.' }),
        is_new: Type.Boolean(),
        fields: Type.Array(Type.Object({ name: Type.String(), before: Cell(), after: Cell() })),
      }),
      { description: 'The first 200 changes, in the order of the file.' },
    ),
    faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'The first 200 invalid lines.',
    }),
  },
  {
    $id: 'ImportOutcome',
    examples: [
      {
        added: 0,
        changed: 1,
        unchanged: 12,
        bad: 0,
        changes: [
          {
            key: 'padarias',
            is_new: false,
            fields: [{ name: 'name', before: 'Padarias', after: 'Padarias e confeitarias' }],
          },
        ],
        faults: [],
      },
    ],
  },
);

/** The path parameter and the 404 of an endpoint for one lead. */
export const leadRoute = {
  params: Type.Object({ id: Id('lead') }),
  notFound: { en: 'No lead has this id.', pt: 'Nenhum formulário tem este id.' },
};
