import type { Events } from '#events';
import type { Deps } from '#module';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { isPartialOutage } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import { PasswordHashers } from '#platform/passwords/hashers.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { defineService } from '#platform/service.ts';
import { type FirstLimitDecider, firstLimitService } from './first-limit.ts';
import { IdentityCache } from './identity.ts';
import { createCapReporter, createMessageCounter } from './message-caps.ts';
import { createCustomerMetrics } from './metrics.ts';
import { customerSessions, recognizeOrigin, recordOrigin } from './sessions/store.ts';
import type { CustomersSettings } from './settings.ts';
import { type PrincipalKind, type SignInDeps, signInService } from './sign-in.ts';
import {
  type CreditUsedSql,
  listDataKeyVersions,
  type OverdueLookup,
  type PurchaseBlockSql,
} from './store.ts';
import { AccessTokens, createTokenGuard, type TokenGuard } from './tokens/access-token.ts';
import { EndedSessions } from './tokens/ended-sessions.ts';
import { ensureSigningKey, SigningKeys } from './tokens/signing-keys.ts';

export const customerPrincipal: PrincipalKind = {
  type: 'customer',
  idPrefix: 'cus_',
  transaction: customerTransaction,
  sessions: customerSessions,
  origins: { recognize: recognizeOrigin, record: recordOrigin },
};

export type CustomersDeps = SignInDeps & {
  log: Log;
  firstLimitDecider: FirstLimitDecider;
  /** Maximum sign-ups per day from one IP address. */
  maxSignUpsPerAddress: number;
  /** Maximum customers whom one staff user registers per day. */
  maxCustomersPerStaffUser: number;
  selectCreditUsed: CreditUsedSql;
  selectPurchaseBlock: PurchaseBlockSql;
  overdueLookup: OverdueLookup;
  identities: IdentityCache;
  hashers: PasswordHashers;
  signingKeys: SigningKeys;
  guard: TokenGuard;
  events: Events;
  personalData: readonly PersonalData[];
  /** Resolves when tokens can be issued and verified. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** SQL fragment for the amount a customer owes on all purchases. Provided by the credit module. */
export const creditUsageService = defineService<CreditUsedSql>('credit usage');
/** SQL fragment for the reason why a customer cannot buy now. Provided by the decisions module. */
export const purchaseBlockService = defineService<PurchaseBlockSql>('purchase block');
export const overdueService = defineService<OverdueLookup>('overdue customers');

export function createCustomersDeps(deps: Deps<CustomersSettings>): CustomersDeps {
  const { db, clock, vault, log, settings } = deps;
  const hashers = new PasswordHashers();
  const identities = new IdentityCache(vault);
  const metrics = createCustomerMetrics(deps.metrics, () => hashers.waitingAndRunningCount);
  const signingKeys = new SigningKeys(deps);
  const endedSessions = new EndedSessions(deps);
  const tokens = new AccessTokens({
    signingKeys,
    clock,
    getIssuer: deps.publicUrl,
    expectedIssuer: deps.config.publicUrl,
  });
  const signInDeps = {
    db,
    clock,
    vault,
    metrics,
    tokens,
    endedSessions,
    otpCountries: settings.otpCountries,
    countMessage: createMessageCounter(settings, createCapReporter({ metrics, log })),
    guard: createTokenGuard({ tokens, signingKeys, endedSessions, metrics }),
  };
  deps.provideService(signInService, signInDeps);
  return {
    ...signInDeps,
    principalKind: customerPrincipal,
    log,
    events: deps.events,
    personalData: deps.personalData,
    identities,
    hashers,
    signingKeys,
    firstLimitDecider: deps.findService(firstLimitService)!,
    maxSignUpsPerAddress: settings.signUpsPerAddress,
    maxCustomersPerStaffUser: settings.customersPerStaffUser,
    selectCreditUsed: deps.findService(creditUsageService)!,
    selectPurchaseBlock: deps.findService(purchaseBlockService)!,
    overdueLookup: deps.findService(overdueService)!,
    async start() {
      const versions = await listDataKeyVersions(db).catch((error: unknown) => {
        if (!isPartialOutage(error)) throw error;
        log.warn(
          'part of the database is unavailable: cannot check that DATA_KEYS has the keys of all customers',
        );
        return [];
      });
      for (const version of versions) vault.requireKey(version);
      await db.transaction((tx) => ensureSigningKey(tx, { vault, clock }));
      await Promise.all([signingKeys.waitUntilCurrent(), endedSessions.waitUntilCurrent()]);
    },
    stop: () => hashers.stop(),
  };
}
