import type pg from 'pg';
import { Batcher } from '../database/batcher.ts';
import { DatabaseClient, endClient } from '../database/database-client.ts';
import { DatabaseUnavailable, sql, type Tx } from '../database/db.ts';
import type { Log } from '../observability/log.ts';

/** The PostgreSQL channel of all changes. The payload is '<topic> <change>'. */
const CHANNEL = 'semana_changes';
const HEARTBEAT_INTERVAL_MS = 250;
const UP_TO_DATE_FOR_MS = 900;
const RECONNECT_DELAY_MS = 250;
const RESPONSE_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;

type ChangeListener = {
  topic: string;
  /** Called for each change: the payload after the topic. */
  onChange(change: string): void;
  /** Called when notifications may have been missed, so anything may have changed. */
  onMissedChanges(): void;
};

/** Notifies all nodes at the commit. Notifying serializes commits, so it is only for rare changes. For others see `tx.notifyAfterCommit`. */
export async function notifyChange(tx: Tx, topic: string, ...changes: string[]): Promise<void> {
  const payloads = changes.map((change) => `${topic} ${change}`);
  await tx.run(sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`);
}

/**
 * Caches rely on `isUpToDate()`: PostgreSQL responded to a heartbeat less than 900 ms ago, and it delivers pending notifications before it
 * responds. So this node knows every change that was committed before the heartbeat. If it is false, caches must not be used.
 */
export class ChangeFeed {
  readonly #url: string;
  readonly #log: Log;
  readonly #onLost: () => void;
  readonly #timeoutMs: number;
  readonly #listeners: ChangeListener[] = [];
  /** Pings the connection with one query at a time. All waiting callers share the next query. */
  readonly #pings = new Batcher<undefined, void>(
    { concurrency: 1, maxItems: Number.MAX_VALUE },
    async (batch) => {
      await this.#client?.query('select 1');
      for (const { resolve } of batch) resolve();
    },
  );
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastHeartbeatAtMs = Number.NEGATIVE_INFINITY;
  #nextHeartbeat: PromiseWithResolvers<void> | undefined;
  #isStopped = false;

  /** `onLost` is called when the connection fails, because other connections to the same database may be stuck, too. */
  constructor(url: string, log: Log, options: { onLost?: () => void; timeoutMs?: number | undefined } = {}) {
    this.#url = url;
    this.#log = log;
    this.#onLost = options.onLost ?? (() => undefined);
    this.#timeoutMs = options.timeoutMs ?? RESPONSE_TIMEOUT_MS;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  isUpToDate(): boolean {
    return performance.now() - this.#lastHeartbeatAtMs < UP_TO_DATE_FOR_MS;
  }

  /** Waits until the feed is up to date; throws DatabaseUnavailable after a short timeout, and when the feed is stopped. */
  async waitUntilUpToDate(): Promise<void> {
    if (this.isUpToDate()) return;
    if (this.#isStopped) throw new DatabaseUnavailable('The change feed is stopped.');
    this.#nextHeartbeat ??= Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const timeoutPromise = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new DatabaseUnavailable('The change feed is unavailable.')),
        this.#timeoutMs,
      );
    });
    try {
      await Promise.race([this.#nextHeartbeat.promise, timeoutPromise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when this node knows all earlier commits, or immediately if there is no connection, because no cache is used then. */
  async waitForEarlierCommits(): Promise<void> {
    if (this.#client) await this.#pings.add(undefined).catch(() => undefined); // the heartbeat fails, too
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#lastHeartbeatAtMs = Number.NEGATIVE_INFINITY;
    this.#nextHeartbeat?.reject(new DatabaseUnavailable('The change feed is stopped.'));
    await endClient(this.#client);
  }

  async #connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name: 'semana changeFeed',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // Without a timeout, a silently cut connection would never be detected.
      query_timeout: this.#timeoutMs,
      keepAlive: true,
    });
    client.on('error', (error) => this.#onConnectionLost(client, error));
    client.on('notification', ({ payload }) => this.#deliver(payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // From now on no notification is missed. Earlier changes are reloaded.
      for (const listener of this.#listeners) listener.onMissedChanges();
      await this.#sendHeartbeat(client);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.end().catch(() => undefined); // closing a half-open connection may fail
      throw error;
    }
  }

  async #sendHeartbeat(client: pg.Client): Promise<void> {
    const sentAtMs = performance.now();
    await this.#pings.add(undefined);
    if (client !== this.#client || this.#isStopped) return;
    this.#lastHeartbeatAtMs = sentAtMs;
    // A late response does not prove that the connection is still alive.
    if (this.isUpToDate()) {
      this.#nextHeartbeat?.resolve();
      this.#nextHeartbeat = undefined;
    }
    this.#timer = setTimeout(() => {
      this.#sendHeartbeat(client).catch((error: Error) => this.#onConnectionLost(client, error));
    }, HEARTBEAT_INTERVAL_MS);
  }

  #deliver(payload: string): void {
    const spaceIndex = payload.indexOf(' ');
    const topic = spaceIndex < 0 ? payload : payload.slice(0, spaceIndex);
    const change = spaceIndex < 0 ? '' : payload.slice(spaceIndex + 1);
    for (const listener of this.#listeners) {
      if (listener.topic === topic) listener.onChange(change);
    }
  }

  #onConnectionLost(client: pg.Client, error: Error): void {
    if (client !== this.#client || this.#isStopped) return;
    this.#log.warn({ err: error }, 'change feed lost, caches are not used until it is restored');
    this.#client = undefined;
    this.#lastHeartbeatAtMs = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined); // closing a failed connection may fail, too
    this.#onLost();
    this.#reconnect();
  }

  #reconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#connect().then(
        () => this.#log.info('change feed is back'),
        () => {
          if (this.#client === undefined && !this.#isStopped) this.#reconnect();
        },
      );
    }, RECONNECT_DELAY_MS);
  }
}
