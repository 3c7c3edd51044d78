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
import { creditProblems } from './problems.ts';
import { creditUsed } from './store.ts';
import { creditStory } from './story.ts';

export const creditModule = defineModule({
  name: 'credit',
  tags: { staff: [{ name: 'Credit', description: 'Purchases, as the operator makes and sees them.' }] },
  problems: creditProblems,
  auditor: creditAuditor,
  personalData: { story: creditStory },
  provides: [provided(creditUsage, creditUsed)],
  commands: ({ events }) => [checkoutCreate(events)],
  open(deps) {
    const credit = {
      ...deps,
      lateEntryMs: lateEntryMs(deps.config.mode),
      merchants: deps.find(merchantCache)!,
    };
    return {
      front: [getWalletCheckouts(credit), getWalletCheckoutsHash(credit)],
      staff: [postAdminCheckouts(credit), getAdminCheckoutsHash(credit)],
    };
  },
});
