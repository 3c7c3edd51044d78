/** The time that a change waits to be batched with others. */
const BATCH_MS = 5;
/** PostgreSQL's limit is 7,999 bytes per notification. */
const MAX_PAYLOAD_BYTES = 7_500;

/**
 * Notifies all nodes of committed changes (see change-feed.ts) with '<topic> <key> <key> ...'. PostgreSQL serializes the commits of
 * transactions that contain a NOTIFY, so transactions of the wallet contain none: their notifications are sent here every few
 * milliseconds. A crash between commit and notification loses the notification, so this is only for changes that are also polled.
 */
export class ChangeNotifier {
  readonly #send: (payloads: string[]) => Promise<unknown>;
  readonly #pendingKeys = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | undefined;
  #unfinishedSends: Promise<unknown> | undefined;

  constructor(send: (payloads: string[]) => Promise<unknown>) {
    this.#send = send;
  }

  notify(topic: string, key: string): void {
    const keys = this.#pendingKeys.get(topic) ?? new Set();
    this.#pendingKeys.set(topic, keys.add(key));
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Sends pending notifications now and returns when all are sent. Never throws, because the database may be unavailable. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const payloads = [...this.#pendingKeys].flatMap(([topic, keys]) => toPayloads(topic, keys));
    this.#pendingKeys.clear();
    if (payloads.length > 0)
      this.#unfinishedSends = Promise.all([
        this.#unfinishedSends,
        this.#send(payloads).catch(() => undefined),
      ]);
    await this.#unfinishedSends;
  }
}

function toPayloads(topic: string, keys: Iterable<string>): string[] {
  const payloads: string[] = [];
  let payload = topic;
  for (const key of keys) {
    if (payload.length + key.length >= MAX_PAYLOAD_BYTES) {
      payloads.push(payload);
      payload = topic;
    }
    payload += ` ${key}`;
  }
  return [...payloads, payload];
}
