import { saoPauloDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import { findCalendarFeed } from '#messages';
import { endpoint } from '#platform/http/endpoint.ts';
import { type Calendars, listAhead } from '../calendar.ts';
import { WalletCalendar } from '../schemas.ts';

export const getWalletCalendar = ({ db, clock }: Calendars) =>
  endpoint('GET /wallet/calendar', {
    access: { scope: 'wallet', customer: true },
    id: 'getCalendar',
    summary: 'What falls due, by day',
    answers: { 200: { description: 'The calendar.', schema: WalletCalendar } },
    async handler(request) {
      const { customerId } = request.caller;
      const [due, feed] = await Promise.all([
        listAhead(db, customerId, saoPauloDay(clock.now().getTime())),
        findCalendarFeed(db, customerId),
      ]);
      return {
        data: due.map((one) => ({
          installment_id: one.id,
          checkout_hash: one.checkout_hash,
          merchant: one.merchant_name,
          number: one.number,
          of: one.installments_total,
          due_on: one.due_on,
          effective_due_on: one.effective_due_on,
          outstanding: toReais(cents(one.outstanding_cents)),
        })),
        feed: feed ? { created_at: feed.created_at.toISOString() } : null,
      };
    },
  });
