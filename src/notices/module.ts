import { autopay } from '#credit';
import { contacts, messagesService } from '#messages';
import { defineModule } from '#module';
import { pixService } from '#pix';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { prepareAutopayFailed } from './autopay-failed.ts';
import { calendarFeed } from './calendar-feed.ts';
import { noticeHandlers, prepareAcceptance } from './handlers.ts';
import * as endpoints from './http/index.ts';
import { catchUpNotices, NOTICES_CRON, noticeTasks } from './jobs.ts';
import { prepareReminder } from './reminders.ts';
import { noticesSettings } from './settings.ts';

export const noticesModule = defineModule({
  name: 'notices',
  settings: noticesSettings,
  handlers: () => noticeHandlers,
  open(deps) {
    const { db, clock } = deps;
    const reminding = {
      ...deps,
      ...deps.settings,
      pix: deps.find(pixService)!,
      findAutopay: deps.find(autopay)!,
    };
    const messages = deps.find(messagesService)!;
    messages.prepare('reminder', prepareReminder(reminding));
    messages.prepare('autopay_failed', prepareAutopayFailed(reminding));
    messages.prepare('offer_accepted', prepareAcceptance(db.shared));
    clock.onMove?.(() => void catchUpNotices(deps));
    const calendars = { ...deps, contacts: deps.find(contacts)! };
    const opened = openEndpoints(endpoints, calendars);
    return {
      ...opened,
      front: [...opened.front, calendarFeed(calendars)],
      tasks: noticeTasks(reminding),
      cron: NOTICES_CRON,
    };
  },
});
