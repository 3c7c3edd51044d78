import { DAY_MS } from '#core/values/duration.ts';
import { contactBook, messagesService } from '#messages';
import { defineModule } from '#module';
import { purgeOldAttempts } from '#platform/http/attempt-limits.ts';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { purgeOldMessageWindows } from '#platform/messages/message-caps.ts';
import { bindService } from '#platform/service.ts';
import { purgeOldChallenges } from './codes/store.ts';
import { reencryptCommand } from './commands/reencrypt.ts';
import { tokenKeyList, tokenKeyRotate } from './commands/token-key.ts';
import { createMessageLimits, customerContacts, messageLimits } from './contacts.ts';
import { createCustomersDeps } from './customers.ts';
import * as endpoints from './http/index.ts';
import { customersPersonalData } from './personal-data.ts';
import {
  createPhoneChangePreparer,
  PHONE_CHANGES_CRON,
  phoneChangeTasks,
} from './phone-changes/decide-change.ts';
import { purgeClosedChanges } from './phone-changes/store.ts';
import { tokenProblems } from './problems.ts';
import { createCustomerSearcher } from './search-customers.ts';
import { customerSessions, purgeOldAddresses } from './sessions/store.ts';
import { customersSettings } from './settings.ts';
import { purgeEndedSessions } from './tokens/ended-sessions.ts';
import { purgeSigningKeys } from './tokens/signing-keys.ts';

export const customersModule = defineModule({
  name: 'customers',
  settings: customersSettings,
  tags: {
    partner: [
      {
        name: 'Authentication',
        paths: ['/wallet/auth', '/.well-known'],
        firstRoutes: ['POST /wallet/auth/phone-check', 'POST /wallet/auth/login'],
        description:
          'Log in and sign up customers, with a password or a code sent to their phone. Requires a key with the scope `wallet`.',
      },
      {
        name: 'Wallet',
        paths: ['/wallet'],
        firstRoutes: [
          'GET /wallet/me',
          'GET /wallet/checkouts',
          'GET /wallet/checkouts/:hash',
          'POST /wallet/installments/:id/pix',
          'GET /wallet/cashback/balance',
          'GET /wallet/cashback/ledger',
          'GET /wallet/referral',
        ],
        description:
          'Data and actions of the logged-in customer. Requires the header `x-token` in addition to the key.',
      },
    ],
    staff: [
      {
        name: 'Customers',
        paths: ['/admin/customers'],
        description: 'Register, find and manage customers.',
      },
    ],
  },
  guardProblems: { customer: tokenProblems },
  personalData: customersPersonalData,
  provides: [bindService(contactBook, customerContacts)],
  commands: ({ personalData }) => [reencryptCommand(personalData), tokenKeyRotate, tokenKeyList],
  open(deps) {
    const { db } = deps;
    const customers = createCustomersDeps(deps);
    deps.provideService(messageLimits, createMessageLimits(customers));
    deps.findService(messagesService)!.onBeforeSend('phone_changed', createPhoneChangePreparer(db));
    return {
      ...buildEndpoints(endpoints, customers),
      search: createCustomerSearcher(customers),
      guard: (request, _reply, access) =>
        access !== 'open' && access.customer ? customers.guard(request, 'customer') : undefined,
      async hasSessionEnded(sessionId) {
        await customers.endedSessions.waitUntilCurrent();
        return customers.endedSessions.has(sessionId);
      },
      tasks: phoneChangeTasks(customers),
      cron: PHONE_CHANGES_CRON,
      async housekeeping(now) {
        const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
        await purgeOldAttempts(db, now);
        await purgeOldMessageWindows(db, now);
        await purgeOldChallenges(db, daysAgo(1));
        await purgeEndedSessions(db, daysAgo(1));
        await customerSessions.purge(db, daysAgo(30));
        await purgeOldAddresses(db, daysAgo(30));
        await purgeSigningKeys(db, daysAgo(30));
        await purgeClosedChanges(db, daysAgo(30));
      },
      start: () => customers.start(),
      stop: () => customers.stop(),
    };
  },
});
