import { type TProperties, Type } from 'typebox';
import { DIRECTIONS, GRADED_FACTS, MOMENTS, OUTCOMES, type Policy as PolicyType } from '#core/decision.ts';
import { WithCustomerName } from '#platform/http/personal.ts';
import {
  Form,
  Id,
  idPattern,
  Reais,
  ReaisOrNull,
  Slug,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';

const Money = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000, description });

const ofFacts = <P extends TProperties[string]>(schema: (direction: 'high' | 'low') => P) =>
  Object.fromEntries(GRADED_FACTS.map((fact) => [fact, Type.Optional(schema(DIRECTIONS[fact]))]));

const Threshold = (direction: 'high' | 'low') =>
  Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: direction === 'high' ? 'From this number on.' : 'Below this number.',
  });

export const examplePolicy: PolicyType = {
  first_limit: 150,
  growth: [
    { paid_on_time: 2, paid_amount: 100, limit: 200 },
    { paid_on_time: 5, paid_amount: 400, limit: 300 },
  ],
  late: [{ days: 4, keep_percent: 50 }],
  rules: { age_years: { declined: 18 }, offers_hour: { review: 4, declined: 10 } },
  signals: { signups_device: { at: 2, weight: 60 }, referral_ring: { at: 3, weight: 60 } },
  review_weight: 60,
  decline_weight: 100,
  merchant_caps: [{ merchant: 'otica-lume', limit: 300 }],
  bureau_days: 90,
};

const policyFields = {
  first_limit: Money('The limit of who signs up and is approved, in reais.'),
  growth: Type.Array(
    Form({
      paid_on_time: Count('Purchases paid to the end, no installment of them late.'),
      paid_amount: Money('What those came to, in reais.'),
      limit: Money('What is offered then, in reais.'),
    }),
    { maxItems: 50, description: 'From the least to the most. The last step that is reached counts.' },
  ),
  late: Type.Array(
    Form({
      days: Type.Integer({ minimum: 1, maximum: 365, description: 'The most days late within a year.' }),
      keep_percent: Type.Integer({ minimum: 0, maximum: 100, description: 'What is left of the growth.' }),
    }),
    { maxItems: 20, description: 'From the least days to the most. The last step that is reached counts.' },
  ),
  rules: Form(
    ofFacts((direction) =>
      Form({ review: Type.Optional(Threshold(direction)), declined: Type.Optional(Threshold(direction)) }),
    ),
    { description: 'Thresholds by fact: a person looks, or it is declined.' },
  ),
  signals: Form(
    ofFacts((direction) =>
      Form({
        at: Threshold(direction),
        weight: Type.Integer({ minimum: 1, maximum: 1_000, description: 'How much it counts.' }),
      }),
    ),
    { description: 'Signals of fraud by fact. Their weights are added up.' },
  ),
  review_weight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'From this sum of weights on a person looks.',
  }),
  decline_weight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'From this sum of weights on it is declined.',
  }),
  merchant_caps: Type.Array(
    Form({ merchant: Slug({ maxLength: 100 }), limit: Money('What a customer may owe there at most.') }),
    { maxItems: 1_000, description: 'Caps of single merchants.' },
  ),
  bureau_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'For how many days what the bureau said counts.',
  }),
};

const PolicyOf = (description: string, options: object = {}) =>
  Type.Unsafe<PolicyType>(Form(policyFields, { description, examples: [examplePolicy], ...options }));

export const Policy = PolicyOf('What is decided by: docs/credit-decision.md.', { $id: 'CreditPolicy' });

export const PolicyForm = Form(
  {
    policy: Type.Optional(PolicyOf('Counts from now on.')),
    shadow: Type.Optional(
      Type.Union([PolicyOf('Is asked beside the one in force, and decides nothing.'), Type.Null()], {
        description: 'null: none from now on.',
      }),
    ),
    reason: Type.Optional(Text(500, { description: 'Why, for the trail.' })),
  },
  {
    $id: 'CreditPolicyForm',
    minProperties: 1,
    examples: [{ policy: examplePolicy, reason: 'Fewer losses' }],
  },
);

export const TryForm = Form(
  { policy: PolicyOf('To be tried.') },
  {
    $id: 'CreditPolicyTry',
    examples: [{ policy: examplePolicy }],
  },
);

const figures = {
  decisions: Type.Integer({ description: 'How many were compared.' }),
  same: Type.Integer({ description: 'Decided the same.' }),
  changes: Type.Array(
    Type.Object({
      from: Type.Enum([...OUTCOMES], { description: 'What was decided.' }),
      to: Type.Enum([...OUTCOMES], { description: 'What it would have been.' }),
      moment: Type.Enum([...MOMENTS]),
      decisions: Type.Integer(),
      limit_difference: Reais('By how much the limits differ together'),
    }),
    { description: 'Those that differ, by outcome and moment.' },
  ),
  refused: Type.Object(
    {
      purchases: Type.Integer({ description: 'What was bought then.' }),
      sold: Reais('What was sold'),
      paid: Reais('What of it was paid: refused, it would have been lost business'),
      late: Reais('What of it is late now'),
      written_off: Reais('What of it was lost: refused, it would have been saved'),
    },
    { description: 'What those came to that were approved and would not have been.' },
  ),
};

