import { DAY_MS } from '#core/duration.ts';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { agreementList, agreementPublish } from './commands/agreement.ts';
import { messageFailures, messageList, messageResend, messageTemplates } from './commands/message-lists.ts';
import { messageTest } from './commands/message-test.ts';
import * as endpoints from './http/index.ts';
import { MESSAGES_CRON, messageTasks, sweepSoon } from './jobs.ts';
import { contacts, openMessages } from './messages.ts';
import { messagesData } from './personal-data.ts';
import { purgeProviderMessages } from './reports.ts';
import { messagesSettings } from './settings.ts';
import { purgeOldMessages, purgeOldPhoneMessages } from './store.ts';
import { twilioCallback } from './twilio-callback.ts';

/** Evidence of what was said, for as long as a dispute may ask for it. */
const KEPT_DAYS = 730;
const PHONES_KEPT_DAYS = 90;

export const messagesModule = defineModule({
  name: 'messages',
  settings: messagesSettings,
  personalData: messagesData,
  tags: {
    staff: [
      {
        name: 'Messages',
        paths: ['/admin/messages', '/admin/message-templates'],
        description: 'What customers were told, by which channel, and whether it arrived.',
      },
      {
        name: 'Agreements',
        paths: ['/admin/agreements'],
        description: 'Terms of use and privacy notice, by version.',
      },
    ],
  },
  commands: ({ settings, find }) => [
    messageList(find(contacts)!),
    messageFailures,
    messageResend,
    messageTemplates(settings),
    messageTest(settings),
    agreementList,
    agreementPublish,
  ],
  open(deps) {
    const { db, clock } = deps;
    const outbound = openMessages(deps);
    const opened = openEndpoints(endpoints, outbound);
    clock.onMove?.(() => void sweepSoon(outbound));
    return {
      ...opened,
      front: [...opened.front, twilioCallback(outbound)],
      tasks: messageTasks(outbound),
      cron: MESSAGES_CRON,
      async housekeeping(now) {
        const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
        await purgeOldMessages(db, daysAgo(KEPT_DAYS));
        await purgeOldPhoneMessages(db, daysAgo(PHONES_KEPT_DAYS));
        await purgeProviderMessages(db, daysAgo(KEPT_DAYS));
      },
    };
  },
});
