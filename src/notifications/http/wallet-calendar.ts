import { saoPauloDay } from '#core/values/day.ts';
import { cents, toReais } from '#core/values/money.ts';
import { deleteCalendarFeed, findCalendarFeed, replaceCalendarFeed } from '#messages';
import { endpoint } from '#platform/http/endpoint.ts';
import { randomBase62 } from '#platform/ids.ts';
import { type CalendarDeps, listUpcomingInstallments } from '../calendar.ts';
import { CalendarFeed, WalletCalendar } from '../schemas.ts';

export const getWalletCalendar = ({ db, clock }: CalendarDeps) =>
  endpoint('GET /wallet/calendar', {
    access: { scope: 'wallet', customer: true },
    id: 'getCalendar',
    summary: 'Get the calendar',
    responses: { 200: { description: 'The unpaid installments.', schema: WalletCalendar } },
    async handler(request) {
      const { customerId } = request.caller;
      const [installments, feed] = await Promise.all([
        listUpcomingInstallments(db, customerId, saoPauloDay(clock.now().getTime())),
        findCalendarFeed(db, customerId),
      ]);
      return {
        data: installments.map((installment) => ({
          installment_id: installment.id,
          checkout_hash: installment.checkout_hash,
          merchant: installment.merchant_name,
          number: installment.number,
          of: installment.installments_total,
          due_on: installment.due_on,
          effective_due_on: installment.effective_due_on,
          outstanding: toReais(cents(installment.outstanding_cents)),
        })),
        feed: feed ? { created_at: feed.created_at.toISOString() } : null,
      };
    },
  });

const SECRET_LENGTH = 32;

export const postWalletCalendarFeed = ({ db, clock, publicUrl }: CalendarDeps) =>
  endpoint('POST /wallet/calendar/feed', {
    access: { scope: 'wallet', customer: true },
    id: 'makeCalendarFeed',
    summary: 'Create a calendar feed',
    description:
      'Creates a secret URL (iCalendar) for a calendar app, which reads it every few hours. Creating it again replaces it: the previous URL ' +
      'then returns 404.',
    responses: { 201: { description: 'The URL. It is not returned again.', schema: CalendarFeed } },
    async handler(request) {
      const now = clock.now();
      const secret = randomBase62(SECRET_LENGTH);
      await db.transaction((tx) => replaceCalendarFeed(tx, request.caller.customerId, secret, now));
      return { url: `${publicUrl()}/calendar/${secret}.ics`, created_at: now.toISOString() };
    },
  });

export const deleteWalletCalendarFeed = ({ db }: CalendarDeps) =>
  endpoint('DELETE /wallet/calendar/feed', {
    access: { scope: 'wallet', customer: true },
    id: 'endCalendarFeed',
    summary: 'Delete the calendar feed',
    description: 'Idempotent.',
    responses: { 204: { description: 'The secret URL is deleted.' } },
    async handler(request) {
      await db.transaction((tx) => deleteCalendarFeed(tx, request.caller.customerId));
    },
  });
