import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Db, Queryable } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Vault } from '#platform/vault.ts';
import type { SandboxClock } from './clock/sandbox-clock.ts';
import { demo } from './commands/demo.ts';
import { deleteSandboxClock } from './http/delete-sandbox-clock.ts';
import { getSandboxClock } from './http/get-sandbox-clock.ts';
import { getSandboxMessages } from './http/get-sandbox-messages.ts';
import { postSandboxClock } from './http/post-sandbox-clock.ts';
import { postSandboxReset } from './http/post-sandbox-reset.ts';
import { purgeInbox } from './inbox.ts';
import { purgeDeliveries } from './psp/store/deliveries.ts';
import type { ResetFeed } from './reset-feed.ts';

export { readSandboxClock, SandboxClock } from './clock/sandbox-clock.ts';
export { DEMO_CUSTOMERS } from './demo-customers.ts';
export { DEMO_OPERATOR_KEY, DEMO_PARTNER_KEY, seedDemo } from './demo-data.ts';
export { inboxSender } from './inbox.ts';
export { pspSimulatorProblems } from './psp/problems.ts';
export { openSandboxPsp } from './psp/sandbox-psp.ts';
export { ResetFeed } from './reset-feed.ts';

/** Tools of the sandbox, at the staff door. */
export function sandboxEndpoints(parts: {
  db: Db;
  clock: SandboxClock;
  vault: Vault;
  events: Events;
  resetFeed: ResetFeed;
  areMessagesUnderWay: () => Promise<boolean>;
}): Endpoint[] {
  const { db, clock, areMessagesUnderWay } = parts;
  return [
    getSandboxMessages({ db, isAnyUnderWay: areMessagesUnderWay }),
    getSandboxClock(clock),
    postSandboxClock(clock),
    deleteSandboxClock(clock),
    postSandboxReset(parts),
  ];
}

export const sandboxCommands = (events: Events): Command[] => [demo(events)];

const KEPT_MS = 30 * 86_400_000;

export async function sandboxHousekeeping(db: Queryable, clock: SandboxClock): Promise<void> {
  await purgeInbox(db, new Date(clock.now().getTime() - KEPT_MS));
  await purgeDeliveries(db, new Date(clock.real.now().getTime() - KEPT_MS));
}
