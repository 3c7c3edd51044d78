import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Events } from '#events';
import type { Db } from '#platform/database/db.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import type { Vault } from '#platform/vault.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { FAULTS_TTL_MS } from '../psp/settings.ts';
import { type ResetFeed, resetSandbox } from '../reset.ts';

const ResetDone = Type.Object(
  {
    reset_at: Timestamp({ description: 'The time of the reset. The sandbox clock shows real time again.' }),
    merchants: Type.Integer({ description: 'The number of merchants after the reset.' }),
    customers: Type.Integer({ description: 'The number of customers after the reset.' }),
    checkouts: Type.Integer({ description: 'The number of purchases after the reset.' }),
  },
  {
    $id: 'ResetDone',
    examples: [{ reset_at: '2026-11-15T12:00:00.000Z', merchants: 64, customers: 3, checkouts: 4 }],
  },
);

export const postSandboxReset = (deps: {
  db: Db;
  clock: SandboxClock;
  vault: Vault;
  events: Events;
  resetFeed: ResetFeed;
}) =>
  endpoint('POST /sandbox/reset', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'resetSandbox',
    summary: 'Reset the sandbox',
    description:
      'Deletes all data: content, leads, partners and keys that you added, customers, sessions, purchases, payments, messages, ' +
      'pending jobs, and the data and faults of the PSP simulator. The clock is reset to real time, and the demo data is written ' +
      'with dates relative to today. The reset is atomic for all nodes. Earlier tokens become invalid. It cannot be undone.',
    cli: { confirm: 'This deletes everything in the sandbox and writes the demo data again.' },
    responses: { 200: { description: 'The sandbox has been reset.', schema: ResetDone } },
    async handler() {
      const { db, clock, vault, events, resetFeed } = deps;
      const { resetAt, revision, ...counts } = await resetSandbox(db, {
        clock: clock.realClock,
        vault,
        events,
      });
      await resetFeed.waitForReset(revision);
      await clock.waitUntilCurrent();
      // Other nodes may use cached faults for this long.
      await sleep(FAULTS_TTL_MS);
      return { reset_at: resetAt.toISOString(), ...counts };
    },
  });
