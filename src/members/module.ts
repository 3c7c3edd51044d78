import { merchantCache } from '#catalog';
import { DAY_MS } from '#core/duration.ts';
import { signInService } from '#customers';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { memberNames } from '#staff';
import { leadMerchant } from './commands/lead-merchant.ts';
import { memberCommands } from './commands/member.ts';
import { memberGuard } from './guard.ts';
import * as endpoints from './http/index.ts';
import { checkMemberCode, memberCodes } from './own-code.ts';
import { membersData } from './personal-data.ts';
import { memberHolders, purgeMemberSessions } from './sessions.ts';
import { listMemberNames, purgePhones } from './store.ts';

export const membersModule = defineModule({
  name: 'members',
  tags: {
    front: [
      {
        name: 'Till',
        paths: ['/merchant/auth', '/merchant/me', '/merchant/members'],
        description:
          'A merchant’s people: how they sign in, by a code to their phone, and who they are. Needs a key with the scope `till`.',
      },
    ],
  },
  personalData: membersData,
  provides: [provided(memberNames, listMemberNames)],
  commands: () => [...memberCommands, leadMerchant],
  open(deps) {
    const { db, clock } = deps;
    const { guard, ...parts } = deps.find(signInService)!;
    const signIn = { ...parts, holders: memberHolders };
    deps.provide(memberCodes, checkMemberCode(signIn));
    const merchants = deps.find(merchantCache)!;
    return {
      ...openEndpoints(endpoints, { db, clock, signIn, merchants }),
      guard: memberGuard(db, guard),
      async housekeeping(now) {
        await purgeMemberSessions(db, new Date(now.getTime() - 30 * DAY_MS));
        await purgePhones(db, new Date(now.getTime() - 90 * DAY_MS));
      },
    };
  },
});
