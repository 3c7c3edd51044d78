/** How long a change waits, to be batched with others. */
const BATCH_MS = 5;
/** PostgreSQL's limit is 7,999 bytes per notification. */
const MOST_BYTES = 7_500;

/**
 * Notifies every node of committed changes, see change-feed.ts: '<topic> <key> <key> ...'. PostgreSQL serializes the commits of
 * transactions with a NOTIFY, so the wallet's transactions have none: their notifications are sent here, every few milliseconds.
 * A crash between commit and notification loses the notification. So it is only for changes that are also polled for.
 */
export class Announcer {
  readonly #send: (payloads: string[]) => Promise<unknown>;
  readonly #waiting = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> | undefined;

  constructor(send: (payloads: string[]) => Promise<unknown>) {
    this.#send = send;
  }

  announce(topic: string, key: string): void {
    const keys = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, keys.add(key));
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Sends waiting notifications now; returns when all are sent. Never throws: the database may be unavailable. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const payloads = [...this.#waiting].flatMap(([topic, keys]) => batches(topic, keys));
    this.#waiting.clear();
    if (payloads.length > 0)
      this.#sending = Promise.all([this.#sending, this.#send(payloads).catch(() => undefined)]);
    await this.#sending;
  }
}

function batches(topic: string, keys: Iterable<string>): string[] {
  const payloads: string[] = [];
  let payload = topic;
  for (const key of keys) {
    if (payload.length + key.length >= MOST_BYTES) {
      payloads.push(payload);
      payload = topic;
    }
    payload += ` ${key}`;
  }
  return [...payloads, payload];
}
