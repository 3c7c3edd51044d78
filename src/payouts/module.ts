import { merchantBalances } from '#credit';
import { memberCodes } from '#members';
import { messagesService } from '#messages';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { ACCOUNTS_CRON, accountTasks, prepareAccountNotice, sweepAccountsSoon } from './account-jobs.ts';
import { payoutsAuditor } from './audit.ts';
import { payoutCommands } from './commands/payout.ts';
import * as endpoints from './http/index.ts';
import { onCheckoutCreated, onCheckoutReturned } from './on-sale.ts';
import { findBalance, lockBalance } from './store.ts';

export const payoutsModule = defineModule({
  name: 'payouts',
  tags: {
    staff: [
      {
        name: 'Payouts',
        paths: ['/admin/payouts', '/admin/merchants/:slug/payout-account'],
        description: 'What merchants are owed and paid.',
      },
    ],
  },
  handlers: () => ({
    'checkout.created': [onCheckoutCreated],
    'checkout.returned': [onCheckoutReturned],
  }),
  provides: [provided(merchantBalances, { find: findBalance, lock: lockBalance })],
  auditor: payoutsAuditor,
  commands: ({ events }) => payoutCommands(events),
  open(deps) {
    deps.find(messagesService)!.prepare('payout_account_changed', prepareAccountNotice(deps.db));
    const catchUp = () => sweepAccountsSoon(deps);
    deps.clock.onMove?.(() => void catchUp());
    return {
      ...openEndpoints(endpoints, { ...deps, checkMemberCode: deps.find(memberCodes)! }),
      tasks: accountTasks(deps),
      cron: ACCOUNTS_CRON,
      start: catchUp,
    };
  },
});
