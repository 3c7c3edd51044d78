import type { Static, TObject } from 'typebox';
import { addDays, type Day, endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import { AGES, findCreditFigures, isPaidBetween, mondayOf, sumReceived, weeksAround } from '#credit';
import { sumAccounts } from '#ledger';
import { sumMessages, sumReminders } from '#messages';
import { listOwedToMerchants } from '#payouts';
import { countAuthorised, inWords, sumCharges, sumRefunded, sumRefusals, sumTries } from '#pix';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
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

const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);
const monthOf = (on: Day): Day => `${on.slice(0, 8)}01` as Day;
/** One decimal; null of nothing. */
const percentOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const until = (on: Day) => new Date(endOfDay(on));
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
      const all = [open, overdue, paid, returned];
      const standing = (of: typeof all) => ({
        purchases: total(of, (row) => row.purchases),
        financed: reaisOf(total(of, (row) => row.financed_cents)),
        paid: reaisOf(total(of, (row) => row.paid_cents)),
        returned: reaisOf(total(of, (row) => row.returned_cents)),
        outstanding: reaisOf(total(of, (row) => row.outstanding_cents)),
        written_off: total(of, (row) => row.written_off),
        written_off_outstanding: reaisOf(total(of, (row) => row.written_off_cents)),
      });
      return {
        on,
        worked_out_at: worked_out_at.toISOString(),
        open: standing([open]),
        overdue: standing([overdue]),
        paid: standing([paid]),
        returned: standing([returned]),
        total: standing(all),
      };
    },
  }),
  aging: report({
    schema: AgingReport,
    summary: 'What is overdue, by how many days',
    description: 'Days since the effective due day.',
    async make({ db, clock }, on) {
      const { figures, worked_out_at } = await findCreditFigures(db, on, clock, 'byAge');
      const data = AGES.map((days_late) => {
        const { installments, outstanding_cents, written_off_cents } = figures[days_late];
        return {
          days_late,
          installments,
          outstanding: reaisOf(outstanding_cents),
          written_off: reaisOf(written_off_cents),
        };
      });
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
        reaisOf(
          total(
            rows.filter(({ day }) => mondayOf(day) === week),
            of,
          ),
        );
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
      const standing = (of: Array<(typeof figures)[Day]>) => {
        const [agreed, paid, returned, outstanding, overdue] = [
          total(of, (row) => row.total_cents),
          total(of, (row) => row.paid_cents),
          total(of, (row) => row.returned_cents),
          total(of, (row) => row.outstanding_cents),
          total(of, (row) => row.overdue_cents),
        ];
        const owed = agreed - returned;
        return {
          purchases: total(of, (row) => row.purchases),
          financed: reaisOf(total(of, (row) => row.financed_cents)),
          total: reaisOf(agreed),
          paid: reaisOf(paid),
          discount: reaisOf(agreed - paid - returned - outstanding),
          returned: reaisOf(returned),
          outstanding: reaisOf(outstanding),
          overdue: reaisOf(overdue),
          written_off: reaisOf(total(of, (row) => row.written_off_cents)),
          paid_percent: percentOf(paid, owed),
          overdue_percent: percentOf(overdue, owed),
        };
      };
      const weeks = (Object.keys(figures) as Day[]).toSorted().toReversed();
      const data = weeks.map((week) => ({ week, ...standing([figures[week]!]) }));
      return {
        on,
        worked_out_at: worked_out_at.toISOString(),
        data,
        total: standing(Object.values(figures)),
      };
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
        owed: reaisOf(-(accounts.get('cashback_owed') ?? 0) + 0),
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
      const sums = (of: typeof rows) => ({
        owed: reaisOf(total(of, (row) => row.owed_cents)),
        due: reaisOf(total(of, (row) => row.due_cents)),
        in_payouts: reaisOf(total(of, (row) => row.in_payouts_cents)),
      });
      const data = rows.map((row) => ({
        merchant: row.merchant_slug,
        name: row.merchant_name,
        ...sums([row]),
      }));
      return { on, data, total: sums(rows) };
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
  const of = (account: string) => -(accounts.get(account) ?? 0) + 0;
  const sources = {
    interest: of('finance_income'),
    penalties: of('penalty_income'),
    extensions: of('extension_income'),
    merchant_fees: of('fee_income'),
    cashback: of('cashback_expense'),
    losses: of('credit_losses'),
  };
  const all = total(Object.values(sources), (amount) => amount);
  return {
    interest: reaisOf(sources.interest),
    penalties: reaisOf(sources.penalties),
    extensions: reaisOf(sources.extensions),
    merchant_fees: reaisOf(sources.merchant_fees),
    cashback: reaisOf(sources.cashback),
    losses: reaisOf(sources.losses),
    total: reaisOf(all),
  };
}
