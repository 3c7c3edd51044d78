import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';
import { thisRelease } from '../release.ts';

const LOOK_MS = 2_000;
const RECONNECT_MS = 250;
/** Longer than a lost connection or a restart of the database hides a live node. */
const DEAD_AFTER_MS = 10_000;

/** Jobs locked under another form of name, by another release, are left alone: the liveness of their holders is unknown. */
const NAME = 'semana-';

/** Begins the name of a node's session in the database; its id and release follow. */
export const NODE_SESSION = 'semana node';

/**
 * Liveness of the nodes that hold jobs. Each node has a session that holds an advisory lock on its name. PostgreSQL releases the
 * lock when the process dies, and not before, however busy it is. So nodes can release the jobs of dead nodes. A node that cannot
 * reach the database for ten seconds counts as dead.
 */
export class JobPresence {
  /** The worker id under which this node locks jobs. */
  readonly id = `${NAME}${randomBytes(12).toString('hex')}`;
  readonly #url: string;
  readonly #log: Log;
  /** When, on the monotonic clock, each missing holder was first missed. */
  readonly #missing = new Map<string, number>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Returns when this node is visible as live: from then on it may take jobs. */
  async open(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name: `${NODE_SESSION} ${this.id} ${thisRelease().version}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    this.#client = client;
    try {
      await client.connect();
      // A machine that lost power closes no connection: PostgreSQL must notice within half a minute, not two hours.
      await client.query(
        'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
      );
      // A shared lock, so that an old session that PostgreSQL still believes in does not block the next.
      await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [this.id]);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.end().catch(() => undefined); // a half-open connection is closed as far as possible
      throw error;
    }
    // From here on only: earlier failures go to the caller and must not be handled twice.
    client.on('error', () => this.#lost(client));
    this.#lookAround(client);
  }

  /** To be called when this node holds no jobs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await endClient(this.#client);
  }

  #lookAround(client: pg.Client): void {
    if (this.#isClosed || client !== this.#client) return;
    this.#releaseJobsOfTheDead(client).then(
      () => {
        if (this.#isClosed || client !== this.#client) return;
        this.#timer = setTimeout(() => this.#lookAround(client), LOOK_MS);
        this.#timer.unref();
      },
      () => this.#lost(client),
    );
  }

  async #releaseJobsOfTheDead(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ name: string }>(
      `with holders as materialized (
         select distinct locked_by as name from graphile_worker.jobs
         where locked_by is not null and starts_with(locked_by, $1) and locked_by <> $2
       )
       select name from holders where pg_try_advisory_xact_lock(hashtextextended(name, 0))`,
      [NAME, this.id],
    );
    const nowMs = performance.now();
    const missing = new Set(rows.map(({ name }) => name));
    for (const name of this.#missing.keys()) if (!missing.has(name)) this.#missing.delete(name);
    for (const name of missing) if (!this.#missing.has(name)) this.#missing.set(name, nowMs);
    const dead = [...this.#missing].filter(([, sinceMs]) => nowMs - sinceMs >= DEAD_AFTER_MS);
    if (dead.length === 0) return;
    const names = dead.map(([name]) => name);
    await client.query('select graphile_worker.force_unlock_workers($1)', [names]);
    this.#log.warn({ nodes: names }, 'jobs that a node left behind when it died can be done again');
  }

  #lost(client: pg.Client): void {
    if (this.#isClosed || client !== this.#client) return;
    clearTimeout(this.#timer);
    this.#client = undefined;
    // The missing nodes were judged by a connection that may have been stalled.
    this.#missing.clear();
    client.end().catch(() => undefined); // the connection failed: closing it may fail, too
    this.#reopen();
  }

  #reopen(): void {
    this.#timer = setTimeout(() => {
      this.open().catch(() => {
        if (!this.#isClosed) this.#reopen();
      });
    }, RECONNECT_MS);
    this.#timer.unref();
  }
}
