import { merchantCache } from '#catalog';
import { creditUsage } from '#customers';
import { defineModule, provided } from '#module';
import { lateEntryMs } from './approve-purchase.ts';
import { creditAuditor } from './audit.ts';
import { checkoutCreate } from './commands/checkout-create.ts';
import { getAdminCheckoutsHash } from './http/get-admin-checkouts-hash.ts';
import { getWalletCheckouts } from './http/get-wallet-checkouts.ts';
import { getWalletCheckoutsHash } from './http/get-wallet-checkouts-hash.ts';
import { postAdminCheckouts } from './http/post-admin-checkouts.ts';
import { creditProblems, paymentProblems } from './problems.ts';
import { creditSettings } from './settings.ts';
import { creditUsed } from './store.ts';

export const creditModule = defineModule({
  name: 'credit',
  settings: creditSettings,
  tags: { staff: [{ name: 'Credit', description: 'Purchases, as the operator makes and sees them.' }] },
  problems: [...creditProblems, ...paymentProblems],
  auditor: creditAuditor,
  provides: [provided(creditUsage, creditUsed)],
  commands: ({ events, settings }) => [checkoutCreate(events, settings)],
  open(deps) {
    const credit = {
      ...deps,
      lateEntryMs: lateEntryMs(deps.config.mode),
      ...deps.settings,
      merchants: deps.find(merchantCache)!,
    };
    return {
      front: [getWalletCheckouts(credit), getWalletCheckoutsHash(credit)],
      staff: [postAdminCheckouts(credit), getAdminCheckoutsHash(credit)],
    };
  },
});
