import { setTimeout as sleep } from 'node:timers/promises';

const END_TIMEOUT_MS = 1_000;

/** Closes the connection. Does not wait for a server that is gone or unreachable. */
export async function endClient(client: { end(): Promise<void> } | undefined): Promise<void> {
  const ended = client?.end().catch(() => undefined); // already gone: nothing left to end
  await Promise.race([ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
}
