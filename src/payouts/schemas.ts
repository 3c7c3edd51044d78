import { type TProperties, Type } from 'typebox';
import { ChallengeId, Code } from '#customers';
import { PageOf, Pagination } from '#platform/http/pagination.ts';
import { PersonalOrNull } from '#platform/http/personal.ts';
import {
  Day,
  DayParameter,
  Form,
  Id,
  idPattern,
  NullableObject,
  Reais,
  ReaisOrNull,
  slugParams,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { NO_MERCHANT } from './problems.ts';
import { LINE_KINDS, PAYOUT_STATUSES } from './store.ts';

/** What becomes of a line of the bank's return file. */
export const OUTCOMES = ['paid', 'failed', 'already', 'waiting', 'bad'] as const;
export type LineOutcome = (typeof OUTCOMES)[number];

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
    amount: Reais('What is paid'),
    status: Type.Enum([...PAYOUT_STATUSES], {
      description: '`failed`: it is owed again, and the next batch pays it.',
    }),
    due_on: Day('The latest due day of what it pays'),
    created_at: Timestamp(),
    paid_at: TextOrNull({ format: 'date-time' }),
    reference: TextOrNull({ description: 'What the bank calls it, once it is paid.' }),
    failed_at: TextOrNull({ format: 'date-time' }),
    reason: TextOrNull({ description: 'Why it failed.' }),
  },
  { $id: 'Payout', examples: [examplePayout] },
);

const accountFields = <F>(field: (description: string, example: string) => F) => ({
  pix_key: field('The Pix key it is paid to.', '11222333000181'),
  holder_name: field('Whose account it is.', 'Padaria Flor do Trigo Ltda'),
  tax_id: field('CNPJ or CPF of the holder, digits alone.', '11222333000181'),
});
const account = accountFields((description, example) =>
  PersonalOrNull('text', { maskedBelow: 'finance', description, examples: [example] }),
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
      counts_at: Timestamp({ description: 'When it takes effect, unless it is stopped before.' }),
    },
    { description: 'What an owner of the merchant wants instead. It does not count yet.' },
  ),
});

export const PayoutAccount = Type.Object(withChange(account), { $id: 'PayoutAccount' });
export const OwnPayoutAccount = Type.Object(withChange(ownAccount), { $id: 'OwnPayoutAccount' });

const accountForm = {
  pix_key: Type.String({
    pattern: '^[\\x21-\\x7e]{1,77}$',
    description: 'CPF, CNPJ, phone, e-mail or random key, as the bank writes it.',
  }),
  holder_name: Text(200, { description: 'Whose account it is.' }),
  tax_id: Type.String({ pattern: '^[0-9./-]{11,18}$', description: 'CNPJ or CPF of the holder.' }),
};
const exampleForm = {
  pix_key: '11222333000181',
  holder_name: 'Padaria Flor do Trigo Ltda',
  tax_id: '11.222.333/0001-81',
};

export const PayoutAccountForm = Form(accountForm, { $id: 'PayoutAccountForm', examples: [exampleForm] });

export const OwnPayoutAccountForm = Form(
  { ...accountForm, challenge_id: ChallengeId, code: Code },
  {
    $id: 'OwnPayoutAccountForm',
    examples: [{ ...exampleForm, challenge_id: 'otp_01kfx3c8gq5v0m7d2h9ynwztb4', code: '314159' }],
  },
);

const { id, merchant, ...figures } = Payout.properties;

