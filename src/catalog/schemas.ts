import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Id,
  IntegerField,
  ListOf,
  Slug,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';

export const Merchant = Type.Object(
  {
    slug: Slug({ description: 'Identifies the merchant in URLs.', examples: ['farmacia-sao-jocundo'] }),
    name: Type.String({ examples: ['Farmácia São Jocundo'] }),
    category: Type.Object({
      slug: Slug({ examples: ['farmacias'] }),
      name: Type.String({ examples: ['Farmácias e perfumarias'] }),
    }),
    description: TextOrNull({ examples: ['Medicamentos e manipulação com entrega no mesmo dia.'] }),
    logo_url: TextOrNull({
      description: 'URL of a square image.',
      examples: ['https://api.semana.example/media/logos/farmacia-sao-jocundo.svg'],
    }),
    city: TextOrNull({ examples: ['Recife'] }),
    state: TextOrNull({ description: 'Two letters, e.g. SP.', examples: ['PE'] }),
    website: TextOrNull({ examples: ['https://farmaciasaojocundo.example'] }),
    cashback_percent: Type.Number({
      description: 'Share of each installment paid on time that the customer gets back.',
      examples: [2.5],
    }),
  },
  { $id: 'Merchant' },
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
    id: Slug({ examples: ['como-pago-uma-parcela'] }),
    topic: TextField('Lower-case word; a value for the filter `topic`.', 'pagamentos'),
    question: Type.String({ examples: ['Como pago uma parcela?'] }),
    answer: Type.String({ examples: ['Pelo aplicativo, com um código Pix gerado na hora.'] }),
  },
  { $id: 'FaqEntry' },
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
      examples: ['partner'],
    }),
    name: Text(200, { examples: ['Joana Prado'] }),
    email: Type.Optional(
      Type.String({ format: 'email', maxLength: 254, examples: ['joana@padariadoceu.example'] }),
    ),
    phone: Type.Optional(
      Type.String({
        format: 'phone',
        description: 'International format (E.164), e.g. +5511987654321, or the usual Brazilian notation.',
        examples: ['+5511987654321'],
      }),
    ),
    company: Type.Optional(Text(200, { examples: ['Padaria do Céu'] })),
    message: Type.Optional(Text(5_000, { examples: ['Quero oferecer o crédito semanal na minha loja.'] })),
  },
  { $id: 'LeadForm', anyOf: [{ required: ['email'] }, { required: ['phone'] }] },
);

export const Lead = Type.Object(
  { id: Id('lead'), kind: Type.String({ examples: ['partner'] }), received_at: Timestamp() },
  { $id: 'Lead' },
);

const Cell = (example: string) =>
  Type.Unsafe<string | number | boolean | string[] | null>({
    description: 'The value as an export file contains it.',
    examples: [example],
  });

export const ImportOutcome = Type.Object(
  {
    added: Type.Integer(),
    changed: Type.Integer({ examples: [1] }),
    unchanged: Type.Integer({ description: 'Number of lines that change nothing.', examples: [12] }),
    bad: IntegerField(
      'Number of invalid lines. Above zero only in a dry run: an import with invalid lines is refused.',
    ),
    changes: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Slug or id.', examples: ['padarias'] }),
        is_new: Type.Boolean(),
        fields: Type.Array(
          Type.Object({
            name: Type.String({ examples: ['name'] }),
            before: Cell('Padarias'),
            after: Cell('Padarias e confeitarias'),
          }),
        ),
      }),
      { description: 'The first 200 changes, in the order of the file.' },
    ),
    faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'The first 200 invalid lines.',
      examples: [[]],
    }),
  },
  { $id: 'ImportOutcome' },
);

/** The path parameter and the 404 of an endpoint for one lead. */
export const leadRoute = {
  params: Type.Object({ id: Id('lead') }),
  notFound: { en: 'No lead has this id.', pt: 'Nenhum formulário tem este id.' },
};
