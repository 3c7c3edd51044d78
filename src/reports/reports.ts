import type { Static, TObject } from 'typebox';
import { addDays, type Day, endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import {
  AGES,
  findCreditFigures,
  isPaidBetween,
  mondayOf,
  NO_COHORT,
  sumReceived,
  weeksAround,
} from '#credit';
import { sumAccounts } from '#ledger';
import { sumMessages, sumReminders } from '#messages';
import { listOwedToMerchants } from '#payouts';
import { countAuthorised, inWords, sumCharges, sumRefunded, sumRefusals, sumTries } from '#pix';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import { validationFailed } from '#platform/problem.ts';
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

export type Reporting = { readonly db: Db; readonly clock: Clock };

type Report<S extends TObject> = {
  readonly schema: S;
  readonly summary: string;
  readonly description: string;
  make(reporting: Reporting, on: Day): Promise<Static<S>>;
};

/** Checks that `make` returns what the schema says. */
const report = <S extends TObject>(of: Report<S>): Report<S> => of;

/** For `reduce`: each figure of both together. */
const added = <Sums extends Record<string, number>>(all: Sums, more: Sums): Sums =>
  Object.fromEntries(Object.entries(all).map(([name, amount]) => [name, amount + more[name]!])) as Sums;
const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);
const monthOf = (on: Day): Day => `${on.slice(0, 8)}01` as Day;
/** One decimal; null of nothing. */
const percentOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const until = (on: Day) => new Date(endOfDay(on));
const NOTHING_OWED = { owed_cents: 0, due_cents: 0, in_payouts_cents: 0 };
const PIX_DAYS = 30;
const MESSAGE_DAYS = 7;

/** The day asked for, today by default. A day in the future is refused. */
export function dayOf(on: string | undefined, clock: Clock): Day {
  const today = saoPauloDay(clock.now().getTime());
  if (on !== undefined && on > today)
    throw validationFailed(
      [
        {
          pointer: '/on',
          message: { en: `must not be after ${today}`, pt: `não pode ser depois de ${today}` },
        },
      ],
      {
        en: 'A report is of today or of a day before it.',
        pt: 'Um relatório é de hoje ou de um dia anterior.',
      },
    );
  return (on as Day | undefined) ?? today;
}

