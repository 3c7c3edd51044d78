import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';

const LOOK_MS = 2_000;
const RECONNECT_MS = 250;
/** Longer than a cut connection or a restart of the database keeps a node that lives from being seen. */
const DEAD_AFTER_MS = 10_000;

/** Jobs that are held under another kind of name, by another release, are left alone: nobody vouches for their holders. */
const NAME = 'semana-';

/**
 * Whoever holds jobs is seen to live: a session of its own keeps a lock with its name, which PostgreSQL takes away the moment
 * the process is gone, and not before, however busy it is. So nodes can tell the jobs of the living from those a dead one left
 * behind, and let go of these. A node that cannot reach the database for ten seconds is taken for dead.
 */
export class JobPresence {
  /** The name to hold jobs under. */
  readonly id = `${NAME}${randomBytes(12).toString('hex')}`;
  readonly #url: string;
  readonly #log: Log;
  /** Since when, on the monotonic clock, holders of jobs have not been seen. */
  readonly #missing = new Map<string, number>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Returns when this node is seen: from then on it may take jobs. */
  async open(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name: 'semana jobs',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    this.#client = client;
    try {
      await client.connect();
      // A machine that lost its power says no farewell: PostgreSQL is to notice within half a minute, not two hours.
      await client.query(
        'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
      );
      // Shared, so that a session whose end PostgreSQL has not noticed yet is not in the way of the next.
      await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [this.id]);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.end().catch(() => undefined); // half a connection is given back, as far as there is one
      throw error;
    }
    // From here on. What fails before is told to who opens it, and must not be made up for twice.
    client.on('error', () => this.#lost(client));
    this.#lookAround(client);
  }

  /** To be done when no job is held any more. */
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
    // What was missing was judged by a connection that may have been asleep.
    this.#missing.clear();
    client.end().catch(() => undefined); // it is the connection that failed: closing it may fail too
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
