import { deleteCalendarFeed } from '#messages';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Calendars } from '../calendar.ts';

export const deleteWalletCalendarFeed = ({ db }: Calendars) =>
  endpoint('DELETE /wallet/calendar/feed', {
    access: { scope: 'wallet', customer: true },
    id: 'endCalendarFeed',
    summary: 'End the secret address of the calendar',
    description: 'Again, it changes nothing.',
    answers: { 204: { description: 'It is ended.' } },
    async handler(request) {
      await db.transaction((tx) => deleteCalendarFeed(tx, request.caller.customerId));
    },
  });
