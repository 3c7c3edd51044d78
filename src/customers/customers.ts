import type { Deps } from '#module';
import { isPartlyAway } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import { Hashers } from '#platform/passwords/hashers.ts';
import { service } from '#platform/service.ts';
import { type FirstLimit, firstLimit } from './first-limit.ts';
import { openMessageCounter, reportCaps } from './message-caps.ts';
import { customerMetrics } from './metrics.ts';
import { People } from './people.ts';
import { customerHolders } from './sessions/customer-holders.ts';
import type { CustomersSettings } from './settings.ts';
import { type SignIn, signInService } from './sign-in.ts';
import { type CreditUsed, listKeyVersions, type OverdueCustomers } from './store.ts';
import { AccessTokens } from './tokens/access-token.ts';
import { EndedSessions } from './tokens/ended-sessions.ts';
import { type TokenGuard, tokenGuard } from './tokens/guard.ts';
import { ensureSigningKey } from './tokens/rotate-keys.ts';
import { SigningKeys } from './tokens/signing-keys.ts';

/** The dependencies of this module's endpoints and jobs. */
export type Customers = SignIn & {
  log: Log;
  firstLimit: FirstLimit;
  /** How many may sign up from one address in a day. */
  signUpsPerAddress: number;
  creditUsed: CreditUsed;
  overdueCustomers: OverdueCustomers;
  people: People;
  hashers: Hashers;
  keys: SigningKeys;
  guard: TokenGuard;
  /** When it returns, tokens can be issued and verified. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** SQL fragment: what customers owe on all purchases. Provided by credit. */
export const creditUsage = service<CreditUsed>('credit usage');
export const overdueCustomers = service<OverdueCustomers>('overdue customers');

export function openCustomers(deps: Deps<CustomersSettings>): Customers {
  const { db, clock, vault, log, settings } = deps;
  const hashers = new Hashers();
  const people = new People(vault);
  const metrics = customerMetrics(deps.metrics, () => hashers.underWay);
  const keys = new SigningKeys(deps);
  const ended = new EndedSessions(deps);
  const tokens = new AccessTokens({
    keys,
    clock,
    issuer: deps.publicUrl,
    expectedIssuer: deps.config.publicUrl,
  });
  const signIn = {
    db,
    clock,
    vault,
    metrics,
    tokens,
    ended,
    otpCountries: settings.otpCountries,
    countMessage: openMessageCounter(() => settings, reportCaps({ metrics, log })),
    guard: tokenGuard({ tokens, keys, ended, metrics }),
  };
  deps.provide(signInService, signIn);
  return {
    ...signIn,
    holders: customerHolders,
    log,
    people,
    hashers,
    keys,
    firstLimit: deps.find(firstLimit)!,
    signUpsPerAddress: settings.signUpsPerAddress,
    creditUsed: deps.find(creditUsage)!,
    overdueCustomers: deps.find(overdueCustomers)!,
    async start() {
      const versions = await listKeyVersions(db).catch((error: unknown) => {
        if (!isPartlyAway(error)) throw error;
        log.warn('some customers cannot be read now: whether the keys for them are here is not known');
        return [];
      });
      for (const version of versions) vault.mustHold(version);
      await db.transaction((tx) => ensureSigningKey(tx, { vault, clock }));
      await Promise.all([keys.whenCurrent(), ended.whenCurrent()]);
    },
    stop: () => hashers.stop(),
  };
}
