import type { Static, TObject } from 'typebox';
import { addDays, type Day, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import {
  AGE_BUCKETS,
  EMPTY_COHORT,
  findCreditFigures,
  listWeeksAround,
  reportNotReady,
  selectIsPaidBetween,
  sumReceived,
  toMonday,
} from '#credit';
import { enqueueClosingIfNeeded, sumAccounts } from '#ledger';
import { countMessagesByOutcome, countRemindersByStep } from '#messages';
import { listOwedToMerchants } from '#payouts';
import {
  countActiveAuthorisations,
  describeRejection,
  sumCharges,
  sumDebitAttempts,
  sumDebitRefusals,
  sumRefunded,
} from '#pix';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { invalidField } from '#platform/problem.ts';
import { sumMovements } from '#rewards';
import {
  AgingReport,
  AutopayReport,
  CashbackReport,
  CohortsReport,
  IncomeReport,
  MerchantsReport,
  MessagesReport,
  PixReport,
  PortfolioReport,
  RefusalsReport,
  RemindersReport,
  WeeklyReport,
} from './schemas.ts';

export type ReportDeps = { readonly db: Db; readonly clock: Clock };

type Report<S extends TObject> = {
  readonly schema: S;
  /** What the report is about, without a period at the end. */
  readonly subject: string;
  readonly description: string;
  compute(deps: ReportDeps, day: Day): Promise<Static<S>>;
};

/** Checks that the result of `compute` has the type of the schema. */
const defineReport = <S extends TObject>(report: Report<S>): Report<S> => report;

/** Adds two records of figures, field by field. */
const addFigures = <Sums extends Record<string, number>>(sums: Sums, figures: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, amount + figures[name]!])) as Sums;
const sumBy = <T>(rows: readonly T[], getValue: (row: T) => number) =>
  rows.reduce((sum, row) => sum + getValue(row), 0);
const toFirstOfMonth = (day: Day): Day => `${day.slice(0, 8)}01` as Day;
/** Returns a percentage with one decimal, or null if `whole` is zero. */
const computePercent = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const toEndOfDay = (day: Day) => new Date(endOfDay(day));
const NOTHING_OWED = { owed_cents: 0, due_cents: 0, in_payouts_cents: 0 };
const PIX_REPORT_DAYS = 30;
const MESSAGE_REPORT_DAYS = 7;

/** Returns the requested day, or today. Refuses a day in the future. */
export function resolveReportDay(requestedDay: string | undefined, clock: Clock): Day {
  const today = saoPauloDay(clock.now().getTime());
  if (requestedDay !== undefined && requestedDay > today)
    throw invalidField(
      '/on',
      { en: `must not be after ${today}`, pt: `não pode ser depois de ${today}` },
      {
        en: 'A report is about today or an earlier day.',
        pt: 'Um relatório é de hoje ou de um dia anterior.',
      },
    );
  return (requestedDay as Day | undefined) ?? today;
}

