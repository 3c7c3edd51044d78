import type { Lender } from '#credit';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { ResolveSearch } from '#platform/http/search.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Vault } from '#platform/vault.ts';
import type { PixMetrics } from './metrics.ts';
import type { PspClient, ReceivingAccount } from './psp/index.ts';

/** The points between two steps at which tests let the process crash: see docs/pix.md. */
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
  /** Throws `PspUnavailable` until the service has started. */
  psp: () => PspClient;
  /** The lender, named on payment receipts. */
  lender: Lender;
  /** The Pix key that receives the money. */
  key: string;
  /** The account that debits are credited to. Null: autopay is not offered. */
  account: ReceivingAccount | null;
  autopay: { leadDays: number; retryDays: readonly number[]; waivesPenalties: boolean };
  callbackSecret: string;
  /** Kills the process at this point if the setting says so, for tests of crash recovery. */
  failpoint: (point: Failpoint) => void;
};
