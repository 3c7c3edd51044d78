import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient, endClient } from '../database/database-client.ts';
import type { Log } from '../observability/log.ts';
import { getCurrentRelease } from '../release.ts';

const CHECK_INTERVAL_MS = 2_000;
const RECONNECT_DELAY_MS = 250;
/** A live node reconnects sooner than this after a lost connection or a restart of the database. */
const DEAD_AFTER_MS = 10_000;

/** Jobs locked under other names, by other releases, are ignored, because it is unknown whether those nodes are alive. */
const NODE_NAME_PREFIX = 'semana-';

/** The prefix of the name of a node's database session, followed by its id, its release and the versions of its data keys. */
export const NODE_SESSION_PREFIX = 'semana node';

/**
 * Each node holds an advisory lock on its name, which PostgreSQL releases when the process dies, and not before. So other nodes can release
 * the jobs of dead nodes. A node that cannot reach the database for ten seconds is considered dead.
 */
export class JobPresence {
  /** The worker id under which this node locks jobs. */
  readonly id = `${NODE_NAME_PREFIX}${randomBytes(12).toString('hex')}`;
  readonly #url: string;
  readonly #log: Log;
  readonly #keyVersions: string;
  /** The time, by the monotonic clock, at which each missing node was first found missing: it has locked jobs and no lock on its name. */
  readonly #missingSince = new Map<string, number>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, log: Log, keyVersions: readonly number[] = []) {
    this.#url = url;
    this.#log = log;
    this.#keyVersions = keyVersions.join(',');
  }

  /** Resolves when this node is visible as live. From then on it may take jobs. */
  async open(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name:
        `${NODE_SESSION_PREFIX} ${this.id} ${getCurrentRelease().version} ${this.#keyVersions}`.trim(),
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    this.#client = client;
    try {
      await client.connect();
      // A machine that lost power closes no connection. PostgreSQL must notice this within half a minute, not two hours.
      await client.query(
        'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
      );
      // The lock is shared, so that an old session of this node that PostgreSQL still considers alive does not block the new session.
      await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [this.id]);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.end().catch(() => undefined); // closing a half-open connection may fail
      throw error;
    }
    // The listener is added only now, because earlier errors go to the caller and must not be handled twice.
    client.on('error', () => this.#onConnectionLost(client));
    this.#checkOtherNodes(client);
  }

  /** Call it when this node holds no more jobs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await endClient(this.#client);
  }

  #checkOtherNodes(client: pg.Client): void {
    if (this.#isClosed || client !== this.#client) return;
    this.#releaseJobsOfDeadNodes(client).then(
      () => {
        if (this.#isClosed || client !== this.#client) return;
        this.#timer = setTimeout(() => this.#checkOtherNodes(client), CHECK_INTERVAL_MS);
        this.#timer.unref();
      },
      () => this.#onConnectionLost(client),
    );
  }

  async #releaseJobsOfDeadNodes(client: pg.Client): Promise<void> {
    const { rows: missingNodes } = await client.query<{ name: string }>(
      // The node of a lock that is free is missing. Materialized, so that only the locks of these names are tried.
      `with other_nodes as materialized (
         select distinct locked_by as name from graphile_worker.jobs
         where locked_by is not null and starts_with(locked_by, $1) and locked_by <> $2
       )
       select name from other_nodes where pg_try_advisory_xact_lock(hashtextextended(name, 0))`,
      [NODE_NAME_PREFIX, this.id],
    );
    const nowMs = performance.now();
    const missingNames = new Set(missingNodes.map(({ name }) => name));
    for (const name of this.#missingSince.keys())
      if (!missingNames.has(name)) this.#missingSince.delete(name);
    for (const name of missingNames) if (!this.#missingSince.has(name)) this.#missingSince.set(name, nowMs);
    const deadNodes = [...this.#missingSince].filter(([, sinceMs]) => nowMs - sinceMs >= DEAD_AFTER_MS);
    if (deadNodes.length === 0) return;
    const names = deadNodes.map(([name]) => name);
    await client.query('select graphile_worker.force_unlock_workers($1)', [names]);
    this.#log.warn({ nodes: names }, 'released the jobs of dead nodes');
  }

  #onConnectionLost(client: pg.Client): void {
    if (this.#isClosed || client !== this.#client) return;
    clearTimeout(this.#timer);
    this.#client = undefined;
    // The connection may have been stalled when it reported these nodes as missing.
    this.#missingSince.clear();
    client.end().catch(() => undefined); // closing a failed connection may fail, too
    this.#reopen();
  }

  #reopen(): void {
    this.#timer = setTimeout(() => {
      this.open().catch(() => {
        if (!this.#isClosed) this.#reopen();
      });
    }, RECONNECT_DELAY_MS);
    this.#timer.unref();
  }
}
