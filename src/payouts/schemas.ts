import { type TProperties, type TSchemaOptions, Type } from 'typebox';
import { ChallengeId, Code } from '#customers';
import { CheckoutHashOrNull } from '#events';
import { PersonalOrNull } from '#platform/http/masking.ts';
import { PageOf, Pagination } from '#platform/http/pagination.ts';
import {
  Day,
  DayParameter,
  Id,
  IdOrNull,
  NullableObject,
  Reais,
  ReaisOrNull,
  StrictObject,
  slugParams,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { MERCHANT_NOT_FOUND } from './problems.ts';
import { LINE_KINDS, PAYOUT_STATUSES } from './store.ts';

/** The outcomes of a line of the bank's return file. */
export const RETURN_LINE_OUTCOMES = ['paid', 'failed', 'already', 'waiting', 'bad'] as const;
export type ReturnLineOutcome = (typeof RETURN_LINE_OUTCOMES)[number];

export const Payout = Type.Object(
  {
    id: Id('pay'),
    merchant: Type.String({ description: 'Slug of the merchant.', examples: ['padaria-flor-do-trigo'] }),
    amount: Reais('Paid amount', { examples: [1980.5] }),
    status: Type.Enum([...PAYOUT_STATUSES], {
      description: '`failed`: the merchant is owed the amount again, and the next batch pays it.',
      examples: ['paid'],
    }),
    due_on: Day('The latest due day of the lines that the payout settles'),
    created_at: Timestamp(),
    paid_at: TextOrNull({ format: 'date-time', examples: ['2026-11-17T18:20:11.000Z'] }),
    reference: TextOrNull({
      description: 'Reference of the bank, once the payout is paid.',
      examples: ['TED 482913'],
    }),
    failed_at: TextOrNull({ format: 'date-time' }),
    reason: TextOrNull({ description: 'Reason of the failure.' }),
  },
  { $id: 'Payout' },
);

const ACCOUNT_FIELDS = {
  pix_key: { description: 'The Pix key of the account.', examples: ['11222333000181'] },
  holder_name: { description: 'Name of the account holder.', examples: ['Padaria Flor do Trigo Ltda'] },
  tax_id: { description: 'CNPJ or CPF of the account holder, digits only.', examples: ['11222333000181'] },
};
const personalAccountField = (options: TSchemaOptions) =>
  PersonalOrNull('text', { unmaskedFor: ['finance'], ...options });
const accountView = {
  pix_key: personalAccountField(ACCOUNT_FIELDS.pix_key),
  holder_name: personalAccountField(ACCOUNT_FIELDS.holder_name),
  tax_id: personalAccountField(ACCOUNT_FIELDS.tax_id),
};
const ownAccountView = {
  pix_key: TextOrNull(ACCOUNT_FIELDS.pix_key),
  holder_name: TextOrNull(ACCOUNT_FIELDS.holder_name),
  tax_id: TextOrNull({ ...ACCOUNT_FIELDS.tax_id, pattern: '^([0-9]{11}|[0-9]{14})$' }),
};

const addPendingChange = <P extends TProperties>(fields: P) => ({
  ...fields,
  change: NullableObject(
    {
      ...fields,
      asked_at: Timestamp(),
      counts_at: Timestamp({ description: 'When the change takes effect unless it is cancelled before.' }),
    },
    { description: 'The pending change that an owner of the merchant requested.' },
  ),
});

export const PayoutAccount = Type.Object(addPendingChange(accountView), { $id: 'PayoutAccount' });
export const OwnPayoutAccount = Type.Object(addPendingChange(ownAccountView), { $id: 'OwnPayoutAccount' });

const accountFormFields = {
  pix_key: Type.String({
    pattern: '^[\\x21-\\x7e]{1,77}$',
    description: 'CPF, CNPJ, phone, e-mail or random key, as registered at the bank.',
    examples: ['11222333000181'],
  }),
  holder_name: Text(200, {
    description: 'Name of the account holder.',
    examples: ['Padaria Flor do Trigo Ltda'],
  }),
  tax_id: Type.String({
    pattern: '^[0-9./-]{11,18}$',
    description: 'CNPJ or CPF of the account holder.',
    examples: ['11.222.333/0001-81'],
  }),
};
export const PayoutAccountForm = StrictObject(accountFormFields, { $id: 'PayoutAccountForm' });

export const OwnPayoutAccountForm = StrictObject(
  { ...accountFormFields, challenge_id: ChallengeId, code: Code },
  { $id: 'OwnPayoutAccountForm' },
);

const { id, merchant, ...otherPayoutFields } = Payout.properties;

/** A payout with the account to which it is paid, and its number in files for the bank. */
export const StaffPayoutItem = Type.Object(
  {
    id,
    merchant,
    merchant_name: TextField('Name of the merchant at the latest settled sale.', 'Padaria Flor do Trigo'),
    ...otherPayoutFields,
    ...accountView,
    bank_number: Type.String({
      pattern: '^[0-9A-Z]{20}$',
      description:
        'Number of the payout in files for the bank ("seu número" in CNAB 240): the last 20 characters of the id, in upper case.',
      examples: ['V9E2R4S6T8W0Y2A4C6E8'],
    }),
  },
  { $id: 'StaffPayoutItem' },
);

const lineFields = {
  id: Id('mln'),
  kind: Type.Enum([...LINE_KINDS], {
    description:
      'A `sale` and its `fee`; a `return` and the refund of its fee, `return_fee`; a `payout`, and the reversal of a failed payout, ' +
      '`payout_failed`.',
  }),
  amount: Reais('Positive if the merchant is owed more, negative if less', { examples: [120] }),
  checkout_hash: CheckoutHashOrNull('The sale of the line, if any.'),
  of_payout: IdOrNull('pay', {
    description: 'The payout that a line of kind `payout` or `payout_failed` records. Null for other kinds.',
  }),
  due_on: Day('The first day on which a payout includes the line'),
  occurred_at: Timestamp(),
};

export const PayoutLine = Type.Object(lineFields, { $id: 'PayoutLine' });

export const AccountLine = Type.Object(
  {
    ...lineFields,
    settled_by: IdOrNull('pay', {
      description: 'The payout that settled the line; null if it is not settled yet.',
    }),
    balance_after: Reais('Balance of the merchant after the line, due or not', { examples: [412.4] }),
  },
  { $id: 'AccountLine' },
);

export const PayoutPage = PageOf(Payout, 'PayoutPage');

export const PayoutWithLines = Type.Object(
  {
    ...Payout.properties,
    lines: Type.Array(PayoutLine, {
      description: 'A page of the settled lines. All settled lines add up to the amount of the payout.',
    }),
    pagination: Pagination,
  },
  { $id: 'PayoutWithLines' },
);

export const AccountStatement = PageOf(AccountLine, 'AccountStatement');

const daySalesFields = {
  sales: Type.Integer({ description: 'Number of sales.', examples: [7] }),
  sold: Reais('Sold amount', { examples: [842.5] }),
  returned: Reais('Returned amount, regardless of the day of sale', { examples: [40] }),
};

export const MerchantSummary = Type.Object(
  {
    ...daySalesFields,
    waiting: Type.Integer({ description: 'Number of pending offers now.', examples: [1] }),
    next_payout: Type.Unsafe<{ amount: number; due_on: string } | null>({
      anyOf: [
        Type.Object({
          amount: Reais('Amount of the next payout', { examples: [1980.5] }),
          due_on: Day('The due day'),
        }),
        { type: 'null' },
      ],
      description: 'The next payout. Null if nothing is owed, or if the caller is a clerk.',
    }),
  },
  { $id: 'MerchantSummary' },
);

export const SalesByDay = Type.Object(
  {
    data: Type.Array(Type.Object({ day: Day('The day'), ...daySalesFields }), {
      description: 'Every day in order, including days without sales.',
    }),
  },
  { $id: 'SalesByDay' },
);

export const PayoutParams = Type.Object({ id: Id('pay', { description: 'The id of the payout.' }) });

/** Path parameters and 404 text of the endpoints for one payout. */
export const payoutRoute = {
  params: PayoutParams,
  notFound: { en: 'No payout has this id.', pt: 'Nenhum repasse tem este id.' },
};

/** Path parameters and 404 text of the endpoints for one merchant. */
export const merchantRoute = { params: slugParams('padaria-flor-do-trigo'), notFound: MERCHANT_NOT_FOUND };

export const PayoutBatch = StrictObject(
  { until: Type.Optional(DayParameter('Include amounts due on or before this day; defaults to today')) },
  { $id: 'PayoutBatch', examples: [{ until: '2026-11-17' }] },
);

export const PayoutPaidForm = StrictObject(
  { reference: Text(100, { description: 'Reference of the bank.', examples: ['TED 482913'] }) },
  { $id: 'PayoutPaid' },
);

export const PayoutFailedForm = StrictObject(
  { reason: Text(200, { description: 'Reason of the failure.', examples: ['Conta encerrada'] }) },
  { $id: 'PayoutFailed' },
);

const LineTotals = (exampleCount: number) =>
  Type.Object({
    lines: Type.Integer({ examples: [exampleCount] }),
    amount: Reais('Sum of the payouts of these lines', { examples: [1980.5 * exampleCount] }),
  });

export const ReturnFileOutcome = Type.Object(
  {
    totals: Type.Object({
      paid: LineTotals(1),
      failed: LineTotals(0),
      already: LineTotals(0),
      waiting: LineTotals(0),
      bad: LineTotals(0),
    }),
    data: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line number in the file; the first is 1.', examples: [2] }),
        outcome: Type.Enum([...RETURN_LINE_OUTCOMES], {
          description:
            '`paid` and `failed`: the payout is marked as such. `already`: it was marked as such before. `waiting`: the bank has no result yet. ' +
            '`bad`: nothing is changed, and a person must check the line.',
        }),
        payout: IdOrNull('pay', {
          description: 'The payout; null if the line identifies no payout.',
          examples: ['pay_01kfx3v9e2r4s6t8w0y2a4c6e8'],
        }),
        merchant: TextOrNull({ description: 'Slug of the merchant.', examples: ['padaria-flor-do-trigo'] }),
        amount: ReaisOrNull('Amount of the payout', { examples: [1980.5] }),
        message: Type.String({
          description: 'The result, and what to do.',
          examples: ["Paid by the bank as 'TED 482913'."],
        }),
      }),
      { description: 'The lines in the order of the file.' },
    ),
  },
  { $id: 'ReturnFileOutcome' },
);
