import { setTimeout as sleep } from 'node:timers/promises';

const END_TIMEOUT_MS = 1_000;

/** Hangs up. A server that does not say goodbye in turn, because it is gone or out of reach, is not waited for. */
export async function endClient(client: { end(): Promise<void> } | undefined): Promise<void> {
  const ended = client?.end().catch(() => undefined); // already gone: nothing left to end
  await Promise.race([ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
}
