import type { Lender } from '#credit';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { ResolveSearch } from '#platform/http/search.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Vault } from '#platform/vault.ts';
import type { PixMetrics } from './metrics.ts';
import type { PspClient, ReceivingAccount } from './psp/index.ts';

/** The points between two steps at which a crash can happen: see docs/pix.md. */
export type CrashPoint =
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

/** The dependencies of this module's endpoints and jobs. */
export type Pix = {
  db: Db;
  clock: Clock;
  events: Events;
  log: Log;
  vault: Vault;
  metrics: PixMetrics;
  resolveSearch: ResolveSearch;
  publicUrl: () => string;
  /** Known after the service has started. */
  psp: () => PspClient;
  /** Whose credit it is, for receipts. */
  lender: Lender;
  /** The Pix key that receives the money. */
  key: string;
  /** The account that debits are credited to; null: there is no autopay. */
  account: ReceivingAccount | null;
  autopay: { leadDays: number; retryDays: readonly number[] };
  callbackSecret: string;
  /** Kills the process there if configured: tests use it to see what a crash leaves behind. */
  crash: (point: CrashPoint) => void;
};
