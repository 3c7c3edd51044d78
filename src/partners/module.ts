import { defineModule } from '#module';
import { keyCreate } from './commands/key-create.ts';
import { keyList } from './commands/key-list.ts';
import { keyRevoke } from './commands/key-revoke.ts';
import { keyRotate } from './commands/key-rotate.ts';
import { partnerCreate } from './commands/partner-create.ts';
import { partnerList } from './commands/partner-list.ts';
import { answerPreflight } from './cors.ts';
import { apiKeyGuard, apiKeyGuardSync } from './guard.ts';
import { KeyUse } from './key-use.ts';
import { Keyring } from './keyring.ts';
import { merchantDirectory } from './merchant-directory.ts';
import { partnerProblems } from './problems.ts';
import { RateLimiter } from './rate-limiter.ts';

export const partnersModule = defineModule({
  name: 'partners',
  problems: partnerProblems,
  guardProblems: { key: partnerProblems },
  commands: ({ find }) => [
    ...[partnerCreate, partnerList],
    ...[keyCreate(find(merchantDirectory)), keyList, keyRotate, keyRevoke],
  ],
  open({ db, changeFeed, clock, log, metrics }) {
    const keyring = new Keyring(db, changeFeed, log);
    const keyUse = new KeyUse(db, clock, log);
    return {
      guard: apiKeyGuard({ keyring, limiter: new RateLimiter(db), keyUse, clock, metrics }),
      door: {
        guardSync: apiKeyGuardSync({ keyring, keyUse, clock }),
        preflight: answerPreflight,
      },
      start: () => keyring.whenCurrent(),
      stop: () => keyUse.stop(),
    };
  },
});