/** Each module computes its own figures; a report combines them. */
export const REPORTS = {
  portfolio: report({
    schema: PortfolioReport,
    summary: 'Purchases by status',
    description:
      'How many, what they were for, and what is left to be paid. A purchase that was returned whole is in `returned` alone.',
    async make({ db, clock }, on) {
      const { figures, worked_out_at } = await findCreditFigures(db, on, clock, 'byStatus');
      const { open, overdue, paid, returned } = figures;
      const standing = (sums: typeof open) =>
        shown(PortfolioReport.properties.total, {
          ...sums,
          written_off_outstanding_cents: sums.written_off_cents,
        });
      return {
        on,
        worked_out_at: worked_out_at.toISOString(),
        open: standing(open),
        overdue: standing(overdue),
        paid: standing(paid),
        returned: standing(returned),
        total: standing([open, overdue, paid, returned].reduce(added)),
      };
    },
  }),
  aging: report({
    schema: AgingReport,
    summary: 'What is overdue, by how many days',
    description: 'Days since the effective due day.',
    async make({ db, clock }, on) {
      const { figures, worked_out_at } = await findCreditFigures(db, on, clock, 'byAge');
      const { items } = AgingReport.properties.data;
      const data = AGES.map((days_late) => shown(items, { days_late, ...figures[days_late] }));
      const late = reaisOf(total(Object.values(figures), (age) => age.outstanding_cents));
      return { on, worked_out_at: worked_out_at.toISOString(), data, outstanding: late };
    },
  }),
  weekly: report({
    schema: WeeklyReport,
    summary: 'What is expected and was received, by week',
    description: 'Expected is what falls due; received is what arrived, by when it did.',
    async make({ db, clock }, on) {
      const weeks = weeksAround(on);
      const since = new Date(startOfDay(weeks[0]!));
      const [{ figures, worked_out_at }, received, refunded] = await Promise.all([
        findCreditFigures(db, on, clock, 'expected'),
        sumReceived(db, since, until(on)),
        sumRefunded(db, since, until(on)),
      ]);
      const inWeek = <T extends { day: Day }>(rows: T[], week: Day, of: (row: T) => number) =>
        reaisOf(total(rows, (row) => (mondayOf(row.day) === week ? of(row) : 0)));
      const data = weeks.map((week) => ({
        week,
        expected: reaisOf(figures[week] ?? 0),
        received: inWeek(received, week, (row) => row.received_cents),
        refunded: inWeek(refunded, week, (row) => row.refunded_cents),
      }));
      return { on, worked_out_at: worked_out_at.toISOString(), data };
    },
  }),
  cohorts: report({
    schema: CohortsReport,
    summary: 'Purchases by the week in which they were made',
    description: 'And what became of each week’s: what was paid, is left, and is late.',
    async make({ db, clock }, on) {
      const { figures, worked_out_at } = await findCreditFigures(db, on, clock, 'cohorts');
      const standing = (sums: typeof NO_COHORT) => {
        const owed = sums.total_cents - sums.returned_cents;
        return shown(CohortsReport.properties.total, {
          ...sums,
          discount_cents: owed - sums.paid_cents - sums.outstanding_cents,
          paid_percent: percentOf(sums.paid_cents, owed),
          overdue_percent: percentOf(sums.overdue_cents, owed),
        });
      };
      const weeks = (Object.keys(figures) as Day[]).toSorted().toReversed();
      const data = weeks.map((week) => ({ week, ...standing(figures[week]!) }));
      const all = standing(Object.values(figures).reduce(added, NO_COHORT));
      return { on, worked_out_at: worked_out_at.toISOString(), data, total: all };
    },
  }),
  cashback: report({
    schema: CashbackReport,
    summary: 'Cashback that is owed to customers',
    description: 'And what came and went in the month.',
    async make({ db }, on) {
      const [accounts, movements] = await Promise.all([
        sumAccounts(db, { to: on }),
        sumMovements(db, new Date(startOfDay(monthOf(on))), until(on)),
      ]);
      const kinds = new Map<string, number>(movements.map(({ kind, amount_cents }) => [kind, amount_cents]));
      const of = (kind: string) => reaisOf(kinds.get(kind) ?? 0);
      return {
        on,
        owed: reaisOf(-(accounts.get('cashback_owed') ?? 0)),
        month: {
          earned: of('earned'),
          referral: of('referral'),
          adjusted: of('adjusted'),
          redeemed: of('redeemed'),
          expired: of('expired'),
          reversed: of('reversed'),
        },
      };
    },
  }),
  merchants: report({
    schema: MerchantsReport,
    summary: 'What merchants are owed',
    description: 'Sales less fees, returns and payouts.',
    async make({ db }, on) {
      const rows = await listOwedToMerchants(db, on, until(on));
      const owed = (sums: typeof NOTHING_OWED) => shown(MerchantsReport.properties.total, sums);
      const data = rows.map((row) => ({
        merchant: row.merchant_slug,
        name: row.merchant_name,
        ...owed(row),
      }));
      return { on, data, total: owed(rows.reduce(added, NOTHING_OWED)) };
    },
  }),
  income: report({
    schema: IncomeReport,
    summary: 'What was earned and lost',
    description:
      'In the month of the day up to it, and ever. By when it was written down, so a day that is over stays as it is.',
    async make({ db }, on) {
      const [month, ever] = await Promise.all([
        sumAccounts(db, { from: monthOf(on), to: on }),
        sumAccounts(db, { to: on }),
      ]);
      return { on, month: incomeOf(month), ever: incomeOf(ever) };
    },
  }),
  pix: report({
    schema: PixReport,
    summary: 'How many codes are paid',
    description: `Of those made in the ${PIX_DAYS} days that end with the day.`,
    async make({ db }, on) {
      const from = addDays(on, 1 - PIX_DAYS);
      const rows = await sumCharges(db, new Date(startOfDay(from)), until(on));
      const sums = (of: typeof rows) => {
        const [made, paid] = [total(of, (row) => row.made), total(of, (row) => row.paid)];
        return {
          made,
          paid,
          paid_percent: percentOf(paid, made),
          made_value: reaisOf(total(of, (row) => row.made_cents)),
          paid_value: reaisOf(total(of, (row) => row.paid_cents)),
        };
      };
      const data = rows.map((row) => ({
        type: row.type,
        ...sums([row]),
        median_seconds: row.median_seconds === null ? null : Math.round(row.median_seconds),
      }));
      return { on, from, data, total: sums(rows) };
    },
  }),
  autopay: report({
    schema: AutopayReport,
    summary: 'Who pays by debit, and on which try it works',
    description: `Purchases as of the day; debits of installments that fall due in the ${PIX_DAYS} days that end with it.`,
    async make({ db, clock }, on) {
      const from = addDays(on, 1 - PIX_DAYS);
      const [{ figures }, debited, rows] = await Promise.all([
        findCreditFigures(db, on, clock, 'byStatus'),
        countAuthorised(db, until(on)),
        sumTries(db, from, on),
      ]);
      const open = figures.open.purchases + figures.overdue.purchases;
      const data = rows.map(({ try: number, tried, paid, paid_cents }) => ({
        try: number,
        tried,
        paid,
        paid_percent: percentOf(paid, tried),
        paid_value: reaisOf(paid_cents),
      }));
      return { on, from, data, purchases: { open, on_autopay: debited, percent: percentOf(debited, open) } };
    },
  }),
  refusals: report({
    schema: RefusalsReport,
    summary: 'Why banks refused debits',
    description: `Of installments that fall due in the ${PIX_DAYS} days that end with the day; by what the bank said last of each.`,
    async make({ db }, on) {
      const from = addDays(on, 1 - PIX_DAYS);
      const rows = await sumRefusals(db, from, on);
      return {
        on,
        from,
        data: rows.map((row) => ({ ...row, words: inWords(row.code) })),
        debits: total(rows, (row) => row.debits),
      };
    },
  }),
  messages: report({
    schema: MessagesReport,
    summary: 'What became of messages',
    description: `Of those written in the ${MESSAGE_DAYS} days that end with the day, as is known now; of failures why.`,
    async make({ db }, on) {
      const from = addDays(on, 1 - MESSAGE_DAYS);
      const data = await sumMessages(db, new Date(startOfDay(from)), until(on));
      return { on, from, data, messages: total(data, (row) => row.messages) };
    },
  }),
  reminders: report({
    schema: RemindersReport,
    summary: 'How many pay within a day of a reminder',
    description: `Installments of which customers were reminded in the ${MESSAGE_DAYS} days that end with the day, by step.`,
    async make({ db }, on) {
      const from = addDays(on, 1 - MESSAGE_DAYS);
      const rows = await sumReminders(db, { from, to: on }, isPaidBetween);
      const sums = (of: typeof rows) => {
        const [reminded, paid] = [total(of, (row) => row.reminded), total(of, (row) => row.paid)];
        return { reminded, paid_within_a_day: paid, percent: percentOf(paid, reminded) };
      };
      return { on, from, data: rows.map((row) => ({ step: row.step, ...sums([row]) })), total: sums(rows) };
    },
  }),
};

export type ReportName = keyof typeof REPORTS;
export const REPORT_NAMES = Object.keys(REPORTS) as ReportName[];

/** In the ledger credits are negative. */
function incomeOf(accounts: ReadonlyMap<string, number>) {
  const of = (account: string) => -(accounts.get(account) ?? 0);
  const sources = {
    interest_cents: of('finance_income'),
    penalties_cents: of('penalty_income'),
    extensions_cents: of('extension_income'),
    merchant_fees_cents: of('fee_income'),
    cashback_cents: of('cashback_expense'),
    losses_cents: of('credit_losses'),
  };
  const total_cents = total(Object.values(sources), (amount) => amount);
  return shown(IncomeReport.properties.month, { ...sources, total_cents });
}
