import pg from 'pg';

/** The server is a replica, or set to read-only. It is used neither for writes nor for reads. */
class ReadOnlyDatabase extends Error {
  /** read_only_sql_transaction: PostgreSQL's own error for a write. */
  readonly code = '25006';
  constructor(where: string) {
    super(
      `${where} can only be read: it is a replica, or set to be so. Point DATABASE_URL at the one that is written to, or name them all`,
    );
  }
}

type Host = { host: string; port: number };

/** How long a host may take to report whether it is writable. */
const PROBE_MS = 2_000;
/** How long that report is valid. */
const KNOWN_FOR_MS = 1_000;
const DEFAULT_PORT = 5432;

/**
 * A connection to the writable server. DATABASE_URL may name several servers, `a:5432,b:5432`: all are asked at once. A server
 * reports it during the connection's start (PostgreSQL 14 and later), so no further query is needed.
 */
export class DatabaseClient extends pg.Client {
  readonly #servers: Servers;
  readonly #isReadOnly: () => boolean;

  constructor(config: pg.ClientConfig = {}) {
    const servers = serversOf(config.connectionString ?? '');
    super({ ...config, connectionString: servers.urls[0]! });
    this.#servers = servers;
    this.#isReadOnly = watchReadOnly(this);
    // Without a listener a connection that dies would end the process. Its user gets the error from the statement.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(() => callback(null), callback);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#servers.urls.length > 1) Object.assign(this, await this.#servers.findWritable());
    try {
      await super.connect();
      if (!this.#isReadOnly()) return this;
    } catch (error) {
      this.#servers.forget();
      throw error;
    }
    this.#servers.forget();
    await this.end();
    throw new ReadOnlyDatabase(`${this.host}:${this.port}`);
  }
}

/** Whether the server last reported that it is a replica, or that transactions are read-only by default. */
function watchReadOnly(client: pg.Client): () => boolean {
  const said = new Map<string, string>();
  client.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) =>
    said.set(status.parameterName, status.parameterValue),
  );
  return () => said.get('in_hot_standby') === 'on' || said.get('default_transaction_read_only') === 'on';
}

/** The servers of one DATABASE_URL, and their last reports. */
class Servers {
  readonly urls: readonly string[];
  #known: { atMs: number; host: Promise<Host> } | undefined;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  /** Probes at most once a second, shared by all callers. */
  findWritable(): Promise<Host> {
    const nowMs = performance.now();
    if (this.#known && nowMs - this.#known.atMs < KNOWN_FOR_MS) return this.#known.host;
    const host = this.#ask();
    this.#known = { atMs: nowMs, host };
    host.catch(() => this.forget());
    return host;
  }

  forget(): void {
    this.#known = undefined;
  }

  async #ask(): Promise<Host> {
    try {
      return await Promise.any(this.urls.map(probe));
    } catch (error) {
      throw noneWritable((error as AggregateError).errors as Array<Error & { code?: string }>);
    }
  }
}

function noneWritable(errors: Array<Error & { code?: string }>): Error {
  // A replica that answers is a better explanation than a server that is down.
  const telling = errors.find((error) => error instanceof ReadOnlyDatabase) ?? errors[0]!;
  return Object.assign(new AggregateError(errors, 'No server of DATABASE_URL can be written to'), {
    code: telling.code,
  });
}

async function probe(url: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'semana probe',
    connectionTimeoutMillis: PROBE_MS,
  });
  client.on('error', () => undefined); // reported by the pending query
  const isReadOnly = watchReadOnly(client);
  const { host, port } = client;
  try {
    await client.connect();
    if (isReadOnly()) throw new ReadOnlyDatabase(`${host}:${port}`);
    return { host, port };
  } finally {
    client.end().catch(() => undefined); // the probe is complete
  }
}

const known = new Map<string, Servers>();

function serversOf(url: string): Servers {
  let servers = known.get(url);
  if (!servers) {
    servers = new Servers(splitDatabaseUrl(url) ?? [url]);
    known.set(url, servers);
  }
  return servers;
}

/** One address for each server. Null: not a valid address. */
export function splitDatabaseUrl(url: string): string[] | null {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  if (hosts === undefined) return null;
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  const isAddress = (one: string) => URL.canParse(one) && (urls.length === 1 || new URL(one).hostname !== '');
  return urls.every(isAddress) ? urls : null;
}

/** The address of the database, without the password. */
export function serverNames(url: string): string {
  return (splitDatabaseUrl(url) ?? [])
    .map((one) => new URL(one).host || `localhost:${DEFAULT_PORT}`)
    .join(', ');
}
