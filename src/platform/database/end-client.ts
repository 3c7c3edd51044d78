import { setTimeout as sleep } from 'node:timers/promises';

const END_TIMEOUT_MS = 1_000;

/** Closes a connection without waiting for an unreachable server. */
export async function endClient(client: { end(): Promise<void> } | undefined): Promise<void> {
  const ended = client?.end().catch(() => undefined); // the connection is already closed
  await Promise.race([ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
}
