import type pg from 'pg';
import { Batches } from '../database/batches.ts';
import { DatabaseClient } from '../database/database-client.ts';
import { DatabaseAway, sql, type Tx } from '../database/db.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';

/** All changes travel on one PostgreSQL channel; the payload is '<topic> <rest>'. */
const CHANNEL = 'semana_changes';
const HEARTBEAT_MS = 250;
const TRUSTED_FOR_MS = 900;
const RECONNECT_MS = 250;
const TRUST_TIMEOUT_MS = 2_000;
/** Timeout of a silent connection, and of a new one. */
const SILENCE_MS = 2_000;
const CONNECT_MS = 5_000;

type ChangeListener = {
  topic: string;
  /** Something changed; `rest` is what the trigger wrote after the topic. */
  hear(rest: string): void;
  /** Anything may have changed: notifications may have been missed. */
  catchUp(): void;
};

/** Notifies every node at the commit. It serializes commits: only for rare changes. For others see `tx.announce`. */
export async function notifyChange(tx: Tx, topic: string, ...rests: string[]): Promise<void> {
  const payloads = rests.map((rest) => `${topic} ${rest}`);
  await tx.run(sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`);
}

/**
 * Tells the caches of this node what changed in the database, whichever process changed it. Caches rely on `trusted()`: the
 * connection answered a heartbeat less than 900 ms ago, and PostgreSQL delivers pending notifications before it answers. So every
 * change that was committed before that heartbeat is known here. While it is false (a lost connection, a stalled database) caches
 * must not be used. So a revoked key or a withdrawn text lives at most one second longer on any node.
 */
export class ChangeFeed {
  readonly #url: string;
  readonly #log: Log;
  readonly #onLost: () => void;
  readonly #listeners: ChangeListener[] = [];
  /** Asks the connection for an answer: one query at a time, the next one shared by all callers that wait. */
  readonly #answers = new Batches<undefined, void>({ atOnce: 1, most: Number.MAX_VALUE }, async (batch) => {
    await this.#client?.query('select 1');
    for (const { resolve } of batch) resolve();
  });
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #nextAnswer: PromiseWithResolvers<void> | undefined;
  #stopped = false;

  /** `onLost`: the connection failed, so other connections to the same database may be stuck, too. */
  constructor(url: string, log: Log, onLost: () => void = () => undefined) {
    this.#url = url;
    this.#log = log;
    this.#onLost = onLost;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  trusted(): boolean {
    return performance.now() - this.#answeredAtMs < TRUSTED_FOR_MS;
  }

  /** Waits briefly until the feed is trusted again; throws DatabaseAway if it is not. */
  async whenTrusted(): Promise<void> {
    if (this.trusted()) return;
    this.#nextAnswer ??= Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const away = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseAway('The change feed is away.')), TRUST_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.#nextAnswer.promise, away]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** When it returns, all earlier commits are known here. Without a connection it returns at once: no cache is used. */
  async whenHeard(): Promise<void> {
    if (this.#client) await this.#answers.add(undefined).catch(() => undefined); // the heartbeat fails too
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#answeredAtMs = Number.NEGATIVE_INFINITY;
    await endClient(this.#client);
  }

  async #connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name: 'semana changeFeed',
      connectionTimeoutMillis: CONNECT_MS,
      // A connection that is cut silently would otherwise never be detected.
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('notification', ({ payload }) => this.#deliver(payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // From here on nothing is missed. Earlier changes are reloaded.
      for (const listener of this.#listeners) listener.catchUp();
      await this.#beat(client);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.end().catch(() => undefined); // a half-open connection is closed as far as possible
      throw error;
    }
  }

  async #beat(client: pg.Client): Promise<void> {
    const askedAtMs = performance.now();
    await this.#answers.add(undefined);
    if (client !== this.#client || this.#stopped) return;
    this.#answeredAtMs = askedAtMs;
    // A late answer does not show that the connection is alive now.
    if (this.trusted()) {
      this.#nextAnswer?.resolve();
      this.#nextAnswer = undefined;
    }
    this.#timer = setTimeout(() => {
      this.#beat(client).catch((error: Error) => this.#lost(client, error));
    }, HEARTBEAT_MS);
  }

  #deliver(payload: string): void {
    const space = payload.indexOf(' ');
    const topic = space < 0 ? payload : payload.slice(0, space);
    const rest = space < 0 ? '' : payload.slice(space + 1);
    for (const listener of this.#listeners) {
      if (listener.topic === topic) listener.hear(rest);
    }
  }

  #lost(client: pg.Client, error: Error): void {
    if (client !== this.#client || this.#stopped) return;
    this.#log.warn({ err: error }, 'change feed lost, caches are not used until it is back');
    this.#client = undefined;
    this.#answeredAtMs = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined); // the connection failed: closing it may fail, too
    this.#onLost();
    this.#reconnect();
  }

  #reconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#connect().then(
        () => this.#log.info('change feed is back'),
        () => {
          if (this.#client === undefined && !this.#stopped) this.#reconnect();
        },
      );
    }, RECONNECT_MS);
  }
}
