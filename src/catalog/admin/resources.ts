import { type TProperties, Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { Form, Slug, TextOrNull } from '#platform/http/schemas.ts';
import type { MerchantRecord } from '../import/store.ts';
import { NO_CATEGORY, NO_MERCHANT, NO_POST, NO_QUESTION } from '../problems.ts';
import type { Resource } from './content.ts';
import {
  listAllFaq,
  listAllPosts,
  listCategoriesForStaff,
  listMerchantsForStaff,
  removeCategory,
  removeFaq,
  removeMerchant,
  removePost,
} from './store.ts';

/** The body of a PATCH: any of these fields, at least one. A slug cannot change. */
const ChangeForm = <P extends TProperties>(properties: P, example: object) =>
  Form(Type.Partial(Type.Object(properties)).properties, { minProperties: 1, examples: [example] });

const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most four decimals.` });

const plan = {
  weekly_rate_percent: percent('Interest a week.'),
  max_installments: Type.Integer({ minimum: 1, maximum: 52, examples: [12] }),
  min_amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'The least a purchase may be for.',
    examples: [10],
  }),
  max_amount: Type.Number({
    exclusiveMinimum: 0,
    format: 'reais',
    description: 'The most.',
    examples: [5000],
  }),
  cashback_percent: percent('What of each installment paid on time comes back to the customer.'),
  merchant_fee_percent: percent('What the operator keeps of a sale.'),
  payout_days: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'Business days until a sale is paid out.',
  }),
};

/** What of a merchant takes the role `finance`. */
export const PLAN_FIELDS = Object.keys(plan);

const merchant = {
  slug: Slug({ description: 'Identifies the merchant in addresses.', examples: ['padaria-do-porto'] }),
  name: Type.String({ maxLength: 200, examples: ['Padaria do Porto'] }),
  category: Slug({ description: 'Slug of its category.', examples: ['padarias'] }),
  description: TextOrNull({ maxLength: 2_000 }),
  logo_url: TextOrNull({ description: 'A web address, or a path under /media/.' }),
  city: TextOrNull(),
  state: TextOrNull({ description: 'Two letters, e.g. SP.' }),
  website: TextOrNull(),
  listed: Type.Boolean({ description: 'Whether the catalog shows it.' }),
};

const { slug, name, category, ...furtherMerchant } = merchant;

export const StaffMerchant = Type.Object({ ...merchant, plan: Type.Object(plan) }, { $id: 'StaffMerchant' });
const partOfPlan = Form(Type.Partial(Type.Object(plan)).properties);
const MerchantForm = Form(
  {
    slug,
    name,
    category,
    ...Type.Partial(Type.Object(furtherMerchant)).properties,
    plan: Type.Optional(partOfPlan),
  },
  {
    examples: [
      {
        slug: 'padaria-do-porto',
        name: 'Padaria do Porto',
        category: 'padarias',
        city: 'Recife',
        state: 'PE',
        plan: { cashback_percent: 2.5, merchant_fee_percent: 3 },
      },
    ],
  },
);
/** For a merchant that is made of a partner's form: what is left out comes from there. */
export const LeadMerchantFields = {
  ...MerchantForm.properties,
  slug: Type.Optional(slug),
  name: Type.Optional(name),
};
const MerchantChange = ChangeForm(
  { name, category, ...furtherMerchant, plan: partOfPlan },
  { city: 'Olinda', plan: { payout_days: 2 } },
);

export const merchantResource: Resource<typeof StaffMerchant> = {
  kind: 'merchants',
  noun: 'merchant',
  name: 'Merchant',
  notFound: NO_MERCHANT,
  example: 'farmacia-sao-jocundo',
  schema: StaffMerchant,
  form: MerchantForm,
  changeForm: MerchantChange,
  // What is earned and paid is finance's to decide.
  fieldRoles: { plan: 'finance' },
  show({ min_amount, max_amount, payout_days, max_installments, ...record }: MerchantRecord) {
    const { cashback_percent, weekly_rate_percent, merchant_fee_percent, ...shown } = record;
    return {
      ...shown,
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
  flatten: ({ plan: terms, ...body }) => ({ ...body, ...(terms as object | undefined) }),
  pointerOf: (field) => (Object.hasOwn(plan, field) ? `/plan/${field}` : `/${field}`),
  list: listMerchantsForStaff,
  remove: removeMerchant,
};

const categoryFields = {
  slug: Slug({ examples: ['floriculturas'] }),
  name: Type.String({ maxLength: 100, examples: ['Floriculturas'] }),
};
export const StaffCategory = Type.Object(categoryFields, { $id: 'StaffCategory' });

export const categoryResource: Resource<typeof StaffCategory> = {
  kind: 'categories',
  noun: 'category',
  name: 'Category',
  notFound: NO_CATEGORY,
  example: 'farmacias',
  schema: StaffCategory,
  form: Form(categoryFields),
  changeForm: Form({ name: categoryFields.name }),
  show: (record) => record,
  list: listCategoriesForStaff,
  remove: removeCategory,
};

const faq = {
  topic: Slug({ description: 'What it is about.', examples: ['pagamentos'] }),
  question: Type.String({ maxLength: 500, examples: ['Posso pagar antes do vencimento?'] }),
  answer: Type.String({ maxLength: 5_000, examples: ['Pode, e sai mais barato quando há juros.'] }),
};
const faqId = Slug({ examples: ['pagar-antes'] });
const furtherFaq = {
  position: Type.Integer({ description: 'Its place in the topic.' }),
  listed: Type.Boolean(),
};
export const StaffFaq = Type.Object({ id: faqId, ...faq, ...furtherFaq }, { $id: 'StaffFaqEntry' });

export const faqResource: Resource<typeof StaffFaq> = {
  kind: 'faq',
  noun: 'question',
  name: 'FaqEntry',
  notFound: NO_QUESTION,
  example: 'como-pago-uma-parcela',
  schema: StaffFaq,
  form: Form({ id: faqId, ...faq, ...Type.Partial(Type.Object(furtherFaq)).properties }),
  changeForm: ChangeForm({ ...faq, ...furtherFaq }, { listed: false }),
  show: (record) => record,
  list: listAllFaq,
  remove: removeFaq,
};

const post = {
  title: Type.String({ maxLength: 300, examples: ['Seis feiras para conhecer'] }),
  summary: Type.String({ maxLength: 1_000, examples: ['Onde comprar direto de quem planta.'] }),
  author: Type.String({ maxLength: 200, examples: ['Beatriz Sampaio'] }),
  body: Type.String({
    maxLength: 200_000,
    description: 'Markdown.',
    examples: ['## A primeira\n\nAbre às cinco.'],
  }),
};
const postSlug = Slug({ examples: ['seis-feiras-para-conhecer'] });
const furtherPost = {
  cover_url: TextOrNull({ description: 'A web address, or a path under /media/.' }),
  tags: Type.Array(Type.String(), { examples: [['guia']] }),
  published_at: TextOrNull({
    format: 'date-time',
    description: 'null: a draft. Later than now: shown from then on.',
  }),
};
export const StaffPost = Type.Object(
  { slug: postSlug, ...post, ...furtherPost, published_at: TextOrNull({ format: 'date-time' }) },
  { $id: 'StaffPost' },
);

export const postResource: Resource<typeof StaffPost> = {
  kind: 'posts',
  noun: 'post',
  name: 'Post',
  notFound: NO_POST,
  example: 'glossario-do-credito-semanal',
  schema: StaffPost,
  form: Form({ slug: postSlug, ...post, ...Type.Partial(Type.Object(furtherPost)).properties }),
  changeForm: ChangeForm({ ...post, ...furtherPost }, { published_at: '2026-11-20T12:00:00.000Z' }),
  bodyLimitBytes: 1024 * 1024,
  show: (record: { published_at: Date | null } & Record<string, never>) => ({
    ...(record as Record<string, never>),
    published_at: record.published_at?.toISOString() ?? null,
  }),
  list: listAllPosts,
  remove: removePost,
} as unknown as Resource<typeof StaffPost>;