/** For the operator and its bank. */
export const StaffPayoutItem = Type.Object(
  {
    id,
    merchant,
    merchant_name: Type.String({ description: 'As it was at the latest sale that it pays.' }),
    ...figures,
    ...account,
    bank_number: Type.String({
      pattern: '^[0-9A-Z]{20}$',
      description:
        'What it is called in files for the bank ("seu número" of CNAB 240): the last 20 characters of the id, in upper case.',
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
      'A `sale` and its `fee`; a `return` and the fee that goes back with it, `return_fee`; a `payout`, and one that the bank ' +
      'did not carry out, `payout_failed`.',
  }),
  amount: Reais('Above zero the merchant is owed more, below zero less'),
  checkout_hash: TextOrNull({ pattern: '^[0-9A-Za-z]{22}$', description: 'The sale, if it is about one.' }),
  of_payout: TextOrNull({ pattern: idPattern('pay'), description: 'The payout, if it is about one.' }),
  due_on: Day('From when on a payout takes it in'),
  occurred_at: Timestamp(),
};

export const PayoutLine = Type.Object(line, { $id: 'PayoutLine', examples: [exampleLine] });

export const AccountLine = Type.Object(
  {
    ...line,
    settled_by: TextOrNull({
      pattern: idPattern('pay'),
      description: 'The payout it went into; null while it is still to be settled.',
    }),
    balance_after: Reais('What the merchant was owed after it, due or not'),
  },
  { $id: 'AccountLine', examples: [{ ...exampleLine, settled_by: null, balance_after: 412.4 }] },
);

export const PayoutPage = PageOf(Payout, 'PayoutPage');

export const PayoutWithLines = Type.Object(
  {
    ...Payout.properties,
    lines: Type.Array(PayoutLine, {
      description: 'A page of what it settled: together they are its amount.',
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
  sales: Type.Integer({ description: 'How many sales were made.' }),
  sold: Reais('What was sold'),
  returned: Reais('What was returned, whenever it was sold'),
};

export const MerchantSummary = Type.Object(
  {
    ...daySales,
    waiting: Type.Integer({ description: 'How many offers wait for an answer now.' }),
    next_payout: Type.Unsafe<{ amount: number; due_on: string } | null>({
      anyOf: [
        Type.Object({ amount: Reais('What is paid next'), due_on: Day('When it is due') }),
        { type: 'null' },
      ],
      description: 'Null when nothing is owed, and for a clerk.',
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
      description: 'Every day, in order, also those without a sale.',
    }),
  },
  {
    $id: 'SalesByDay',
    examples: [{ data: [{ day: '2026-11-15', sales: 7, sold: 842.5, returned: 40 }] }],
  },
);

export const PayoutParams = Type.Object({ id: Id('pay', { description: 'The payout.' }) });

/** Of the endpoints of one payout. */
export const ofPayout = {
  params: PayoutParams,
  notFound: { en: 'No payout has this id.', pt: 'Nenhum repasse tem este id.' },
};

/** Of the endpoints of one merchant. */
export const ofMerchant = { params: slugParams('padaria-flor-do-trigo'), notFound: NO_MERCHANT };

export const PayoutBatch = Form(
  { until: Type.Optional(DayParameter('Pays what is due on or before this day; today unless sent')) },
  { $id: 'PayoutBatch', examples: [{ until: '2026-11-17' }] },
);

export const PayoutPaid = Form(
  { reference: Text(100, { description: 'What the bank calls it.' }) },
  { $id: 'PayoutPaid', examples: [{ reference: 'TED 482913' }] },
);

export const PayoutFailed = Form(
  { reason: Text(200, { description: 'Why the bank did not pay it.' }) },
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
  Type.Object({ lines: Type.Integer(), amount: Reais('What the payouts of these lines come to') });

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
        line: Type.Integer({ description: 'Of the file; the first is 1.' }),
        outcome: Type.Enum([...OUTCOMES], {
          description:
            '`paid` and `failed`: it is marked so, or would be. `already`: it was. `waiting`: the bank has not decided. `bad`: nothing is ' +
            'changed, and a person has to look at it.',
        }),
        payout: TextOrNull({ pattern: idPattern('pay'), description: 'Null if the line names none.' }),
        merchant: TextOrNull({ description: 'Slug of the merchant.' }),
        amount: ReaisOrNull('What the payout pays'),
        message: Type.String({ description: 'What was found, and what to do.' }),
      }),
      { description: 'In the order of the file.' },
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