export const TryAnswer = Type.Object(figures, { $id: 'CreditPolicyTried' });

const versioned = {
  version: Type.Integer({ description: '1 is the policy that is built in.' }),
  policy: Policy,
  set_by: TextOrNull({ description: 'Who has set it; null for the one that is built in.' }),
  set_at: TextOrNull({ format: 'date-time' }),
};

export const PolicyAnswer = Type.Object(
  {
    ...versioned,
    shadow: Type.Union([Type.Object({ ...versioned, figures: TryAnswer }), Type.Null()], {
      description: 'Asked beside it, and what it would have decided since.',
    }),
  },
  { $id: 'CreditPolicyInForce' },
);

export const PolicyVersion = Type.Object(
  {
    version: Type.Integer(),
    role: Type.Enum(['force', 'shadow'], { description: '`shadow`: asked beside it, and decides nothing.' }),
    policy: Type.Unsafe<PolicyType | null>({
      type: ['object', 'null'],
      description: 'null: no shadow from here on.',
      examples: [examplePolicy],
    }),
    set_by: Type.String({ description: 'Who has set it.', examples: ['stf_01kfx3v9e2r4s6t8w0y2a4c6e8'] }),
    set_by_name: Type.String({ examples: ['Marina Duarte'] }),
    set_at: Timestamp(),
  },
  { $id: 'CreditPolicyVersion' },
);

const DECISION = {
  id: 'dec_01kfx3v9e2r4s6t8w0y2a4c6e8',
  customer_id: 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8',
  moment: 'signup',
  outcome: 'review',
  limit: 0,
  reasons: ['signups_device'],
  policy_version: 1,
  facts: { moment: 'signup', age_years: 31, signups_device: 4 },
  offer_id: null,
  shadow_outcome: null,
  decided_at: '2026-11-17T12:00:00.000Z',
  answered_by: null,
  answered_at: null,
  answer_reason: null,
};

export const CreditDecision = Type.Object(
  {
    id: Id('dec'),
    customer_id: Id('cus'),
    moment: Type.Enum([...MOMENTS]),
    outcome: Type.Enum([...OUTCOMES], { description: 'As it stands: a person’s answer replaces `review`.' }),
    limit: Reais('The customer’s limit by it'),
    reasons: Type.Array(Type.String(), { description: 'Codes: docs/credit-decision.md.' }),
    policy_version: Type.Integer(),
    facts: Type.Record(Type.String(), Type.Unknown(), { description: 'What was known. No names.' }),
    offer_id: TextOrNull({ pattern: idPattern('off') }),
    shadow_outcome: Type.Unsafe<(typeof OUTCOMES)[number] | null>({
      enum: [...OUTCOMES, null],
      description: 'What the shadow would have said.',
    }),
    decided_at: Timestamp(),
    answered_by: TextOrNull({ description: 'The person who answered the review.' }),
    answered_at: TextOrNull({ format: 'date-time' }),
    answer_reason: TextOrNull(),
  },
  {
    $id: 'CreditDecision',
    examples: [DECISION],
  },
);

export const CreditDecisionItem = WithCustomerName(CreditDecision, 'CreditDecisionItem');

/** Of the endpoints of one decision. */
export const ofDecision = {
  params: Type.Object({ id: Id('dec') }),
  notFound: { en: 'There is no decision with this id.', pt: 'Não há decisão com este id.' },
};

export const ApprovalForm = Form(
  {
    limit: Type.Optional(Money('The customer’s limit from now on, in reais.')),
    reason: Type.Optional(Text(500)),
  },
  { $id: 'CreditApproval', examples: [{ limit: 300 }] },
);
export const RefusalForm = Form(
  { reason: Text(500, { description: 'Why; the customer reads it.' }) },
  { $id: 'CreditRefusal', examples: [{ reason: 'Os documentos não conferem.' }] },
);

export const WalletCredit = Type.Object(
  {
    limit: Reais('How much may be owed'),
    used: Reais('How much is owed'),
    available: Reais('What can be bought for'),
    offered: ReaisOrNull('A higher limit that counts once the customer says yes'),
    reasons: Type.Array(Type.String(), { description: 'Why the limit is what it is, in sentences.' }),
    next_step: Type.String({ description: 'What the customer can do, in a sentence.' }),
    review: TextOrNull({
      format: 'date-time',
      description: 'Since when a person is looking at it; null when nobody was asked.',
    }),
  },
  {
    $id: 'WalletCredit',
    examples: [
      {
        limit: 150,
        used: 51.1,
        available: 98.9,
        offered: 200,
        reasons: ['Você pagou as suas compras em dia.'],
        next_step: 'Aceite o limite de R$ 200,00.',
        review: null,
      },
    ],
  },
);
export const ReviewAsked = Type.Object(
  { id: Id('dec'), asked_at: Timestamp() },
  {
    $id: 'CreditReviewAsked',
    examples: [{ id: 'dec_01kfx3v9e2r4s6t8w0y2a4c6e8', asked_at: '2026-11-17T12:00:00.000Z' }],
  },
);
