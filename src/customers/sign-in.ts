import type { Deps } from '#module';
import type { Db, Tx } from '#platform/database/db.ts';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { defineService } from '#platform/service.ts';
import type { Vault } from '#platform/vault.ts';
import type { CountMessage } from './message-caps.ts';
import type { CustomerMetrics } from './metrics.ts';
import type { OriginHashes, Recognition, SessionKey, SessionStore } from './sessions/store.ts';
import type { AccessTokens, PrincipalType, TokenGuard } from './tokens/access-token.ts';
import type { EndedSessions } from './tokens/ended-sessions.ts';

/**
 * A kind of principal that signs in by phone: customers, or members of merchants. They share the functions for codes, sessions and
 * tokens; this type declares what differs. Codes and limits of the two kinds are independent.
 */
export type PrincipalKind = {
  readonly type: PrincipalType;
  readonly idPrefix: string;
  /** Runs a transaction about one principal. */
  transaction<T>(db: Db, principalId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  readonly sessions: SessionStore;
  /** The IP addresses and devices (as keyed hashes) that a principal signed in from. */
  readonly origins: {
    recognize(db: Db, phone: string, origin: OriginHashes): Promise<Recognition>;
    record(tx: Tx, session: SessionKey, origin: OriginHashes, now: Date): Promise<unknown>;
  };
};

/** Dependencies of the functions for signing in. */
export type SignInDeps = Pick<Deps, 'db' | 'clock' | 'vault'> & {
  readonly metrics: CustomerMetrics;
  /** Codes are sent only to mobile numbers of these countries (ISO 3166). */
  readonly otpCountries: readonly string[];
  readonly countMessage: CountMessage;
  readonly tokens: AccessTokens;
  readonly endedSessions: EndedSessions;
  readonly principalKind: PrincipalKind;
};

/** Provided for other modules whose principals sign in. */
export const signInService = defineService<Omit<SignInDeps, 'principalKind'> & { guard: TokenGuard }>(
  'sign-in',
);

type HashDeps = { vault: Vault; principalKind?: Pick<PrincipalKind, 'type'> };

const hashForPrincipal = ({ vault, principalKind }: HashDeps, purpose: string, text: string) =>
  vault.hash(principalKind?.type === 'member' ? `member ${purpose}` : purpose, text);

/** Subjects of limits and codes are keyed hashes, so that neither phones nor IP addresses are stored for them. */
export const hashPhoneSubject = (deps: HashDeps, phone: string) => hashForPrincipal(deps, 'phone', phone);
export const hashAddressSubject = (deps: HashDeps, ipAddress: string) =>
  hashForPrincipal(deps, 'address', toNetwork(ipAddress));
export const hashDevice = ({ vault }: HashDeps, deviceId: string | null) =>
  deviceId === null ? null : vault.hash('device', deviceId);
export const hashPhoneAndAddressSubject = (deps: HashDeps, phone: string, ipAddress: string) =>
  hashForPrincipal(deps, 'phone and address', `${phone} ${toNetwork(ipAddress)}`);
