import { merchantCache } from '#catalog';
import { creditUsage } from '#customers';
import { defineModule, provided } from '#module';
import { lateEntryMs } from './approve-purchase.ts';
import { creditAuditor } from './audit.ts';
import { checkoutCreate } from './commands/checkout-create.ts';
import { checkoutReturn } from './commands/checkout-return.ts';
import { getAdminCheckoutsHash } from './http/get-admin-checkouts-hash.ts';
import { getWalletCheckouts } from './http/get-wallet-checkouts.ts';
import { getWalletCheckoutsHash } from './http/get-wallet-checkouts-hash.ts';
import { postAdminCheckouts } from './http/post-admin-checkouts.ts';
import { postAdminCheckoutsHashReturns } from './http/post-admin-checkouts-hash-returns.ts';
import { postMerchantCheckoutsHashReturns } from './http/post-merchant-checkouts-hash-returns.ts';
import { creditProblems, paymentProblems, returnProblems } from './problems.ts';
import { refunds } from './return-purchase.ts';
import { creditSettings } from './settings.ts';
import { creditUsed } from './store.ts';
import { OVERDUE_CRON, overdueTasks, tellOverdueSoon } from './tell-overdue.ts';

export const creditModule = defineModule({
  name: 'credit',
  settings: creditSettings,
  tags: {
    front: [
      {
        name: 'Selling',
        description: 'What a merchant’s till does and sees. Needs a key with the scope `merchant`.',
      },
    ],
    staff: [{ name: 'Credit', description: 'Purchases, as the operator makes and sees them.' }],
  },
  problems: [...new Set([...creditProblems, ...paymentProblems, ...returnProblems])],
  auditor: creditAuditor,
  provides: [provided(creditUsage, creditUsed)],
  commands: ({ events, settings, find }) => [
    checkoutCreate(events, settings),
    checkoutReturn(events, (...of) => find(refunds)!(...of)),
  ],
  open(deps) {
    const credit = {
      ...deps,
      lateEntryMs: lateEntryMs(deps.config.mode),
      ...deps.settings,
      merchants: deps.find(merchantCache)!,
      requestRefunds: deps.find(refunds)!,
    };
    deps.clock.onMove?.(() => void tellOverdueSoon(deps));
    return {
      front: [
        getWalletCheckouts(credit),
        getWalletCheckoutsHash(credit),
        postMerchantCheckoutsHashReturns(credit),
      ],
      staff: [
        postAdminCheckouts(credit),
        getAdminCheckoutsHash(credit),
        postAdminCheckoutsHashReturns(credit),
      ],
      tasks: overdueTasks(deps),
      cron: OVERDUE_CRON,
      start: () => tellOverdueSoon(deps),
    };
  },
});
