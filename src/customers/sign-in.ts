import type { Deps } from '#module';
import type { Db, Tx } from '#platform/database/db.ts';
import { networkOf } from '#platform/http/network.ts';
import { service } from '#platform/service.ts';
import type { Vault } from '#platform/vault.ts';
import type { CountMessage } from './message-caps.ts';
import type { CustomerMetrics } from './metrics.ts';
import type {
  EndReason,
  HolderKind,
  NewRefresh,
  NewSession,
  SessionName,
  SessionRow,
} from './sessions/store.ts';
import type { AccessTokens } from './tokens/access-token.ts';
import type { EndedSessions } from './tokens/ended-sessions.ts';
import type { TokenGuard } from './tokens/guard.ts';

/**
 * Who signs in: customers, or the members of merchants. Codes, sessions and tokens are the same for both; here is what differs. Codes
 * and limits of one kind do not count for the other.
 */
export type Holders = {
  readonly kind: HolderKind;
  readonly idPrefix: string;
  /** A transaction about one of them. */
  transaction<T>(db: Db, holderId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  insertSession(tx: Tx, session: NewSession): Promise<unknown>;
  lockSession(tx: Tx, holderId: string, id: string): Promise<SessionRow | undefined>;
  markRefreshed(tx: Tx, holderId: string, id: string, refresh: NewRefresh): Promise<unknown>;
  markEnded(tx: Tx, holderId: string, id: string, reason: EndReason, at: Date): Promise<void>;
  /** Where they signed in from. */
  readonly addresses: {
    isKnown(db: Db, phone: string, address: Buffer): Promise<boolean>;
    note(tx: Tx, session: SessionName, address: Buffer, now: Date): Promise<unknown>;
  };
};

/** What the verbs of signing in work with. */
export type SignIn = Pick<Deps, 'db' | 'clock' | 'vault'> & {
  readonly metrics: CustomerMetrics;
  /** Codes go to mobile numbers of these countries only (ISO 3166). */
  readonly otpCountries: readonly string[];
  readonly countMessage: CountMessage;
  readonly tokens: AccessTokens;
  readonly ended: EndedSessions;
  readonly holders: Holders;
};

/** For modules whose people sign in, too. */
export const signInService = service<Omit<SignIn, 'holders'> & { guard: TokenGuard }>('sign-in');

type OfKind = { vault: Vault; holders?: Pick<Holders, 'kind'> };

const hashFor = ({ vault, holders }: OfKind, what: string, text: string) =>
  vault.hash(holders?.kind === 'member' ? `member ${what}` : what, text);

/** The subject of a limit or a code, as a keyed hash: neither phones nor addresses are stored for it. */
export const phoneSubject = (of: OfKind, phone: string) => hashFor(of, 'phone', phone);
export const addressSubject = (of: OfKind, address: string) => hashFor(of, 'address', networkOf(address));
export const pairSubject = (of: OfKind, phone: string, address: string) =>
  hashFor(of, 'phone and address', `${phone} ${networkOf(address)}`);
