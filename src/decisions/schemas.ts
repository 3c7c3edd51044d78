import { type TProperties, Type } from 'typebox';
import {
  FACT_DIRECTIONS,
  GRADED_FACTS,
  MOMENTS,
  OUTCOMES,
  type Policy as PolicyType,
} from '#core/finance/decision.ts';
import { BlockedBy } from '#customers';
import { WithCustomerName } from '#platform/http/masking.ts';
import {
  Id,
  IdOrNull,
  Reais,
  ReaisOrNull,
  Slug,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';

const ReaisInput = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000, description });

const buildFieldPerFact = <P extends TProperties[string]>(createSchema: (direction: 'high' | 'low') => P) =>
  Object.fromEntries(GRADED_FACTS.map((fact) => [fact, Type.Optional(createSchema(FACT_DIRECTIONS[fact]))]));

const Threshold = (direction: 'high' | 'low') =>
  Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: direction === 'high' ? 'Applies from this value.' : 'Applies below this value.',
  });

const examplePolicy: PolicyType = {
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
  first_limit: ReaisInput('Limit of an approved sign-up, in reais.'),
  growth: Type.Array(
    StrictObject({
      paid_on_time: Count('Number of purchases paid in full without an overdue installment.'),
      paid_amount: ReaisInput('Total of those purchases, in reais.'),
      limit: ReaisInput('Limit that is offered, in reais.'),
    }),
    { maxItems: 50, description: 'Steps of growth, ascending. The last step that is reached applies.' },
  ),
  late: Type.Array(
    StrictObject({
      days: Type.Integer({
        minimum: 1,
        maximum: 365,
        description:
          'The step applies if an installment was overdue for at least this many days within the last year.',
      }),
      keep_percent: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Share of the limit that remains, in percent.',
      }),
    }),
    { maxItems: 20, description: 'Reductions in ascending order of days. The last that is reached applies.' },
  ),
  rules: StrictObject(
    buildFieldPerFact((direction) =>
      StrictObject({
        review: Type.Optional(Threshold(direction)),
        declined: Type.Optional(Threshold(direction)),
      }),
    ),
    { description: 'Thresholds by fact, for a review by a person and for a refusal.' },
  ),
  signals: StrictObject(
    buildFieldPerFact((direction) =>
      StrictObject({
        at: Threshold(direction),
        weight: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Weight of the signal.' }),
      }),
    ),
    { description: 'Fraud signals by fact. Their weights are added up.' },
  ),
  review_weight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Sum of signal weights from which a person reviews the decision.',
  }),
  decline_weight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Sum of signal weights from which the decision is declined.',
  }),
  merchant_caps: Type.Array(
    StrictObject({
      merchant: Slug({ maxLength: 100 }),
      limit: ReaisInput('Maximum debt of a customer at the merchant.'),
    }),
    { maxItems: 1_000, description: 'Caps for individual merchants.' },
  ),
  bureau_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'Days for which a bureau report is valid.',
  }),
};

const PolicySchema = (description: string, options: object = {}) =>
  Type.Unsafe<PolicyType>(StrictObject(policyFields, { description, examples: [examplePolicy], ...options }));

export const Policy = PolicySchema('A credit policy: see docs/credit-decision.md.', { $id: 'CreditPolicy' });

export const PolicyForm = StrictObject(
  {
    policy: Type.Optional(PolicySchema('The new policy in force.')),
    shadow: Type.Optional(
      Type.Union([PolicySchema('The new shadow policy, which is evaluated without effect.'), Type.Null()], {
        description: 'null removes the shadow policy.',
      }),
    ),
    reason: Type.Optional(Text(500, { description: 'Reason, stored in the audit trail.' })),
  },
  {
    $id: 'CreditPolicyForm',
    minProperties: 1,
    examples: [{ policy: examplePolicy, reason: 'Fewer losses' }],
  },
);

export const ComparisonForm = StrictObject(
  { policy: PolicySchema('The policy to evaluate.') },
  { $id: 'CreditPolicyTry' },
);

const comparisonFields = {
  decisions: Type.Integer({ description: 'Number of compared decisions.' }),
  same: Type.Integer({ description: 'Decisions with the same result.' }),
  changes: Type.Array(
    Type.Object({
      from: Type.Enum([...OUTCOMES], { description: 'Actual outcome.' }),
      to: Type.Enum([...OUTCOMES], { description: 'Outcome with the compared policy.' }),
      moment: Type.Enum([...MOMENTS]),
      decisions: Type.Integer(),
      limit_difference: Reais('Sum of the differences of the limits'),
    }),
    { description: 'Different decisions, by outcome and moment.' },
  ),
  refused: Type.Object(
    {
      purchases: Type.Integer({ description: 'Number of purchases.' }),
      sold: Reais('Amount sold'),
      paid: Reais('Amount paid, which a refusal would have lost'),
      late: Reais('Amount that is overdue now'),
      written_off: Reais('Amount written off, which a refusal would have saved'),
    },
    { description: 'Purchases that were approved and would have been refused.' },
  ),
};

