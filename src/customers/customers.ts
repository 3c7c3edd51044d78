import type { ChangeFeed } from '#platform/change-feed.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db.ts';
import type { Log } from '#platform/log.ts';
import type { MessageSender } from '#platform/messages/sender.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Vault } from '#platform/vault.ts';
import { CpfMasks } from './cpf-masks.ts';
import { type CustomerMetrics, customerMetrics } from './metrics.ts';
import { Hashers } from './passwords/hashers.ts';
import { EndedSessions } from './sessions/ended-sessions.ts';
import { type CreditUsed, listKeyVersions } from './store.ts';
import { AccessTokens } from './tokens/access-token.ts';
import { type TokenGuard, tokenGuard } from './tokens/guard.ts';
import { ensureSigningKey } from './tokens/rotate-keys.ts';
import { SigningKeys } from './tokens/signing-keys.ts';

/** What the endpoints and jobs of this module work with. */
export type Customers = {
  db: Db;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: CustomerMetrics;
  sender: MessageSender;
  creditUsed: CreditUsed;
  masks: CpfMasks;
  hashers: Hashers;
  keys: SigningKeys;
  tokens: AccessTokens;
  ended: EndedSessions;
  guard: TokenGuard;
  /** When it returns, tokens can be issued and read. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function openCustomers(parts: {
  db: Db;
  changeFeed: ChangeFeed;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  sender: MessageSender;
  creditUsed: CreditUsed;
  publicUrl: () => string;
  /** null where no address is configured. */
  configuredUrl: string | null;
}): Customers {
  const { db, clock, vault, log, sender, creditUsed } = parts;
  const hashers = new Hashers();
  const masks = new CpfMasks(vault);
  const metrics = customerMetrics(parts.metrics, () => hashers.underWay);
  const keys = new SigningKeys(parts);
  const ended = new EndedSessions(parts);
  const tokens = new AccessTokens({
    keys,
    clock,
    issuer: parts.publicUrl,
    expectedIssuer: parts.configuredUrl,
  });
  return {
    ...{ db, clock, vault, log, metrics, sender, creditUsed, masks, hashers, keys, tokens, ended },
    guard: tokenGuard({ tokens, keys, ended, metrics }),
    async start() {
      for (const version of await listKeyVersions(db)) vault.mustHold(version);
      await db.transaction((tx) => ensureSigningKey(tx, { vault, clock }));
      await Promise.all([keys.whenCurrent(), ended.whenCurrent()]);
    },
    stop: () => hashers.stop(),
  };
}

/** Whom a limit or a code is about. Neither phones nor addresses are stored for it, only this. */
export const phoneSubject = ({ vault }: Pick<Customers, 'vault'>, phone: string) =>
  vault.hash('phone', phone);
