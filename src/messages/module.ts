import { DAY_MS } from '#core/values/duration.ts';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { purgeProviderMessageIds, twilioStatusEndpoint } from './delivery-reports.ts';
import * as endpoints from './http/index.ts';
import { createMessagingDeps } from './messages.ts';
import { messagesPersonalData } from './personal-data.ts';
import { createMessageTasks, MESSAGES_CRON } from './send.ts';
import { messagesSettings } from './settings.ts';
import { purgeOldMessages, purgeOldPhoneMessages } from './store.ts';

/** Messages are evidence in disputes with customers. */
const MESSAGE_RETENTION_DAYS = 730;
const PHONE_MESSAGE_RETENTION_DAYS = 90; // messages to a phone number, stored without a customer

export const messagesModule = defineModule({
  name: 'messages',
  settings: messagesSettings,
  personalData: messagesPersonalData,
  tags: {
    staff: [
      {
        name: 'Messages',
        paths: ['/admin/messages', '/admin/message-templates'],
        description: 'Messages to customers, their channels and their delivery status.',
      },
      {
        name: 'Agreements',
        paths: ['/admin/agreements'],
        description: 'Versions of the terms of use and the privacy notice.',
      },
    ],
  },
  open(deps) {
    const { db } = deps;
    const messagingDeps = createMessagingDeps(deps);
    const builtEndpoints = buildEndpoints(endpoints, messagingDeps);
    return {
      ...builtEndpoints,
      partner: [...builtEndpoints.partner, twilioStatusEndpoint(messagingDeps)],
      tasks: createMessageTasks(messagingDeps),
      cron: MESSAGES_CRON,
      async housekeeping(now) {
        const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
        await purgeOldMessages(db, daysAgo(MESSAGE_RETENTION_DAYS));
        await purgeOldPhoneMessages(db, daysAgo(PHONE_MESSAGE_RETENTION_DAYS));
        await purgeProviderMessageIds(db, daysAgo(MESSAGE_RETENTION_DAYS));
      },
    };
  },
});
