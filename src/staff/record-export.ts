import type { FastifyRequest } from 'fastify';
import { DAY_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import { seesUnmasked } from '#platform/http/access.ts';
import { attachProblem, enforceLimits } from '#platform/http/attempt-limits.ts';
import { readExportReason } from '#platform/http/csv.ts';
import { recordExport } from '#platform/privacy/audit-trail.ts';
import type { StaffDeps } from './staff.ts';

const UNMASKED_EXPORT_LIMIT = attachProblem(
  { kind: 'unmasked_export', maxAttempts: 20, windowMs: DAY_MS },
  rateLimited,
  {
    en: 'You have downloaded the maximum number of unmasked lists in a day.',
    pt: 'Você já baixou o máximo de listas com dados completos em um dia.',
  },
);

/** Records every download of a list as CSV, and limits those with unmasked data of customers. */
export const createExportRecorder =
  ({ db, clock, vault }: Pick<StaffDeps, 'db' | 'clock' | 'vault'>) =>
  (request: FastifyRequest): Promise<void> =>
    db.transaction(async (tx) => {
      const now = clock.now();
      if (readExportReason(request) !== undefined && seesUnmasked(request.caller)) {
        const subject = vault.hash('unmasked export', request.caller.staffUserId);
        await enforceLimits(tx, [{ ...UNMASKED_EXPORT_LIMIT, subject }], now);
      }
      await recordExport(tx, request, now);
    });
