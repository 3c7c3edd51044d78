import { DAY_MS } from '#core/duration.ts';
import { contacts, messagesService } from '#messages';
import { defineModule } from '#module';
import { purgeOldAttempts } from '#platform/http/attempt-limits.ts';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { purgeOldMessageWindows } from '#platform/messages/message-caps.ts';
import { provided } from '#platform/service.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import { purgeOldChallenges } from './codes/store.ts';
import { customerChangeCommands } from './commands/customer-change.ts';
import { customerCreate } from './commands/customer-create.ts';
import { customerDataCommands } from './commands/customer-data.ts';
import { customerReadingCommands } from './commands/customer-list.ts';
import { customerReencrypt } from './commands/customer-reencrypt.ts';
import { customerStory } from './commands/customer-story.ts';
import { tokenKeyList, tokenKeyRotate } from './commands/token-key.ts';
import { customerContacts } from './contacts.ts';
import { creditUsage, openCustomers, overdueCustomers } from './customers.ts';
import { findCustomers } from './find-customers.ts';
import * as endpoints from './http/index.ts';
import { messageCounter, openMessageCounter } from './message-caps.ts';
import { canReach, messenger, openMessenger } from './messenger.ts';
import { customersData } from './personal-data.ts';
import {
  PHONE_CHANGES_CRON,
  phoneChangeTasks,
  prepareNotice,
  sweepPhoneChangesSoon,
} from './phone-changes/jobs.ts';
import { purgeClosedChanges } from './phone-changes/store.ts';
import { tokenProblems } from './problems.ts';
import { purgeOldAddresses } from './sessions/known-addresses.ts';
import { purgeEndedSessions, purgeSessions } from './sessions/store.ts';
import { customersSettings } from './settings.ts';
import { purgeSigningKeys } from './tokens/store.ts';

export const customersModule = defineModule({
  name: 'customers',
  settings: customersSettings,
  tags: {
    front: [
      {
        name: 'Login',
        paths: ['/wallet/auth', '/.well-known'],
        description:
          'How a customer becomes known: by password or by a code sent to the phone, with which a stranger signs up. Needs a key with the scope `wallet`.',
      },
      {
        name: 'Wallet',
        paths: ['/wallet'],
        description:
          'What the customer who is logged in sees and does. Needs the header `x-token` besides the key.',
      },
    ],
    staff: [
      {
        name: 'Customers',
        paths: ['/admin/customers'],
        description: 'Customers, as the operator registers and sees them.',
      },
    ],
  },
  guardProblems: { customer: tokenProblems },
  providesToCommands: (settings) => [
    provided(canReach, (phone) => canReceiveCodes(phone, settings().otpCountries)),
    provided(
      messageCounter,
      openMessageCounter(settings, () => undefined),
    ),
  ],
  personalData: customersData,
  provides: [provided(contacts, customerContacts)],
  commands: ({ events, find, personalData }) => [
    customerCreate(events, find(creditUsage)!),
    ...customerReadingCommands(find(creditUsage)!, find(overdueCustomers)!),
    customerStory(personalData),
    ...customerChangeCommands(find(creditUsage)!),
    ...customerDataCommands(find(creditUsage)!, personalData),
    customerReencrypt(personalData),
    tokenKeyRotate,
    tokenKeyList,
  ],
  open(deps) {
    const { db, events } = deps;
    const customers = openCustomers(deps);
    deps.provide(messenger, openMessenger(customers));
    deps.find(messagesService)!.prepare('phone_changed', prepareNotice(db));
    const catchUp = () => sweepPhoneChangesSoon(deps);
    deps.clock.onMove?.(() => void catchUp());
    return {
      ...openEndpoints(endpoints, { ...customers, events, personalData: deps.personalData }),
      search: findCustomers(customers),
      guard: (request, _reply, access) =>
        access !== 'open' && access.customer ? customers.guard(request, 'customer') : undefined,
      async isSessionOver(sessionId) {
        await customers.ended.whenCurrent();
        return customers.ended.has(sessionId);
      },
      tasks: phoneChangeTasks(customers),
      cron: PHONE_CHANGES_CRON,
      async housekeeping(now) {
        const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
        await purgeOldAttempts(db, now);
        await purgeOldMessageWindows(db, now);
        await purgeOldChallenges(db, daysAgo(1));
        await purgeEndedSessions(db, daysAgo(1));
        await purgeSessions(db, daysAgo(30));
        await purgeOldAddresses(db, daysAgo(30));
        await purgeSigningKeys(db, daysAgo(30));
        await purgeClosedChanges(db, daysAgo(30));
      },
      async start() {
        await customers.start();
        await catchUp();
      },
      stop: () => customers.stop(),
    };
  },
});
