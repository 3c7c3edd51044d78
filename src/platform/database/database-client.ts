import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Thrown if the server is a replica or read-only. Such a server is used neither for writes nor for reads. */
class ReadOnlyDatabase extends Error {
  /** The SQLSTATE read_only_sql_transaction, which PostgreSQL returns when a write is rejected. */
  readonly code = '25006';
  constructor(server: string) {
    super(
      `${server} is read-only: it is a replica, or configured as read-only. Set DATABASE_URL to the writable server, or list all servers`,
    );
  }
}

type Host = { host: string; port: number };

const PROBE_TIMEOUT_MS = 2_000;
const PROBE_TTL_MS = 1_000;
const DEFAULT_PORT = 5432;

/** A connection to the writable server of DATABASE_URL. A server reports whether it is writable when a connection starts. */
export class DatabaseClient extends pg.Client {
  readonly #servers: Servers;
  readonly #isReadOnly: () => boolean;

  constructor(config: pg.ClientConfig = {}) {
    const servers = getServers(config.connectionString ?? '');
    super({ ...config, connectionString: servers.urls[0]! });
    this.#servers = servers;
    this.#isReadOnly = watchReadOnly(this);
    // Without a listener, a lost connection would end the process. The caller gets the error from the statement.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    const connection = this.#connect();
    if (!callback) return connection;
    connection.then(() => callback(null), callback);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    // Sets `host` and `port` of this client.
    if (this.#servers.urls.length > 1) Object.assign(this, await this.#servers.findWritable());
    try {
      await super.connect();
      if (!this.#isReadOnly()) return this;
    } catch (error) {
      this.#servers.forgetWritable();
      throw error;
    }
    this.#servers.forgetWritable();
    await this.end();
    throw new ReadOnlyDatabase(`${this.host}:${this.port}`);
  }
}

/** Returns a function that checks whether the server last reported that it is a replica, or read-only by default. */
function watchReadOnly(client: pg.Client): () => boolean {
  const parameters = new Map<string, string>();
  client.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) =>
    parameters.set(status.parameterName, status.parameterValue),
  );
  return () =>
    parameters.get('in_hot_standby') === 'on' || parameters.get('default_transaction_read_only') === 'on';
}

class Servers {
  readonly urls: readonly string[];
  #lastProbe: { startedAtMs: number; host: Promise<Host> } | undefined;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  /** Finds the writable server. All callers share a probe, which runs at most once a second. */
  findWritable(): Promise<Host> {
    const nowMs = performance.now();
    if (this.#lastProbe && nowMs - this.#lastProbe.startedAtMs < PROBE_TTL_MS) return this.#lastProbe.host;
    const host = this.#probeAll();
    this.#lastProbe = { startedAtMs: nowMs, host };
    host.catch(() => this.forgetWritable());
    return host;
  }

  forgetWritable(): void {
    this.#lastProbe = undefined;
  }

  async #probeAll(): Promise<Host> {
    try {
      return await Promise.any(this.urls.map(probe));
    } catch (error) {
      throw toNoWritableServerError((error as AggregateError).errors as Array<Error & { code?: string }>);
    }
  }
}

function toNoWritableServerError(errors: Array<Error & { code?: string }>): Error {
  // The error of a reachable replica explains more than that of a server that is down.
  const mainError = errors.find((error) => error instanceof ReadOnlyDatabase) ?? errors[0]!;
  return Object.assign(new AggregateError(errors, 'No server of DATABASE_URL is writable'), {
    code: mainError.code,
  });
}

async function probe(url: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'semana probe',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // reported by the pending query
  const isReadOnly = watchReadOnly(client);
  const { host, port } = client;
  try {
    await client.connect();
    if (isReadOnly()) throw new ReadOnlyDatabase(`${host}:${port}`);
    return { host, port };
  } finally {
    client.end().catch(() => undefined); // its result is known, so an error while closing does not matter
  }
}

const serversByUrl = new Map<string, Servers>();

function getServers(url: string): Servers {
  let servers = serversByUrl.get(url);
  if (!servers) {
    servers = new Servers(splitDatabaseUrl(url) ?? [url]);
    serversByUrl.set(url, servers);
  }
  return servers;
}

/** Returns one URL per server of a database URL with several, or null if it is invalid. Only the URL of a single server may omit the host. */
export function splitDatabaseUrl(url: string): string[] | null {
  const [, prefix, hosts, suffix] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  if (hosts === undefined) return null;
  const urls = hosts.split(',').map((host) => `${prefix}${host}${suffix}`);
  const isServerUrl = (serverUrl: string) =>
    URL.canParse(serverUrl) && (urls.length === 1 || new URL(serverUrl).hostname !== '');
  return urls.every(isServerUrl) ? urls : null;
}

/** Formats the hosts and ports of a database URL, without the password. */
export function formatServers(url: string): string {
  return (splitDatabaseUrl(url) ?? [])
    .map((serverUrl) => new URL(serverUrl).host || `localhost:${DEFAULT_PORT}`)
    .join(', ');
}

const END_TIMEOUT_MS = 1_000;

/** Closes a connection without waiting for an unreachable server. */
export async function endClient(client: { end(): Promise<void> } | undefined): Promise<void> {
  const endPromise = client?.end().catch(() => undefined); // the connection is already closed
  await Promise.race([endPromise, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
}
