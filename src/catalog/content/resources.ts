import { type TProperties, Type } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { Slug, StrictObject, TextOrNull } from '#platform/http/schemas.ts';
import { CATEGORY_NOT_FOUND, FAQ_ENTRY_NOT_FOUND, MERCHANT_NOT_FOUND, POST_NOT_FOUND } from '../problems.ts';
import type { Resource } from './content.ts';
import { KINDS, type KindName, listRequiredFields } from './kinds.ts';
import type { MerchantRecord } from './record-store.ts';
import {
  listCategoriesForStaff,
  listFaqForStaff,
  listMerchantsForStaff,
  listPostsForStaff,
  removeCategory,
  removeFaq,
  removeMerchant,
  removePost,
} from './store.ts';

/**
 * Derives the schemas of the bodies of POST and PATCH. A field is required for a new record if an import requires it. A PATCH has at
 * least one field, and the key cannot change.
 */
function deriveForms(kind: KindName, fields: TProperties, examples: { create?: object; patch: object }) {
  const optionalFields = Type.Partial(Type.Object(fields)).properties;
  const { [KINDS[kind].key]: _key, ...patchFields } = optionalFields;
  const required = listRequiredFields(KINDS[kind]);
  const createFields = Object.keys(fields).map((name) => [
    name,
    required.includes(name) ? fields[name] : optionalFields[name],
  ]);
  return {
    createForm: StrictObject(
      Object.fromEntries(createFields) as TProperties,
      examples.create && { examples: [examples.create] },
    ),
    patchForm: StrictObject(patchFields, { minProperties: 1, examples: [examples.patch] }),
  };
}

