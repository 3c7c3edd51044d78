import { Type } from 'typebox';
import { AGE_BUCKETS } from '#credit';
import {
  IntegerField,
  NumberOrNull,
  Reais,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';

const DayField = (description: string, example = '2026-11-15') =>
  Type.String({ format: 'date', description, examples: [example] });

const reportDay = DayField('The report is as of the end of this day in São Paulo, or as of now for today.');
const computedAt = Timestamp({
  description:
    'When the figures were computed. A past day is computed once: postings recorded later appear in the reports of later days.',
});

const PortfolioRow = Type.Object({
  purchases: Type.Integer(),
  financed: Reais('Financed amount'),
  paid: Reais('Paid amount of the installments'),
  returned: Reais('Reduction of the installments by returns'),
  outstanding: Reais('Outstanding amount without penalties'),
  written_off: Type.Integer({ description: 'Number of purchases that are written off.' }),
  written_off_outstanding: Reais('Outstanding amount of written-off purchases'),
});

export const PortfolioReport = Type.Object(
  {
    on: reportDay,
    worked_out_at: computedAt,
    open: PortfolioRow,
    overdue: PortfolioRow,
    paid: PortfolioRow,
    returned: PortfolioRow,
    total: PortfolioRow,
  },
  { $id: 'PortfolioReport' },
);

export const AgingReport = Type.Object(
  {
    on: reportDay,
    worked_out_at: computedAt,
    data: Type.Array(
      Type.Object({
        days_late: Type.Enum([...AGE_BUCKETS]),
        installments: Type.Integer(),
        outstanding: Reais('Overdue amount without penalties'),
        written_off: Reais('Overdue amount on written-off purchases'),
      }),
    ),
    outstanding: Reais('Total overdue amount'),
  },
  { $id: 'AgingReport' },
);

export const WeeklyReport = Type.Object(
  {
    on: reportDay,
    worked_out_at: computedAt,
    data: Type.Array(
      Type.Object({
        week: DayField('The Monday of the week.', '2026-11-09'),
        expected: Reais('Amounts due in the week, after extensions and returns'),
        received: Reais(
          'Payments in the week by Pix or recorded manually, for any installment, with penalties and fees',
        ),
        refunded: Reais('Refunds to payers in the week'),
      }),
      { description: 'The week of the day, eight weeks before it and four weeks after it.' },
    ),
  },
  { $id: 'WeeklyReport' },
);

const cohortFigures = {
  purchases: Type.Integer(),
  financed: Reais('Financed amount'),
  total: Reais('Agreed total of the installments'),
  paid: Reais('Paid amount of the installments'),
  discount: Reais('Discounts for early payment'),
  returned: Reais('Reduction of the installments by returns'),
  outstanding: Reais('Outstanding amount without penalties'),
  overdue: Reais('Overdue part of the outstanding amount'),
  written_off: Reais('Outstanding amount on written-off purchases'),
  paid_percent: NumberOrNull({
    description: 'Paid share of the total after returns; null if the total is zero.',
  }),
  overdue_percent: NumberOrNull({
    description: 'Overdue share of the total after returns; null if the total is zero.',
  }),
};

export const CohortsReport = Type.Object(
  {
    on: reportDay,
    worked_out_at: computedAt,
    data: Type.Array(
      Type.Object({ week: DayField('The Monday of the week.', '2026-11-09'), ...cohortFigures }),
      {
        description: 'Weeks with purchases, latest first.',
      },
    ),
    total: Type.Object(cohortFigures),
  },
  { $id: 'CohortsReport' },
);

export const CashbackReport = Type.Object(
  {
    on: reportDay,
    owed: Reais('Balance of all customers according to the ledger'),
    month: Type.Object(
      {
        earned: Reais('Earned by paying on time'),
        referral: Reais('Earned by invitations'),
        adjusted: Reais('Adjusted by the operator'),
        redeemed: Reais('Redeemed, negative'),
        expired: Reais('Expired, negative'),
        reversed: Reais('Reversed, negative'),
      },
      { description: 'Movements in the month up to the day.' },
    ),
  },
  { $id: 'CashbackReport' },
);

const owedToMerchantFigures = {
  owed: Reais('Owed amount that is not in a payout yet'),
  due: Reais('Part of the owed amount that is due'),
  in_payouts: Reais('Amount in payouts that the bank has not confirmed yet'),
};

export const MerchantsReport = Type.Object(
  {
    on: reportDay,
    data: Type.Array(
      Type.Object({
        merchant: Type.String({ examples: ['padaria-flor-do-trigo'] }),
        name: Type.String({ examples: ['Padaria Flor do Trigo'] }),
        ...owedToMerchantFigures,
      }),
      {
        description: 'Merchants with an amount owed, largest first.',
      },
    ),
    total: Type.Object(owedToMerchantFigures),
  },
  { $id: 'MerchantsReport' },
);

const Income = Type.Object({
  interest: Reais('Interest, posted when the purchase is made, minus discounts for early payment'),
  penalties: Reais('Paid fines and late interest'),
  extensions: Reais('Extension fees'),
  merchant_fees: Reais('Fees of merchants'),
  cashback: Reais('Cost of cashback, negative'),
  losses: Reais('Written-off amounts that were not paid since, negative'),
  total: Reais('Sum of all figures'),
});

export const IncomeReport = Type.Object(
  {
    on: reportDay,
    month: Income,
    ever: Income,
  },
  {
    $id: 'IncomeReport',
    description: 'Amounts are assigned to the day when they were posted in the ledger.',
  },
);

const conversionFigures = {
  made: Type.Integer({ description: 'Number of created codes.' }),
  paid: Type.Integer({ description: 'Number of codes that were paid by the end of the day.' }),
  paid_percent: NumberOrNull({ description: 'Paid share of the codes; null if no code was created.' }),
  made_value: Reais('Total amount of the created codes'),
  paid_value: Reais('Total amount of the paid codes'),
};

export const PixReport = Type.Object(
  {
    on: reportDay,
    from: DayField('The first day of the thirty days up to `on`.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        type: Type.String({ examples: ['settle'] }),
        ...conversionFigures,
        median_seconds: NumberOrNull({ description: 'Median time from creation to payment of paid codes.' }),
      }),
    ),
    total: Type.Object(conversionFigures),
  },
  { $id: 'PixReport' },
);

