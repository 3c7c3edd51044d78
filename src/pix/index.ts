import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Queryable } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { callbackEndpoints } from './callback.ts';
import { pixDiscrepancies } from './commands/pix-discrepancies.ts';
import { pixOrphans } from './commands/pix-orphans.ts';
import { pixRefunds } from './commands/pix-refunds.ts';
import { pspRegister } from './commands/psp-register.ts';
import { getAdminPixDiscrepancies } from './http/get-admin-pix-discrepancies.ts';
import { getAdminPixOrphans } from './http/get-admin-pix-orphans.ts';
import { getAdminPixRefunds } from './http/get-admin-pix-refunds.ts';
import { getWalletInstallmentsIdPix } from './http/get-wallet-installments-id-pix.ts';
import { getWalletPixId } from './http/get-wallet-pix-id.ts';
import { postWalletInstallmentsIdPix } from './http/post-wallet-installments-id-pix.ts';
import type { Pix } from './pix.ts';
import { purgeNotices } from './store/notices.ts';

export { pixAuditor } from './audit.ts';
export { connectPsp } from './connect-psp.ts';
export { PIX_CRON, pixTasks } from './jobs.ts';
export { pixMetrics } from './metrics.ts';
export { openPix } from './open-pix.ts';
export { pixProblems } from './problems.ts';

/** At the front door. */
export function pixEndpoints(pix: Pix): Endpoint[] {
  return [
    postWalletInstallmentsIdPix(pix),
    getWalletInstallmentsIdPix(pix),
    getWalletPixId(pix),
    ...callbackEndpoints(pix),
  ];
}

/** At the staff door. */
export function pixStaffEndpoints(pix: Pix): Endpoint[] {
  return [getAdminPixOrphans(pix), getAdminPixDiscrepancies(pix), getAdminPixRefunds(pix)];
}

export const pixCommands = (events: Events): Command[] => [
  pspRegister,
  pixOrphans,
  pixDiscrepancies,
  pixRefunds(events),
];

const NOTICES_KEPT_MS = 90 * 86_400_000;

export async function pixHousekeeping(db: Queryable, now: Date): Promise<void> {
  await purgeNotices(db, new Date(now.getTime() - NOTICES_KEPT_MS));
}