const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most four decimals.` });

const planFields = {
  weekly_rate_percent: percent('Weekly interest rate.'),
  max_installments: Type.Integer({ minimum: 1, maximum: 52, examples: [12] }),
  min_amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'Minimum amount of a purchase.',
    examples: [10],
  }),
  max_amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'Maximum amount of a purchase.',
    examples: [5000],
  }),
  cashback_percent: percent('Share of each installment paid on time that the customer gets back.'),
  merchant_fee_percent: percent('Share of a sale that the operator retains.'),
  payout_days: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'Business days between a sale and its payout.',
  }),
};

/** The fields of a merchant that only the role `finance` may write. */
export const PLAN_FIELDS = Object.keys(planFields);

const merchantFields = {
  slug: Slug({ description: 'Identifies the merchant in URLs.', examples: ['padaria-do-porto'] }),
  name: Type.String({ maxLength: 200, examples: ['Padaria do Porto'] }),
  category: Slug({ description: 'Slug of the category.', examples: ['padarias'] }),
  description: TextOrNull({ maxLength: 2_000 }),
  logo_url: TextOrNull({ description: 'A web URL, or a path under /media/.' }),
  city: TextOrNull(),
  state: TextOrNull({ description: 'Two letters, e.g. SP.' }),
  website: TextOrNull(),
  listed: Type.Boolean({ description: 'Whether the public catalog lists the merchant.' }),
};

export const StaffMerchant = Type.Object(
  { ...merchantFields, plan: Type.Object(planFields) },
  { $id: 'StaffMerchant' },
);
const merchantForms = deriveForms(
  'merchants',
  { ...merchantFields, plan: StrictObject(Type.Partial(Type.Object(planFields)).properties) },
  {
    create: {
      slug: 'padaria-do-porto',
      name: 'Padaria do Porto',
      category: 'padarias',
      city: 'Recife',
      state: 'PE',
      plan: { cashback_percent: 2.5, merchant_fee_percent: 3 },
    },
    patch: { city: 'Olinda', plan: { payout_days: 2 } },
  },
);
/** The fields to create a merchant from a partner lead, which provides a missing name and slug. */
export const LeadMerchantFields = {
  ...merchantForms.createForm.properties,
  slug: Type.Optional(merchantFields.slug),
  name: Type.Optional(merchantFields.name),
};

export const merchantResource: Resource = {
  kind: 'merchants',
  noun: 'merchant',
  operationNoun: 'Merchant',
  notFound: MERCHANT_NOT_FOUND,
  exampleKey: 'farmacia-sao-jocundo',
  schema: StaffMerchant,
  ...merchantForms,
  // The plan determines the revenue and the costs of the operator.
  fieldRoles: { plan: 'finance' },
  render({ min_amount, max_amount, payout_days, max_installments, ...record }: MerchantRecord) {
    const { cashback_percent, weekly_rate_percent, merchant_fee_percent, ...fields } = record;
    return {
      ...fields,
      plan: {
        weekly_rate_percent: Number(weekly_rate_percent),
        max_installments,
        min_amount: toReais(cents(min_amount)),
        max_amount: toReais(cents(max_amount)),
        cashback_percent: Number(cashback_percent),
        merchant_fee_percent: Number(merchant_fee_percent),
        payout_days,
      },
    };
  },
  toRecord: ({ plan, ...body }) => ({ ...body, ...(plan as object | undefined) }),
  toPointer: (field) => (Object.hasOwn(planFields, field) ? `/plan/${field}` : `/${field}`),
  list: listMerchantsForStaff,
  remove: removeMerchant,
};

const categoryFields = {
  slug: Slug({ examples: ['floriculturas'] }),
  name: Type.String({ maxLength: 100, examples: ['Floriculturas'] }),
};
export const StaffCategory = Type.Object(categoryFields, { $id: 'StaffCategory' });

export const categoryResource: Resource = {
  kind: 'categories',
  noun: 'category',
  operationNoun: 'Category',
  notFound: CATEGORY_NOT_FOUND,
  exampleKey: 'farmacias',
  schema: StaffCategory,
  createForm: StrictObject(categoryFields),
  patchForm: StrictObject({ name: categoryFields.name }),
  render: (record) => record,
  list: listCategoriesForStaff,
  remove: removeCategory,
};

const faqFields = {
  id: Slug({ examples: ['pagar-antes'] }),
  topic: Slug({ description: 'Topic of the question.', examples: ['pagamentos'] }),
  question: Type.String({ maxLength: 500, examples: ['Posso pagar antes do vencimento?'] }),
  answer: Type.String({ maxLength: 5_000, examples: ['Pode, e sai mais barato quando há juros.'] }),
  position: Type.Integer({ description: 'Position within the topic.' }),
  listed: Type.Boolean(),
};
export const StaffFaq = Type.Object(faqFields, { $id: 'StaffFaqEntry' });

export const faqResource: Resource = {
  kind: 'faq',
  noun: 'FAQ entry',
  operationNoun: 'FaqEntry',
  notFound: FAQ_ENTRY_NOT_FOUND,
  exampleKey: 'como-pago-uma-parcela',
  schema: StaffFaq,
  ...deriveForms('faq', faqFields, { patch: { listed: false } }),
  render: (record) => record,
  list: listFaqForStaff,
  remove: removeFaq,
};

const postFields = {
  slug: Slug({ examples: ['seis-feiras-para-conhecer'] }),
  title: Type.String({ maxLength: 300, examples: ['Seis feiras para conhecer'] }),
  summary: Type.String({ maxLength: 1_000, examples: ['Onde comprar direto de quem planta.'] }),
  author: Type.String({ maxLength: 200, examples: ['Beatriz Sampaio'] }),
  body: Type.String({
    maxLength: 200_000,
    description: 'Markdown.',
    examples: ['## A primeira\n\nAbre às cinco.'],
  }),
  cover_url: TextOrNull({ description: 'A web URL, or a path under /media/.' }),
  tags: Type.Array(Type.String(), { examples: [['guia']] }),
  published_at: TextOrNull({
    format: 'date-time',
    description: 'Time of publication, which may be in the future; null for a draft.',
  }),
};
export const StaffPost = Type.Object(postFields, { $id: 'StaffPost' });

export const postResource: Resource = {
  kind: 'posts',
  noun: 'post',
  operationNoun: 'Post',
  notFound: POST_NOT_FOUND,
  exampleKey: 'glossario-do-credito-semanal',
  schema: StaffPost,
  ...deriveForms('posts', postFields, { patch: { published_at: '2026-11-20T12:00:00.000Z' } }),
  bodyLimitBytes: 1024 * 1024,
  render: (record: { published_at: Date | null }) => ({
    ...record,
    published_at: record.published_at?.toISOString() ?? null,
  }),
  list: listPostsForStaff,
  remove: removePost,
};
