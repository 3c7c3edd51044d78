import { Type } from 'typebox';
import { saoPauloDay } from '#core/values/day.ts';
import { cents, toReais } from '#core/values/money.ts';
import { CHECKOUT_HASH_PATTERN } from '#credit';
import { deleteCalendarFeed, findCalendarFeed, replaceCalendarFeed } from '#messages';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, NullableObject, Reais, TextField, Timestamp } from '#platform/http/schemas.ts';
import { randomBase62 } from '#platform/ids.ts';
import { type CalendarDeps, listUpcomingInstallments } from '../calendar.ts';

const DayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-22'] });

const DueDay = Type.Object({
  installment_id: Id('ins'),
  checkout_hash: Type.String({ pattern: CHECKOUT_HASH_PATTERN, examples: ['3kTMd9vR2xYb7LqWn0PzAh'] }),
  merchant: Type.String({ examples: ['Padaria Flor do Trigo'] }),
  number: Type.Integer(),
  of: Type.Integer({ description: 'Number of installments of the purchase.' }),
  due_on: DayField('The agreed due day, or the new one after an extension.'),
  effective_due_on: DayField('The last day on which the installment is not late.'),
  outstanding: Reais('Outstanding amount without penalties'),
});

const WalletCalendar = Type.Object(
  {
    data: Type.Array(DueDay, { description: 'All unpaid installments, longest due first.' }),
    feed: NullableObject(
      { created_at: Timestamp() },
      { description: 'The secret URL for calendar apps; null if there is none.' },
    ),
  },
  { $id: 'WalletCalendar' },
);

const CalendarFeed = Type.Object(
  {
    url: TextField(
      'The secret URL, returned only once. It gives access to merchants, numbers and amounts of installments.',
      'https://api.semana.example/calendar/3kTMd9vR2xYb7LqWn0PzAh3kTMd9vR2x.ics',
    ),
    created_at: Timestamp(),
  },
  { $id: 'CalendarFeed' },
);

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
