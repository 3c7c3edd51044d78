/** So long a change waits for others, which are told together with it. */
const BATCH_MS = 5;
/** PostgreSQL takes 7,999 bytes a notification. */
const MOST_BYTES = 7_500;

/**
 * Tells every node what was committed, see change-feed.ts: '<topic> <key> <key> ...'. PostgreSQL lets transactions with a
 * NOTIFY commit one after the other, so those of the wallet have none: they are sent here, every few milliseconds.
 * What a crash between commit and notification loses, nobody hears of: only for what is looked for now and then as well.
 */
export class Announcer {
  readonly #send: (payloads: string[]) => Promise<unknown>;
  readonly #waiting = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (payloads: string[]) => Promise<unknown>) {
    this.#send = send;
  }

  announce(topic: string, key: string): void {
    const keys = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, keys.add(key));
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Sends what waits now. Never throws: the database may be away. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const payloads = [...this.#waiting].flatMap(([topic, keys]) => batches(topic, keys));
    this.#waiting.clear();
    if (payloads.length > 0) await this.#send(payloads).catch(() => undefined);
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
