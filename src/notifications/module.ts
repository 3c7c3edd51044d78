import { autopayFinder } from '#credit';
import { contactBook, messagesService } from '#messages';
import { defineModule } from '#module';
import { pixService } from '#pix';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { calendarFeedEndpoint } from './calendar.ts';
import { createOfferAcceptedPreparer, notificationHandlers } from './handlers.ts';
import * as endpoints from './http/wallet-calendar.ts';
import { createNotificationTasks, NOTIFICATIONS_CRON } from './jobs.ts';
import { createAutopayFailedPreparer, createReminderPreparer } from './reminders.ts';
import { notificationSettings } from './settings.ts';

export const notificationsModule = defineModule({
  name: 'notifications',
  settings: notificationSettings,
  eventHandlers: () => notificationHandlers,
  open(deps) {
    const { db } = deps;
    const reminderDeps = {
      ...deps,
      ...deps.settings,
      pix: deps.findService(pixService)!,
      findAutopay: deps.findService(autopayFinder)!,
    };
    const messages = deps.findService(messagesService)!;
    messages.onBeforeSend('reminder', createReminderPreparer(reminderDeps));
    messages.onBeforeSend('autopay_failed', createAutopayFailedPreparer(reminderDeps));
    messages.onBeforeSend('offer_accepted', createOfferAcceptedPreparer(db.shared));
    const calendarDeps = { ...deps, contacts: deps.findService(contactBook)! };
    const builtEndpoints = buildEndpoints(endpoints, calendarDeps);
    return {
      ...builtEndpoints,
      partner: [...builtEndpoints.partner, calendarFeedEndpoint(calendarDeps)],
      tasks: createNotificationTasks(reminderDeps),
      cron: NOTIFICATIONS_CRON,
    };
  },
});
