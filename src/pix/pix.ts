import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import type { PixMetrics } from './metrics.ts';
import type { PspClient } from './psp/index.ts';

/** Between any two steps that a crash can part: see docs/pix.md. */
const CRASH_POINTS = [
  'after-charge-written',
  'after-psp-put',
  'after-charge-pending',
  'after-notice-stored',
  'after-truth-read',
  'after-settlement',
  'after-refund-asked',
  'after-charge-removed',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

/** What the endpoints and jobs of this module work with. */
export type Pix = {
  db: Db;
  clock: Clock;
  events: Events;
  log: Log;
  vault: Vault;
  metrics: PixMetrics;
  publicUrl: () => string;
  /** Known once the service is started. */
  psp: () => PspClient;
  /** The Pix key the money goes to. */
  key: string;
  callbackSecret: string;
  /** Ends the process there if it was told to: how tests find out what a crash leaves behind. */
  crash: (point: CrashPoint) => void;
};
