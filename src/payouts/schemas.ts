import { type TProperties, Type } from 'typebox';
import { ChallengeId, Code } from '#customers';
import { PersonalOrNull } from '#platform/http/masking.ts';
import { PageOf, Pagination } from '#platform/http/pagination.ts';
import {
  Day,
  DayParameter,
  Id,
  idPattern,
  NullableObject,
  Reais,
  ReaisOrNull,
  StrictObject,
  slugParams,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { NO_MERCHANT } from './problems.ts';
import { LINE_KINDS, PAYOUT_STATUSES } from './store.ts';

/** The outcomes of a line of the bank's return file. */
export const LINE_OUTCOMES = ['paid', 'failed', 'already', 'waiting', 'bad'] as const;
export type LineOutcome = (typeof LINE_OUTCOMES)[number];

const examplePayout = {
  id: 'pay_01kfx3v9e2r4s6t8w0y2a4c6e8',
  merchant: 'padaria-flor-do-trigo',
  amount: 1980.5,
  status: 'paid',
  due_on: '2026-11-17',
  created_at: '2026-11-17T12:00:00.000Z',
  paid_at: '2026-11-17T18:20:11.000Z',
  reference: 'TED 482913',
  failed_at: null,
  reason: null,
};

export const Payout = Type.Object(
  {
    id: Id('pay'),
    merchant: Type.String({ description: 'Slug of the merchant.' }),
    amount: Reais('Paid amount'),
    status: Type.Enum([...PAYOUT_STATUSES], {
      description: '`failed`: the merchant is owed the amount again, and the next batch pays it.',
    }),
    due_on: Day('The latest due day of the lines that it settles'),
    created_at: Timestamp(),
    paid_at: TextOrNull({ format: 'date-time' }),
    reference: TextOrNull({ description: 'Reference of the bank, once it is paid.' }),
    failed_at: TextOrNull({ format: 'date-time' }),
    reason: TextOrNull({ description: 'Reason of the failure.' }),
  },
  { $id: 'Payout', examples: [examplePayout] },
);

const accountFields = <F>(field: (description: string, example: string) => F) => ({
  pix_key: field('The Pix key of the account.', '11222333000181'),
  holder_name: field('Name of the account holder.', 'Padaria Flor do Trigo Ltda'),
  tax_id: field('CNPJ or CPF of the account holder, digits only.', '11222333000181'),
});
const account = accountFields((description, example) =>
  PersonalOrNull('text', { unmaskedFor: ['finance'], description, examples: [example] }),
);
const ownAccount = accountFields((description, example) =>
  TextOrNull({
    description,
    examples: [example],
    ...(description.startsWith('CNPJ') && { pattern: '^([0-9]{11}|[0-9]{14})$' }),
  }),
);

const withChange = <P extends TProperties>(fields: P) => ({
  ...fields,
  change: NullableObject(
    {
      ...fields,
      asked_at: Timestamp(),
      counts_at: Timestamp({ description: 'When it takes effect unless it is cancelled before.' }),
    },
    { description: 'The pending change that an owner of the merchant requested.' },
  ),
});

export const PayoutAccount = Type.Object(withChange(account), { $id: 'PayoutAccount' });
export const OwnPayoutAccount = Type.Object(withChange(ownAccount), { $id: 'OwnPayoutAccount' });

const accountForm = {
  pix_key: Type.String({
    pattern: '^[\\x21-\\x7e]{1,77}$',
    description: 'CPF, CNPJ, phone, e-mail or random key, as registered at the bank.',
  }),
  holder_name: Text(200, { description: 'Name of the account holder.' }),
  tax_id: Type.String({ pattern: '^[0-9./-]{11,18}$', description: 'CNPJ or CPF of the account holder.' }),
};
const exampleForm = {
  pix_key: '11222333000181',
  holder_name: 'Padaria Flor do Trigo Ltda',
  tax_id: '11.222.333/0001-81',
};

export const PayoutAccountForm = StrictObject(accountForm, {
  $id: 'PayoutAccountForm',
  examples: [exampleForm],
});

export const OwnPayoutAccountForm = StrictObject(
  { ...accountForm, challenge_id: ChallengeId, code: Code },
  {
    $id: 'OwnPayoutAccountForm',
    examples: [{ ...exampleForm, challenge_id: 'otp_01kfx3c8gq5v0m7d2h9ynwztb4', code: '314159' }],
  },
);

const { id, merchant, ...figures } = Payout.properties;

/** The payout for staff and for the bank. */
export const StaffPayoutItem = Type.Object(
  {
    id,
    merchant,
    merchant_name: Type.String({ description: 'Name of the merchant at the latest settled sale.' }),
    ...figures,
    ...account,
    bank_number: Type.String({
      pattern: '^[0-9A-Z]{20}$',
      description:
        'Number of the payout in files for the bank ("seu número" in CNAB 240): the last 20 characters of the id, in upper case.',
    }),
  },
  {
    $id: 'StaffPayoutItem',
    examples: [
      {
        ...examplePayout,
        merchant_name: 'Padaria Flor do Trigo',
        pix_key: '11222333000181',
        holder_name: 'Padaria Flor do Trigo Ltda',
        tax_id: '11222333000181',
        bank_number: 'V9E2R4S6T8W0Y2A4C6E8',
      },
    ],
  },
);

const exampleLine = {
  id: 'mln_01kfx3v9pyt2h7n0c4w8qzr5mb',
  kind: 'sale',
  amount: 120,
  checkout_hash: '3kTz9QmVb7LxWc2RfYp8Hd',
  of_payout: null,
  due_on: '2026-11-17',
  occurred_at: '2026-11-13T14:30:00.000Z',
};

const line = {
  id: Id('mln'),
  kind: Type.Enum([...LINE_KINDS], {
    description:
      'A `sale` and its `fee`; a `return` and the refund of its fee, `return_fee`; a `payout`, and the reversal of a failed one, ' +
      '`payout_failed`.',
  }),
  amount: Reais('Positive if the merchant is owed more, negative if less'),
  checkout_hash: TextOrNull({ pattern: '^[0-9A-Za-z]{22}$', description: 'The sale of the line, if any.' }),
  of_payout: TextOrNull({ pattern: idPattern('pay'), description: 'The payout of the line, if any.' }),
  due_on: Day('The first day on which a payout includes it'),
  occurred_at: Timestamp(),
};

export const PayoutLine = Type.Object(line, { $id: 'PayoutLine', examples: [exampleLine] });

export const AccountLine = Type.Object(
  {
    ...line,
    settled_by: TextOrNull({
      pattern: idPattern('pay'),
      description: 'The payout that settled it; null if it is not settled yet.',
    }),
    balance_after: Reais('Balance of the merchant after it, due or not'),
  },
  { $id: 'AccountLine', examples: [{ ...exampleLine, settled_by: null, balance_after: 412.4 }] },
);

export const PayoutPage = PageOf(Payout, 'PayoutPage');

export const PayoutWithLines = Type.Object(
  {
    ...Payout.properties,
    lines: Type.Array(PayoutLine, {
      description: 'A page of the settled lines. All together add up to the amount of the payout.',
    }),
    pagination: Pagination,
  },
  {
    $id: 'PayoutWithLines',
    examples: [
      { ...examplePayout, lines: [exampleLine], pagination: { page: 1, limit: 20, total: 1, pages: 1 } },
    ],
  },
);

export const AccountStatement = PageOf(AccountLine, 'AccountStatement');

const daySales = {
  sales: Type.Integer({ description: 'Number of sales.' }),
  sold: Reais('Sold amount'),
  returned: Reais('Returned amount, regardless of the day of sale'),
};

export const MerchantSummary = Type.Object(
  {
    ...daySales,
    waiting: Type.Integer({ description: 'Number of pending offers now.' }),
    next_payout: Type.Unsafe<{ amount: number; due_on: string } | null>({
      anyOf: [
        Type.Object({ amount: Reais('Amount of the next payout'), due_on: Day('The due day') }),
        { type: 'null' },
      ],
      description: 'The next payout. Null if nothing is owed, and for a clerk.',
    }),
  },
  {
    $id: 'MerchantSummary',
    examples: [
      {
        sales: 7,
        sold: 842.5,
        returned: 40,
        waiting: 1,
        next_payout: { amount: 1980.5, due_on: '2026-11-17' },
      },
    ],
  },
);

export const SalesByDay = Type.Object(
  {
    data: Type.Array(Type.Object({ day: Day('The day'), ...daySales }), {
      description: 'Every day in order, including days without sales.',
    }),
  },
  {
    $id: 'SalesByDay',
    examples: [{ data: [{ day: '2026-11-15', sales: 7, sold: 842.5, returned: 40 }] }],
  },
);

export const PayoutParams = Type.Object({ id: Id('pay', { description: 'The id of the payout.' }) });

/** Path parameters and 404 text of the endpoints for one payout. */
export const payoutPath = {
  params: PayoutParams,
  notFound: { en: 'No payout has this id.', pt: 'Nenhum repasse tem este id.' },
};

/** Path parameters and 404 text of the endpoints for one merchant. */
export const merchantPath = { params: slugParams('padaria-flor-do-trigo'), notFound: NO_MERCHANT };

export const PayoutBatch = StrictObject(
  { until: Type.Optional(DayParameter('Include amounts due on or before this day; defaults to today')) },
  { $id: 'PayoutBatch', examples: [{ until: '2026-11-17' }] },
);

export const PayoutPaid = StrictObject(
  { reference: Text(100, { description: 'Reference of the bank.' }) },
  { $id: 'PayoutPaid', examples: [{ reference: 'TED 482913' }] },
);

export const PayoutFailed = StrictObject(
  { reason: Text(200, { description: 'Reason of the failure.' }) },
  { $id: 'PayoutFailed', examples: [{ reason: 'Conta encerrada' }] },
);

const exampleReturned = {
  line: 2,
  outcome: 'paid',
  payout: examplePayout.id,
  merchant: examplePayout.merchant,
  amount: examplePayout.amount,
  message: "Paid by the bank as 'TED 482913'.",
};
const noLines = { lines: 0, amount: 0 };
const Counted = () =>
  Type.Object({ lines: Type.Integer(), amount: Reais('Sum of the payouts of these lines') });

export const ReturnFileOutcome = Type.Object(
  {
    totals: Type.Object({
      paid: Counted(),
      failed: Counted(),
      already: Counted(),
      waiting: Counted(),
      bad: Counted(),
    }),
    data: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line number in the file; the first is 1.' }),
        outcome: Type.Enum([...LINE_OUTCOMES], {
          description:
            '`paid` and `failed`: the payout is marked so. `already`: it was marked so before. `waiting`: the bank has no result yet. `bad`: nothing ' +
            'is changed, and a person must check it.',
        }),
        payout: TextOrNull({
          pattern: idPattern('pay'),
          description: 'The payout; null if the line identifies none.',
        }),
        merchant: TextOrNull({ description: 'Slug of the merchant.' }),
        amount: ReaisOrNull('Amount of the payout'),
        message: Type.String({ description: 'The result, and what to do.' }),
      }),
      { description: 'The lines in the order of the file.' },
    ),
  },
  {
    $id: 'ReturnFileOutcome',
    examples: [
      {
        totals: {
          paid: { lines: 1, amount: examplePayout.amount },
          failed: noLines,
          already: noLines,
          waiting: noLines,
          bad: noLines,
        },
        data: [exampleReturned],
      },
    ],
  },
);
