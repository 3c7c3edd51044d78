import { maxPlanRate, merchantCache } from '#catalog';
import { DAY_MS } from '#core/values/duration.ts';
import { signInService } from '#customers';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { merchantMemberNames } from '#staff';
import * as endpoints from './http/index.ts';
import { membersData } from './personal-data.ts';
import { createMemberGuard, memberPrincipal } from './sessions.ts';
import { createMemberCodeChecker, memberCodeChecker } from './sign-in.ts';
import { listMemberNames, purgeRemovedMemberPhones } from './store.ts';

/** How long sessions are stored after they have ended or expired. */
const SESSION_RETENTION_MS = 30 * DAY_MS;
/** How long the phones of removed members are stored. */
const REMOVED_PHONE_RETENTION_MS = 90 * DAY_MS;

export const membersModule = defineModule({
  name: 'members',
  tags: {
    partner: [
      {
        name: 'Merchant',
        paths: ['/merchant'],
        description:
          'Quotes, offers, sales, returns and payouts of a merchant. Requires a key with the scope `merchant`.',
      },
      {
        name: 'Till',
        paths: ['/merchant/auth', '/merchant/me', '/merchant/members'],
        description: 'Log in and manage the members of a merchant. Requires a key with the scope `till`.',
      },
    ],
  },
  personalData: membersData,
  provides: [bindService(merchantMemberNames, listMemberNames)],
  open(deps) {
    const { db, clock } = deps;
    const { guard, ...signInDeps } = deps.findService(signInService)!;
    const signIn = { ...signInDeps, principalKind: memberPrincipal };
    deps.provideService(memberCodeChecker, createMemberCodeChecker(signIn));
    const merchants = deps.findService(merchantCache)!;
    return {
      ...buildEndpoints(endpoints, {
        db,
        clock,
        signIn,
        merchants,
        // The credit module, which opens later, provides the service.
        getMaxRate: () => deps.findService(maxPlanRate)!(),
      }),
      guard: createMemberGuard(db, guard),
      async housekeeping(now) {
        await memberPrincipal.sessions.purge(db, new Date(now.getTime() - SESSION_RETENTION_MS));
        await purgeRemovedMemberPhones(db, new Date(now.getTime() - REMOVED_PHONE_RETENTION_MS));
      },
    };
  },
});
