import { Type } from 'typebox';
import { addDays, type Day, daysBetween, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { countPendingOffers, isClerk, ownerRoleRequired } from '#credit';
import type { Deps } from '#module';
import { endpoint } from '#platform/http/endpoint.ts';
import { respondWithPages } from '#platform/http/list-query.ts';
import { LINK_HEADER, pageParameters } from '#platform/http/pagination.ts';
import { DayParameter } from '#platform/http/schemas.ts';
import { invalidField } from '#platform/problem.ts';
import { renderAccountLine } from '../render.ts';
import { AccountLine, AccountStatement, MerchantSummary, SalesByDay } from '../schemas.ts';
import { findNextPayout, listStatement, summarizeDays } from '../store.ts';

const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

export const getMerchantSalesByDay = ({ db, clock }: Deps) =>
  endpoint('GET /merchant/sales-by-day', {
    access: { scope: 'merchant', memberRole: 'owner' },
    id: 'listSalesByDay',
    summary: 'List your sales by day',
    description: `Sums for a chart. Defaults to the last ${DEFAULT_DAYS} days; at most ${MAX_DAYS} days.`,
    query: Type.Object({
      from: Type.Optional(DayParameter('The first day')),
      to: Type.Optional(DayParameter('The last day; defaults to today')),
    }),
    responses: { 200: { description: 'The days.', schema: SalesByDay } },
    async handler(request) {
      const to = (request.query.to as Day | undefined) ?? saoPauloDay(clock.now().getTime());
      const from = (request.query.from as Day | undefined) ?? addDays(to, 1 - DEFAULT_DAYS);
      const days = daysBetween(from, to) + 1;
      if (days < 1 || days > MAX_DAYS)
        throw invalidField('/from', {
          en: `must be on or before \`to\`, by at most ${MAX_DAYS} days`,
          pt: `deve ser até \`to\`, com no máximo ${MAX_DAYS} dias`,
        });
      return { data: await summarizeDays(db.shared, request.caller.merchantId, { from, to }) };
    },
  });

const FIRST_DAY = '2000-01-01' as Day;
const LAST_DAY = '2199-12-31' as Day;

export const getMerchantStatement = ({ db, publicUrl }: Deps) =>
  endpoint('GET /merchant/statement', {
    access: { scope: 'merchant', memberRole: 'owner' },
    id: 'getMerchantStatement',
    summary: 'List the lines of your statement',
    description:
      'Sales, fees, returns and payouts, newest first, with your balance after each line. Lines are only added, never changed.',
    query: Type.Object({
      ...pageParameters(),
      from: Type.Optional(DayParameter('On or after this day')),
      to: Type.Optional(DayParameter('On or before this day')),
    }),
    responses: {
      200: {
        description: 'A page of the statement.',
        schema: AccountStatement,
        headers: LINK_HEADER,
        csv: true,
      },
    },
    handler(request, reply) {
      const { from, to } = request.query;
      const days = {
        from: new Date(startOfDay((from as Day | undefined) ?? FIRST_DAY)),
        before: new Date(endOfDay((to as Day | undefined) ?? LAST_DAY)),
      };
      const { merchantId } = request.caller;
      return respondWithPages({ request, reply }, (range) => listStatement(db, merchantId, days, range), {
        item: AccountLine,
        path: `${publicUrl()}/merchant/statement`,
        render: (rows) => rows.map(renderAccountLine),
      });
    },
  });

export const getMerchantSummary = ({ db, clock }: Deps) =>
  endpoint('GET /merchant/summary', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'getMerchantSummary',
    summary: 'Get the summary of a day',
    description:
      'Sales and returns of the day, pending offers and the next payout. A clerk sees only today, without the payout.',
    query: Type.Object({ on: Type.Optional(DayParameter('The day; defaults to today')) }),
    responses: { 200: { description: 'The summary.', schema: MerchantSummary } },
    async handler(request) {
      const { caller } = request;
      const { merchantId } = caller;
      const now = clock.now();
      const today = saoPauloDay(now.getTime());
      const summaryDay = (request.query.on as Day | undefined) ?? today;
      if (isClerk(caller) && summaryDay !== today) throw ownerRoleRequired();
      const [[daySummary], pendingOfferCount, nextPayout] = await Promise.all([
        summarizeDays(db.shared, merchantId, { from: summaryDay, to: summaryDay }),
        countPendingOffers(db.shared, merchantId, now),
        isClerk(caller) ? undefined : findNextPayout(db.shared, merchantId, today),
      ]);
      const { day: _, ...figures } = daySummary!;
      const next_payout = nextPayout
        ? { amount: centsToReais(nextPayout.amount_cents), due_on: nextPayout.due_on }
        : null;
      return { ...figures, waiting: pendingOfferCount, next_payout };
    },
  });