export const AutopayReport = Type.Object(
  {
    on: reportDay,
    from: DayField('The first day of the thirty days up to `on`.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        try: Type.Integer({ description: 'Number of the attempt: 1 on the first day, 2 on the second, ...' }),
        tried: Type.Integer({ description: 'Number of debits with this attempt.' }),
        paid: Type.Integer({ description: 'Number of debits that were paid on this attempt.' }),
        paid_percent: NumberOrNull({
          description: 'Percentage of the debits that were paid on this attempt.',
        }),
        paid_value: Reais('Amount paid on this attempt'),
      }),
    ),
    purchases: Type.Object(
      {
        open: Type.Integer({ description: 'Number of open purchases.' }),
        on_autopay: Type.Integer({ description: 'Number of active authorisations.' }),
        percent: NumberOrNull({ description: 'Share of open purchases; null if no purchase is open.' }),
      },
      { description: 'Purchases as of the day.' },
    ),
  },
  { $id: 'AutopayReport' },
);

export const RefusalsReport = Type.Object(
  {
    on: reportDay,
    from: DayField('The first day of the thirty days up to `on`.', '2026-10-17'),
    data: Type.Array(
      Type.Object({
        code: TextField('Reason code of the Pix network, or our own code.', 'AM02'),
        words: TextField('Explanation for the customer in Portuguese.', 'Não havia saldo na conta.'),
        debits: Type.Integer(),
        failed: Type.Integer({ description: 'Number of debits that failed permanently.' }),
      }),
    ),
    debits: Type.Integer({ description: 'Total number of refused debits.' }),
  },
  { $id: 'RefusalsReport' },
);

export const MessagesReport = Type.Object(
  {
    on: reportDay,
    from: DayField('The first day of the seven days up to `on`.', '2026-11-09'),
    data: Type.Array(
      Type.Object({
        channel: TextOrNull({ description: 'Channel of the last attempt; null if there was none.' }),
        status: Type.String({ examples: ['delivered'] }),
        reason: TextOrNull({ description: 'The provider’s reason for the failure.' }),
        messages: Type.Integer(),
      }),
    ),
    messages: Type.Integer({ description: 'Total number of messages.' }),
  },
  { $id: 'MessagesReport' },
);

const reminderFigures = {
  reminded: Type.Integer({ description: 'Number of installments with a reminder.' }),
  paid_within_a_day: IntegerField('Number of installments that were paid within 24 hours of the reminder.'),
  percent: NumberOrNull({
    description: 'Paid share of the reminded installments; null if there are none.',
  }),
};

export const RemindersReport = Type.Object(
  {
    on: reportDay,
    from: DayField('The first day of the seven days up to `on`.', '2026-11-09'),
    data: Type.Array(
      Type.Object({
        step: Type.Integer({ description: 'Days after the due day; negative before it.' }),
        ...reminderFigures,
      }),
    ),
    total: Type.Object(reminderFigures),
  },
  { $id: 'RemindersReport' },
);

const YEARS_2000_TO_2199 = '^2[01]';

export const ReportQuery = Type.Object({
  on: Type.Optional(
    Type.String({
      format: 'date',
      pattern: YEARS_2000_TO_2199,
      description: 'A day in São Paulo, not in the future; today if omitted.',
    }),
  ),
});
