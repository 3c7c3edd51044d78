import { Type } from 'typebox';
import { type Day, saoPauloDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import { countWaitingOffers, isClerk, ownersOnly } from '#credit';
import { endpoint } from '#platform/http/endpoint.ts';
import { DayParameter } from '#platform/http/schemas.ts';
import type { Payouts } from '../payouts.ts';
import { MerchantSummary } from '../schemas.ts';
import { listDays } from '../summary.ts';
import { findNextPayout } from '../summary-store.ts';

export const getMerchantSummary = ({ db, clock }: Payouts) =>
  endpoint('GET /merchant/summary', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'getMerchantSummary',
    summary: 'Show what a day came to, and what is paid next',
    description: 'A clerk sees the day that it is, and nothing of payouts.',
    query: Type.Object({ on: Type.Optional(DayParameter('The day; today unless sent')) }),
    answers: { 200: { description: 'The day.', schema: MerchantSummary } },
    async handler(request) {
      const { caller } = request;
      const { merchantId } = caller;
      const now = clock.now();
      const today = saoPauloDay(now.getTime());
      const on = (request.query.on as Day | undefined) ?? today;
      if (isClerk(caller) && on !== today) throw ownersOnly();
      const [[day], waiting, next] = await Promise.all([
        listDays(db.shared, merchantId, { from: on, to: on }),
        countWaitingOffers(db.shared, merchantId, now),
        isClerk(caller) ? undefined : findNextPayout(db.shared, merchantId, today),
      ]);
      const { day: _, ...figures } = day!;
      const nextPayout = next && { amount: toReais(cents(next.amount_cents)), due_on: next.due_on };
      return { ...figures, waiting, next_payout: nextPayout ?? null };
    },
  });
