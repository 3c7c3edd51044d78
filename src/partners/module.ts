import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { keyChange, keyList, keyRevoke, keyRotate } from './commands/key.ts';
import { keyCreate } from './commands/key-create.ts';
import { partnerCreate, partnerList } from './commands/partner.ts';
import { answerPreflight } from './cors.ts';
import { apiKeyGuard, apiKeyGuardSync } from './guard.ts';
import * as endpoints from './http/index.ts';
import { KeyUse } from './key-use.ts';
import { Keyring, knownKeys } from './keyring.ts';
import { merchantDirectory, merchantSlugs } from './merchant-directory.ts';
import { partnerProblems, roleMissing } from './problems.ts';
import { RateLimiter } from './rate-limiter.ts';
import { staffSessions } from './staff-sessions.ts';

export const partnersModule = defineModule({
  name: 'partners',
  tags: {
    staff: [
      {
        name: 'Partners',
        paths: ['/admin/keys', '/admin/partners'],
        description: 'Applications that call the service, and their keys.',
      },
    ],
  },
  guardProblems: { key: partnerProblems, role: [roleMissing] },
  commands: ({ find }) => [
    ...[partnerCreate, partnerList],
    ...[keyCreate(find(merchantDirectory)), keyList(find(merchantSlugs))],
    ...[keyChange, keyRotate, keyRevoke],
  ],
  open(deps) {
    const { db, clock, config, metrics, find, provide } = deps;
    const merchants = { findMerchant: find(merchantDirectory), findSlugs: find(merchantSlugs) };
    const partners = { db, clock, mode: config.mode, ...merchants };
    const keyring = new Keyring(deps);
    provide(knownKeys, keyring);
    const keyUse = new KeyUse(deps);
    return {
      guard: apiKeyGuard({
        keyring,
        limiter: new RateLimiter(db),
        keyUse,
        clock,
        metrics,
        findSession: () => find(staffSessions),
      }),
      door: {
        guardSync: apiKeyGuardSync({ keyring, keyUse, clock }),
        preflight: answerPreflight,
      },
      ...openEndpoints(endpoints, partners),
      start: () => keyring.whenCurrent(),
      stop: () => keyUse.stop(),
    };
  },
});