/** Each module computes its own figures, and a report combines them. */
export const REPORTS = {
  portfolio: defineReport({
    schema: PortfolioReport,
    subject: 'Purchases by status',
    description:
      'Returns the number of purchases and their amounts by status. A completely returned purchase is only in `returned`.',
    async compute({ db, clock }, day) {
      const { figures, worked_out_at } = await findCreditFigures(db, day, clock, 'byStatus');
      const { open, overdue, paid, returned } = figures;
      const toRow = (sums: typeof open) =>
        project(PortfolioReport.properties.total, {
          ...sums,
          written_off_outstanding_cents: sums.written_off_cents,
        });
      return {
        on: day,
        worked_out_at: worked_out_at.toISOString(),
        open: toRow(open),
        overdue: toRow(overdue),
        paid: toRow(paid),
        returned: toRow(returned),
        total: toRow([open, overdue, paid, returned].reduce(addFigures)),
      };
    },
  }),
  aging: defineReport({
    schema: AgingReport,
    subject: 'Overdue installments by days late',
    description: 'Days late are counted from the effective due day.',
    async compute({ db, clock }, day) {
      const { figures, worked_out_at } = await findCreditFigures(db, day, clock, 'byAge');
      const { items } = AgingReport.properties.data;
      const data = AGE_BUCKETS.map((days_late) => project(items, { days_late, ...figures[days_late] }));
      const outstanding = centsToReais(sumBy(Object.values(figures), (sums) => sums.outstanding_cents));
      return { on: day, worked_out_at: worked_out_at.toISOString(), data, outstanding };
    },
  }),
  weekly: defineReport({
    schema: WeeklyReport,
    subject: 'Expected and received amounts by week',
    description:
      'Expected amounts are in the week of their due day, received amounts in the week of the payment.',
    async compute({ db, clock }, day) {
      const weeks = listWeeksAround(day);
      const firstInstant = new Date(startOfDay(weeks[0]!));
      const [{ figures, worked_out_at }, receivedRows, refundedRows] = await Promise.all([
        findCreditFigures(db, day, clock, 'expected'),
        sumReceived(db, firstInstant, toEndOfDay(day)),
        sumRefunded(db, firstInstant, toEndOfDay(day)),
      ]);
      const sumWeek = <T extends { day: Day }>(rows: T[], week: Day, getCents: (row: T) => number) =>
        centsToReais(sumBy(rows, (row) => (toMonday(row.day) === week ? getCents(row) : 0)));
      const data = weeks.map((week) => ({
        week,
        expected: centsToReais(figures[week] ?? 0),
        received: sumWeek(receivedRows, week, (row) => row.received_cents),
        refunded: sumWeek(refundedRows, week, (row) => row.refunded_cents),
      }));
      return { on: day, worked_out_at: worked_out_at.toISOString(), data };
    },
  }),
  cohorts: defineReport({
    schema: CohortsReport,
    subject: 'Purchases by week of purchase',
    description: 'Includes the paid, outstanding and overdue amounts of each week.',
    async compute({ db, clock }, day) {
      const { figures, worked_out_at } = await findCreditFigures(db, day, clock, 'cohorts');
      const toRow = (sums: typeof EMPTY_COHORT) => {
        const totalAfterReturns = sums.total_cents - sums.returned_cents;
        return project(CohortsReport.properties.total, {
          ...sums,
          discount_cents: totalAfterReturns - sums.paid_cents - sums.outstanding_cents,
          paid_percent: computePercent(sums.paid_cents, totalAfterReturns),
          overdue_percent: computePercent(sums.overdue_cents, totalAfterReturns),
        });
      };
      const weeks = (Object.keys(figures) as Day[]).toSorted().toReversed();
      const data = weeks.map((week) => ({ week, ...toRow(figures[week]!) }));
      const totalRow = toRow(Object.values(figures).reduce(addFigures, EMPTY_COHORT));
      return { on: day, worked_out_at: worked_out_at.toISOString(), data, total: totalRow };
    },
  }),
  cashback: defineReport({
    schema: CashbackReport,
    subject: 'Cashback owed to customers',
    description: 'Includes the movements of the month.',
    async compute({ db, clock }, day) {
      await requireClosedDays(db, clock);
      const [centsByAccount, movements] = await Promise.all([
        sumAccounts(db, { to: day }),
        sumMovements(db, new Date(startOfDay(toFirstOfMonth(day))), toEndOfDay(day)),
      ]);
      const centsByKind = new Map<string, number>(
        movements.map(({ kind, amount_cents }) => [kind, amount_cents]),
      );
      const getMonthSum = (kind: string) => centsToReais(centsByKind.get(kind) ?? 0);
      return {
        on: day,
        owed: centsToReais(-(centsByAccount.get('cashback_owed') ?? 0)),
        month: {
          earned: getMonthSum('earned'),
          referral: getMonthSum('referral'),
          adjusted: getMonthSum('adjusted'),
          redeemed: getMonthSum('redeemed'),
          expired: getMonthSum('expired'),
          reversed: getMonthSum('reversed'),
        },
      };
    },
  }),
  merchants: defineReport({
    schema: MerchantsReport,
    subject: 'Amounts owed to merchants',
    description: 'The amount owed is the sales minus fees, returns and payouts.',
    async compute({ db }, day) {
      const rows = await listOwedToMerchants(db, day, toEndOfDay(day));
      const toRow = (sums: typeof NOTHING_OWED) => project(MerchantsReport.properties.total, sums);
      const data = rows.map((row) => ({
        merchant: row.merchant_slug,
        name: row.merchant_name,
        ...toRow(row),
      }));
      return { on: day, data, total: toRow(rows.reduce(addFigures, NOTHING_OWED)) };
    },
  }),
  income: defineReport({
    schema: IncomeReport,
    subject: 'Income and losses',
    description:
      'Covers the month up to the day, and all time. Amounts are assigned to the day of their posting, so past days do not change.',
    async compute({ db, clock }, day) {
      await requireClosedDays(db, clock);
      const [monthSums, allTimeSums] = await Promise.all([
        sumAccounts(db, { from: toFirstOfMonth(day), to: day }),
        sumAccounts(db, { to: day }),
      ]);
      return { on: day, month: toIncome(monthSums), ever: toIncome(allTimeSums) };
    },
  }),
  pix: defineReport({
    schema: PixReport,
    subject: 'Share of PIX codes that are paid',
    description: `Covers the codes that were created in the ${PIX_REPORT_DAYS} days up to the day.`,
    async compute({ db }, day) {
      const from = addDays(day, 1 - PIX_REPORT_DAYS);
      const rows = await sumCharges(db, new Date(startOfDay(from)), toEndOfDay(day));
      const summarize = (selectedRows: typeof rows) => {
        const createdCount = sumBy(selectedRows, (row) => row.made);
        const paidCount = sumBy(selectedRows, (row) => row.paid);
        return {
          made: createdCount,
          paid: paidCount,
          paid_percent: computePercent(paidCount, createdCount),
          made_value: centsToReais(sumBy(selectedRows, (row) => row.made_cents)),
          paid_value: centsToReais(sumBy(selectedRows, (row) => row.paid_cents)),
        };
      };
      const data = rows.map((row) => ({
        type: row.type,
        ...summarize([row]),
        median_seconds: row.median_seconds === null ? null : Math.round(row.median_seconds),
      }));
      return { on: day, from, data, total: summarize(rows) };
    },
  }),
  autopay: defineReport({
    schema: AutopayReport,
    subject: 'Purchases on autopay, and debits by attempt',
    description: `Covers purchases as of the day, and debits of installments that are due in the ${PIX_REPORT_DAYS} days up to it.`,
    async compute({ db, clock }, day) {
      const from = addDays(day, 1 - PIX_REPORT_DAYS);
      const [{ figures }, autopayCount, rows] = await Promise.all([
        findCreditFigures(db, day, clock, 'byStatus'),
        countActiveAuthorisations(db, toEndOfDay(day)),
        sumDebitAttempts(db, from, day),
      ]);
      const openCount = figures.open.purchases + figures.overdue.purchases;
      const data = rows.map(({ try: attempt, tried, paid, paid_cents }) => ({
        try: attempt,
        tried,
        paid,
        paid_percent: computePercent(paid, tried),
        paid_value: centsToReais(paid_cents),
      }));
      return {
        on: day,
        from,
        data,
        purchases: {
          open: openCount,
          on_autopay: autopayCount,
          percent: computePercent(autopayCount, openCount),
        },
      };
    },
  }),
  refusals: defineReport({
    schema: RefusalsReport,
    subject: 'Why banks refused debits',
    description: `Covers debits of installments that are due in the ${PIX_REPORT_DAYS} days up to the day, by the last reason of the bank.`,
    async compute({ db }, day) {
      const from = addDays(day, 1 - PIX_REPORT_DAYS);
      const rows = await sumDebitRefusals(db, from, day);
      return {
        on: day,
        from,
        data: rows.map((row) => ({ ...row, words: describeRejection(row.code) })),
        debits: sumBy(rows, (row) => row.debits),
      };
    },
  }),
  messages: defineReport({
    schema: MessagesReport,
    subject: 'Messages by status',
    description: `Covers the messages of the ${MESSAGE_REPORT_DAYS} days up to the day, with their current status and the reasons of failures.`,
    async compute({ db }, day) {
      const from = addDays(day, 1 - MESSAGE_REPORT_DAYS);
      const data = await countMessagesByOutcome(db, new Date(startOfDay(from)), toEndOfDay(day));
      return { on: day, from, data, messages: sumBy(data, (row) => row.messages) };
    },
  }),
  reminders: defineReport({
    schema: RemindersReport,
    subject: 'Installments that are paid within a day of a reminder',
    description: `Covers installments with a reminder in the ${MESSAGE_REPORT_DAYS} days up to the day, by step.`,
    async compute({ db }, day) {
      const from = addDays(day, 1 - MESSAGE_REPORT_DAYS);
      const rows = await countRemindersByStep(db, { from, to: day }, selectIsPaidBetween);
      const summarize = (selectedRows: typeof rows) => {
        const remindedCount = sumBy(selectedRows, (row) => row.reminded);
        const paidCount = sumBy(selectedRows, (row) => row.paid);
        const percent = computePercent(paidCount, remindedCount);
        return { reminded: remindedCount, paid_within_a_day: paidCount, percent };
      };
      return {
        on: day,
        from,
        data: rows.map((row) => ({ step: row.step, ...summarize([row]) })),
        total: summarize(rows),
      };
    },
  }),
};

export type ReportName = keyof typeof REPORTS;
export const REPORT_NAMES = Object.keys(REPORTS) as ReportName[];

/** Refuses the report while a job closes many days, for example after an import: the request would have to sum all their postings. */
async function requireClosedDays(db: Db, clock: Clock): Promise<void> {
  const closedPercent = await enqueueClosingIfNeeded(db, clock.now());
  if (closedPercent !== null) throw reportNotReady(closedPercent);
}

/** Converts sums of ledger accounts, which store credits as negative amounts. */
function toIncome(centsByAccount: ReadonlyMap<string, number>) {
  const getIncome = (account: string) => -(centsByAccount.get(account) ?? 0);
  const sources = {
    interest_cents: getIncome('finance_income'),
    penalties_cents: getIncome('penalty_income') + getIncome('penalties_waived'),
    extensions_cents: getIncome('extension_income'),
    merchant_fees_cents: getIncome('fee_income'),
    cashback_cents: getIncome('cashback_expense'),
    losses_cents: getIncome('credit_losses'),
  };
  const total_cents = sumBy(Object.values(sources), (amount) => amount);
  return project(IncomeReport.properties.month, { ...sources, total_cents });
}
