import { MINUTE_MS } from '#core/values/duration.ts';
import { centsToReais } from '#core/values/money.ts';
import type { CreditorSettings } from '#credit';
import { lockCustomerById } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import type { ResolveSearch } from '#platform/http/search.ts';
import type { Log } from '#platform/observability/log.ts';
import type { PixMetrics } from './metrics.ts';
import type { PspClient, ReceivingAccount } from './psp/index.ts';
import type { ChargeRow } from './store/charges.ts';

/** Points at which tests end the process. `truth`: what the PSP returns. `notice`: a callback. `asked`: requested. */
export type Failpoint =
  | 'after-charge-written'
  | 'after-psp-put'
  | 'after-charge-pending'
  | 'after-notice-stored'
  | 'after-truth-read'
  | 'after-settlement'
  | 'after-refund-asked'
  | 'after-charge-removed'
  | 'after-authorisation-written'
  | 'after-rec-created'
  | 'after-debit-written'
  | 'after-debit-put'
  | 'after-retry-asked';

export type Pix = {
  db: Db;
  clock: Clock;
  events: Events;
  log: Log;
  metrics: PixMetrics;
  resolveSearch: ResolveSearch;
  publicUrl: () => string;
  /** Throws `PspUnavailable` until the service has started. */
  psp: () => PspClient;
  creditorSettings: CreditorSettings;
  /** The Pix key that charges are paid to. */
  pixKey: string;
  /** The account that debits are credited to. Null: autopay is not offered. */
  account: ReceivingAccount | null;
  autopay: { leadDays: number; retryDays: readonly number[]; waivesPenalties: boolean };
  callbackSecret: string;
  /** Kills the process at this point if the setting says so, for tests of crash recovery. */
  failpoint: (point: Failpoint) => void;
};

/** A request that creates a charge or an authorisation never takes longer than this. */
export const IN_DOUBT_AFTER_MS = 60_000;
/** Tolerance for the PSP's clock, and for a payment in progress. */
export const EXPIRY_GRACE_MS = 2 * MINUTE_MS;

/** Whether the request that inserted this row has ended without saving a response of the PSP. */
export const isAbandoned = ({ status, created_at }: { status: string; created_at: Date }, now: Date) =>
  status === 'creating' && isOlderThan(created_at, IN_DOUBT_AFTER_MS, now);

export const isOlderThan = (instant: Date, ms: number, now: Date): boolean =>
  now.getTime() - instant.getTime() >= ms;

type Work<T> = (tx: CustomerTx) => Promise<T>;

/**
 * Wraps `work` so that it locks the customer first. The lock takes no round trip of its own: statements of a transaction that are
 * issued together run in the order in which they are issued.
 */
export const prependCustomerLock =
  <T>(customerId: string, work: Work<T>): Work<T> =>
  async (tx) => {
    const [, result] = await Promise.all([lockCustomerById(tx, customerId), work(tx)]);
    return result;
  };

export const withLockedCustomer = <T>({ db }: Pick<Pix, 'db'>, customerId: string, work: Work<T>) =>
  customerTransaction(db, customerId, prependCustomerLock(customerId, work));

/** Like `withLockedCustomer`, for work without effects outside the database: under load one transaction does the work of several customers. */
export const withLockedCustomerInBatch = <T>({ db }: Pick<Pix, 'db'>, customerId: string, work: Work<T>) =>
  sharedTransaction(db, customerId, prependCustomerLock(customerId, work));

export const renderEventIds = ({ checkout_hash, installment_id, id }: ChargeRow) => ({
  checkout_hash,
  installment_id,
  pix_id: id,
});

export const renderEventTerms = (charge: ChargeRow) => ({
  ...renderEventIds(charge),
  type: charge.type,
  value: centsToReais(charge.value_cents),
});

/** Clamps an instant that the PSP reports to [earliest, now], because the PSP's clock may be wrong. */
export function clampInstant(reportedAt: Date, { earliest, now }: { earliest: Date; now: Date }): Date {
  const pastInstant = reportedAt > now ? now : reportedAt;
  return pastInstant < earliest ? earliest : pastInstant;
}
