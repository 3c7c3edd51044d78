import { putCalendarFeed } from '#messages';
import { endpoint } from '#platform/http/endpoint.ts';
import { randomBase62 } from '#platform/ids.ts';
import type { Calendars } from '../calendar.ts';
import { CalendarFeed } from '../schemas.ts';

const SECRET_LENGTH = 32;

export const postWalletCalendarFeed = ({ db, clock, publicUrl }: Calendars) =>
  endpoint('POST /wallet/calendar/feed', {
    access: { scope: 'wallet', customer: true },
    id: 'makeCalendarFeed',
    summary: 'Make a secret address for a calendar',
    description:
      'For the calendar of a phone or of a mail service, which reads it every few hours (iCalendar). Asking again makes it anew: the ' +
      'address of before answers 404 from then on.',
    answers: { 201: { description: 'The address. It is not shown again.', schema: CalendarFeed } },
    async handler(request) {
      const now = clock.now();
      const secret = randomBase62(SECRET_LENGTH);
      await db.transaction((tx) => putCalendarFeed(tx, request.caller.customerId, secret, now));
      return { url: `${publicUrl()}/calendar/${secret}.ics`, created_at: now.toISOString() };
    },
  });
