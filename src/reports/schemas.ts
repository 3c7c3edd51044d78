import { Type } from 'typebox';
import { AGES } from '#credit';
import { NumberOrNull, Reais, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const Day = (description: string, example = '2026-11-15') =>
  Type.String({ format: 'date', description, examples: [example] });

const on = Day('The report is as of the end of this day in São Paulo; of today, as of now.');
const workedOutAt = Timestamp({
  description:
    'Of a day that is over: when it was worked out from the facts. What is heard of it later is in the days after.',
});

const Standing = Type.Object({
  purchases: Type.Integer(),
  financed: Reais('What was bought for'),
  paid: Reais('What was paid of the installments'),
  returned: Reais('What the installments come to less since something was returned'),
  outstanding: Reais('What is left of the installments, penalties not counted'),
  written_off: Type.Integer({ description: 'How many of them are written off.' }),
  written_off_outstanding: Reais('What is outstanding on those'),
});

export const PortfolioReport = Type.Object(
  {
    on,
    worked_out_at: workedOutAt,
    open: Standing,
    overdue: Standing,
    paid: Standing,
    returned: Standing,
    total: Standing,
  },
  { $id: 'PortfolioReport' },
);

export const AgingReport = Type.Object(
  {
    on,
    worked_out_at: workedOutAt,
    data: Type.Array(
      Type.Object({
        days_late: Type.Enum([...AGES]),
        installments: Type.Integer(),
        outstanding: Reais('What is late of the installments, penalties not counted'),
        written_off: Reais('What of it is on purchases that are written off'),
      }),
    ),
    outstanding: Reais('All that is late'),
  },
  { $id: 'AgingReport' },
);

export const WeeklyReport = Type.Object(
  {
    on,
    worked_out_at: workedOutAt,
    data: Type.Array(
      Type.Object({
        week: Day('The Monday it begins with.', '2026-11-09'),
        expected: Reais('What falls due in it, extensions and returns included'),
        received: Reais(
          'What arrived in it by Pix or by hand, for whichever installment, penalties and fees included',
        ),
        refunded: Reais('What went back to payers in it'),
      }),
      { description: 'Eight weeks before the one of the day, that one, and four after it.' },
    ),
  },
  { $id: 'WeeklyReport' },
);

const cohort = {
  purchases: Type.Integer(),
  financed: Reais('What was bought for'),
  total: Reais('What was to be paid in all, as agreed'),
  paid: Reais('What was paid of the installments'),
  discount: Reais('What was given back for paying early'),
  returned: Reais('What the installments come to less since something was returned'),
  outstanding: Reais('What is left of the installments, penalties not counted'),
  overdue: Reais('What of that is late'),
  written_off: Reais('What of it is on purchases that are written off'),
  paid_percent: NumberOrNull({
    description: 'What was paid of what is to be paid after returns; null: nothing is.',
  }),
  overdue_percent: NumberOrNull({ description: 'What is late of the same.' }),
};

export const CohortsReport = Type.Object(
  {
    on,
    worked_out_at: workedOutAt,
    data: Type.Array(Type.Object({ week: Day('The Monday it begins with.', '2026-11-09'), ...cohort }), {
      description: 'Weeks in which something was bought, the latest first.',
    }),
    total: Type.Object(cohort),
  },
  { $id: 'CohortsReport' },
);

export const CashbackReport = Type.Object(
  {
    on,
    owed: Reais('What all customers have together, as the book says'),
    month: Type.Object(
      {
        earned: Reais('By paying in time'),
        referral: Reais('By inviting'),
        adjusted: Reais('By the operator'),
        redeemed: Reais('Spent, below zero'),
        expired: Reais('Below zero'),
        reversed: Reais('Taken back, below zero'),
      },
      { description: 'What came and went in the month of the day, up to it.' },
    ),
  },
  { $id: 'CashbackReport' },
);

const owed = {
  owed: Reais('In no payout yet'),
  due: Reais('What of that is due'),
  in_payouts: Reais('In payouts of which the bank has not told yet'),
};

export const MerchantsReport = Type.Object(
  {
    on,
    data: Type.Array(
      Type.Object({
        merchant: Type.String({ examples: ['padaria-flor-do-trigo'] }),
        name: Type.String({ examples: ['Padaria Flor do Trigo'] }),
        ...owed,
      }),
      {
        description: 'Those who are owed something, the most first.',
      },
    ),
    total: Type.Object(owed),
  },
  { $id: 'MerchantsReport' },
);

const Income = Type.Object({
  interest: Reais('The price of credit, when it is agreed, less discounts for paying early'),
  penalties: Reais('Fines and late interest that were paid'),
  extensions: Reais('Fees of extensions'),
  merchant_fees: Reais('What merchants paid'),
  cashback: Reais('What cashback cost, below zero'),
  losses: Reais('What was written off and not paid since, below zero'),
  total: Reais('All of it'),
});

export const IncomeReport = Type.Object(
  {
    on,
    month: Income,
    ever: Income,
  },
  { $id: 'IncomeReport', description: 'By the day on which it was written down in the book.' },
);

const conversion = {
  made: Type.Integer({ description: 'Codes that were made.' }),
  paid: Type.Integer({ description: 'Those that were paid by the end of the day.' }),
  paid_percent: NumberOrNull({ description: 'null: none was made.' }),
  made_value: Reais('What they asked for'),
  paid_value: Reais('What those that were paid asked for'),
};

export const PixReport = Type.Object(
  {
    on,
    from: Day('The first of the thirty days that end with it.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        type: Type.String({ examples: ['settle'] }),
        ...conversion,
        median_seconds: NumberOrNull({ description: 'How long half of those that were paid took at most.' }),
      }),
    ),
    total: Type.Object(conversion),
  },
  { $id: 'PixReport' },
);

