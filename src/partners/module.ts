import { defineModule } from '#module';
import { keyCreate } from './commands/key-create.ts';
import { keyList } from './commands/key-list.ts';
import { keyRevoke } from './commands/key-revoke.ts';
import { keyRotate } from './commands/key-rotate.ts';
import { partnerCreate } from './commands/partner-create.ts';
import { partnerList } from './commands/partner-list.ts';
import { answerPreflight } from './cors.ts';
import { apiKeyGuard, apiKeyGuardSync } from './guard.ts';
import { getAdminKeys } from './http/get-admin-keys.ts';
import { getAdminPartners } from './http/get-admin-partners.ts';
import { postAdminKeys } from './http/post-admin-keys.ts';
import { postAdminKeysIdRevoke } from './http/post-admin-keys-id-revoke.ts';
import { postAdminKeysIdRotate } from './http/post-admin-keys-id-rotate.ts';
import { postAdminPartners } from './http/post-admin-partners.ts';
import { KeyUse } from './key-use.ts';
import { Keyring, knownKeys } from './keyring.ts';
import { keyEnded, nameTaken } from './manage-keys.ts';
import { merchantDirectory, merchantSlugs } from './merchant-directory.ts';
import { partnersPortuguese } from './portuguese.ts';
import { partnerProblems, roleMissing } from './problems.ts';
import { RateLimiter } from './rate-limiter.ts';

export const partnersModule = defineModule({
  name: 'partners',
  problems: [...partnerProblems, roleMissing, nameTaken, keyEnded],
  portuguese: partnersPortuguese,
  tags: { staff: [{ name: 'Partners', description: 'Applications that call the service, and their keys.' }] },
  guardProblems: { key: partnerProblems, role: [roleMissing] },
  commands: ({ find }) => [
    ...[partnerCreate, partnerList],
    ...[keyCreate(find(merchantDirectory)), keyList(find(merchantSlugs)), keyRotate, keyRevoke],
  ],
  open({ db, changeFeed, clock, config, log, metrics, find, provide }) {
    const partners = { db, clock, mode: config.mode, findMerchant: find(merchantDirectory) };
    const keyring = new Keyring(db, changeFeed, log);
    provide(knownKeys, keyring);
    const keyUse = new KeyUse(db, clock, log);
    return {
      guard: apiKeyGuard({ keyring, limiter: new RateLimiter(db), keyUse, clock, metrics }),
      door: {
        guardSync: apiKeyGuardSync({ keyring, keyUse, clock }),
        preflight: answerPreflight,
      },
      staff: [
        ...[getAdminPartners(partners), postAdminPartners(partners)],
        ...[getAdminKeys(partners), postAdminKeys(partners)],
        ...[postAdminKeysIdRotate(partners), postAdminKeysIdRevoke(partners)],
      ],
      start: () => keyring.whenCurrent(),
      stop: () => keyUse.stop(),
    };
  },
});
