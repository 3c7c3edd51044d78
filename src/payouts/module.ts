import { merchantBalancesService, payeeTaxIdsLister } from '#credit';
import { messagesService } from '#messages';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { listPayeeTaxIds } from './account-store.ts';
import { payoutsAuditor } from './audit.ts';
import * as endpoints from './http/index.ts';
import { applyDueAccountChanges, createAccountMessagePreparer } from './payout-account.ts';
import { onCheckoutCreated, onCheckoutReturned } from './payouts.ts';
import { findBalance, lockBalance } from './store.ts';

export const payoutsModule = defineModule({
  name: 'payouts',
  tags: {
    staff: [
      {
        name: 'Payouts',
        paths: ['/admin/payouts', '/admin/merchants/:slug/payout-account'],
        description: 'Payouts to merchants and their payout accounts.',
      },
    ],
  },
  eventHandlers: () => ({
    'checkout.created': [onCheckoutCreated],
    'checkout.returned': [onCheckoutReturned],
  }),
  provides: [
    bindService(merchantBalancesService, { find: findBalance, lock: lockBalance }),
    bindService(payeeTaxIdsLister, listPayeeTaxIds),
  ],
  auditor: payoutsAuditor,
  open(deps) {
    deps
      .findService(messagesService)!
      .onBeforeSend('payout_account_changed', createAccountMessagePreparer(deps.db));
    return {
      ...buildEndpoints(endpoints, deps),
      tasks: { payout_accounts_sweep: () => applyDueAccountChanges(deps) },
      cron: [{ task: 'payout_accounts_sweep', match: '* * * * *', atStart: {}, afterClockMove: {} }],
    };
  },
});