export const AutopayReport = Type.Object(
  {
    on,
    from: Day('The first of the thirty days that end with it.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        try: Type.Integer({ description: 'On the first day, the second, ...' }),
        tried: Type.Integer({ description: 'Debits that the bank tried so often.' }),
        paid: Type.Integer({ description: 'Those that it paid on this try.' }),
        paid_percent: NumberOrNull(),
        paid_value: Reais('What those came to'),
      }),
    ),
    purchases: Type.Object(
      {
        open: Type.Integer({ description: 'Purchases that are not paid.' }),
        on_autopay: Type.Integer({ description: 'Authorisations in force.' }),
        percent: NumberOrNull({ description: 'null: none is open.' }),
      },
      { description: 'As of the day.' },
    ),
  },
  { $id: 'AutopayReport' },
);

export const RefusalsReport = Type.Object(
  {
    on,
    from: Day('The first of the thirty days that end with it.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Of the Pix network, or a word of ours.', examples: ['AM02'] }),
        words: Type.String({
          description: 'What the customer is told.',
          examples: ['Não havia saldo na conta.'],
        }),
        debits: Type.Integer(),
        failed: Type.Integer({ description: 'Those of which nothing came in the end.' }),
      }),
    ),
    debits: Type.Integer({ description: 'All that were refused.' }),
  },
  { $id: 'RefusalsReport' },
);

export const MessagesReport = Type.Object(
  {
    on,
    from: Day('The first of the seven days that end with it.', '2026-11-09'),
    data: Type.Array(
      Type.Object({
        channel: TextOrNull({ description: 'Of the last attempt; null: there was none.' }),
        status: Type.String({ examples: ['delivered'] }),
        reason: TextOrNull({ description: 'Why it failed, in the words of the provider.' }),
        messages: Type.Integer(),
      }),
    ),
    messages: Type.Integer({ description: 'All of them.' }),
  },
  { $id: 'MessagesReport' },
);

const heeded = {
  reminded: Type.Integer({ description: 'Installments of which a customer was reminded.' }),
  paid_within_a_day: Type.Integer({ description: 'Those that were paid in the 24 hours after it.' }),
  percent: NumberOrNull({ description: 'null: nobody was reminded.' }),
};

export const RemindersReport = Type.Object(
  {
    on,
    from: Day('The first of the seven days that end with it.', '2026-11-09'),
    data: Type.Array(
      Type.Object({ step: Type.Integer({ description: 'Days from the due day.' }), ...heeded }),
    ),
    total: Type.Object(heeded),
  },
  { $id: 'RemindersReport' },
);

export const ReportQuery = Type.Object({
  on: Type.Optional(
    Type.String({
      format: 'date',
      pattern: '^2[01]',
      description: 'A day in São Paulo, not after today; today unless sent.',
    }),
  ),
});
