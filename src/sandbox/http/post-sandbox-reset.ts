import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Events } from '#events';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import type { Vault } from '#platform/vault.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { REMEMBERED_MS as FAULTS_REMEMBERED_MS } from '../psp/fault-settings.ts';
import { reset } from '../reset.ts';
import type { ResetFeed } from '../reset-feed.ts';

const ResetDone = Type.Object(
  {
    reset_at: Timestamp({ description: 'The real time, which is the time of the sandbox again.' }),
    merchants: Type.Integer({ description: 'How many there are now.' }),
    customers: Type.Integer(),
    checkouts: Type.Integer(),
  },
  {
    $id: 'ResetDone',
    examples: [{ reset_at: '2026-11-15T12:00:00.000Z', merchants: 64, customers: 3, checkouts: 4 }],
  },
);

export const postSandboxReset = (parts: {
  db: Db;
  clock: SandboxClock;
  vault: Vault;
  events: Events;
  resetFeed: ResetFeed;
}) =>
  endpoint('POST /sandbox/reset', {
    access: { scope: 'operator', role: 'support' },
    id: 'resetSandbox',
    summary: 'Back to the demo data as on the first start',
    description:
      'Deletes everything: content, leads, partners and keys you added, customers, logins, purchases, payments, messages, ' +
      'waiting jobs, what the PSP simulator knows and how it misbehaves. The clock goes back to real time, and the demo data is ' +
      'written with dates as of today. All at once, for every node; tokens given out before are refused. There is no way back.',
    answers: { 200: { description: 'The sandbox is as new.', schema: ResetDone } },
    async handler() {
      const { db, clock, vault, events, resetFeed } = parts;
      const { at, revision, ...counts } = await reset(db, { clock: clock.real, vault, events });
      await resetFeed.whenHeard(revision);
      await clock.whenCurrent();
      // Other nodes may use the old faults for this long.
      await sleep(FAULTS_REMEMBERED_MS);
      return { reset_at: at.toISOString(), ...counts };
    },
  });