export const ComparisonResponse = Type.Object(comparisonFields, { $id: 'CreditPolicyTried' });

const versionFields = {
  version: Type.Integer({ description: '1 is the built-in policy.' }),
  policy: Policy,
  set_by: TextOrNull({ description: 'Staff user who set the policy; null for the built-in policy.' }),
  set_at: TextOrNull({ format: 'date-time' }),
};

export const PolicyResponse = Type.Object(
  {
    ...versionFields,
    shadow: Type.Union([Type.Object({ ...versionFields, figures: ComparisonResponse }), Type.Null()], {
      description: 'The shadow policy, with figures of its decisions.',
    }),
  },
  { $id: 'CreditPolicyInForce' },
);

export const PolicyVersion = Type.Object(
  {
    version: Type.Integer(),
    role: Type.Enum(['force', 'shadow'], {
      description: '`force`: in force; `shadow`: evaluated without effect.',
    }),
    policy: Type.Unsafe<PolicyType | null>({
      type: ['object', 'null'],
      description: 'null: this version removed the shadow policy.',
      examples: [examplePolicy],
    }),
    set_by: TextField('Staff user who set the policy.', 'stf_01kfx3v9e2r4s6t8w0y2a4c6e8'),
    set_by_name: Type.String({ examples: ['Marina Duarte'] }),
    set_at: Timestamp(),
  },
  { $id: 'CreditPolicyVersion' },
);

export const CreditDecision = Type.Object(
  {
    id: Id('dec'),
    customer_id: Id('cus'),
    moment: Type.Enum([...MOMENTS]),
    outcome: Type.Enum([...OUTCOMES], {
      description: 'Current outcome: a person’s answer replaces `review`.',
      examples: ['review'],
    }),
    limit: Reais('Limit of the customer after the decision'),
    reasons: Type.Array(Type.String({ examples: ['signups_device'] }), {
      description: 'Reason codes, see docs/credit-decision.md.',
    }),
    policy_version: Type.Integer({ examples: [1] }),
    facts: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Facts that the decision was based on, without names.',
      examples: [{ moment: 'signup', age_years: 31, signups_device: 4 }],
    }),
    offer_id: IdOrNull('off'),
    shadow_outcome: Type.Unsafe<(typeof OUTCOMES)[number] | null>({
      enum: [...OUTCOMES, null],
      description: 'Outcome of the shadow policy.',
      examples: [null],
    }),
    decided_at: Timestamp(),
    answered_by: TextOrNull({ description: 'Staff user who answered the review.' }),
    answered_at: TextOrNull({ format: 'date-time' }),
    answer_reason: TextOrNull(),
  },
  { $id: 'CreditDecision' },
);

export const CreditDecisionItem = WithCustomerName(CreditDecision, 'CreditDecisionItem');

export const decisionResource = {
  params: Type.Object({ id: Id('dec') }),
  notFound: { en: 'There is no decision with this id.', pt: 'Não há decisão com este id.' },
};

export const ReviewApprovalForm = StrictObject(
  {
    limit: Type.Optional(ReaisInput('New credit limit of the customer, in reais.')),
    reason: Type.Optional(Text(500)),
  },
  { $id: 'CreditApproval', examples: [{ limit: 300 }] },
);
export const ReviewRefusalForm = StrictObject(
  { reason: Text(500, { description: 'Reason, shown to the customer.' }) },
  { $id: 'CreditRefusal', examples: [{ reason: 'Os documentos não conferem.' }] },
);

export const WalletCredit = Type.Object(
  {
    limit: Reais('Credit limit', { examples: [150] }),
    used: Reais('Amount owed', { examples: [51.1] }),
    available: Reais('Amount available for purchases (0 while a purchase would be refused)', {
      examples: [98.9],
    }),
    blocked_by: BlockedBy,
    offered: ReaisOrNull('Higher limit that takes effect when the customer accepts it'),
    reasons: Type.Array(Type.String({ examples: ['Você pagou as suas compras em dia.'] }), {
      description: 'Reasons for the limit, as sentences.',
    }),
    next_step: TextField(
      'What the customer can do next, as a sentence.',
      'Compras pagas em dia aumentam o limite.',
    ),
    review: TextOrNull({
      format: 'date-time',
      description: 'Time when the pending review was requested; null if none is pending.',
    }),
  },
  { $id: 'WalletCredit' },
);
export const ReviewRequested = Type.Object(
  { id: Id('dec'), asked_at: Timestamp() },
  { $id: 'CreditReviewAsked' },
);
