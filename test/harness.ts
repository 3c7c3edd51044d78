import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { issueKey } from '#partners';
import type { Clock } from '#platform/clock.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { enqueue, type TaskName } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/observability/log.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { createApp } from '../src/app.ts';
import { collectGuardProblems, readConfiguration } from '../src/modules.ts';
import { afterFile, afterWorker } from './after-file.ts';
import { checkAuditTrail, checkResponses } from './check-responses.ts';
import { copyCitusDatabase, createCitusDatabase, dropCitusDatabase, isOnCitus } from './citus/database.ts';
import { type DatabaseLink, openLink } from './database-link.ts';
import { buildStatement, closePool, query } from './query.ts';
import { watchSharedState } from './shared-state.ts';
import { buildDatabaseUrl } from './template.ts';

/** A clock that only the test moves. */
export type TestClock = Clock & { set(instant: string): void; advance(ms: number): void };

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
export type Body = any;

export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
};

export type CallOptions = {
  /** The API key, by default that of the demo partner; null sends none. */
  key?: string | null;
  /** Token of a customer. */
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A body that is sent unchanged, instead of `body`. */
  raw?: string | Buffer;
};

export type Node = {
  partnerUrl: string;
  staffUrl: string;
  /** The endpoints of each API. */
  endpoints: { partner: Endpoint[]; staff: Endpoint[] };
  /** Returns everything that this node has logged. */
  readLog(): string;
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  get(path: string, options?: CallOptions): Promise<ApiResponse>;
  post(path: string, body: unknown, options?: CallOptions): Promise<ApiResponse>;
  staff(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** Runs housekeeping now. */
  runHousekeeping(): Promise<void>;
  /** Waits until this node knows all earlier commits: a new key works, a revoked one does not. */
  waitForEarlierCommits(): Promise<void>;
  stop(): Promise<void>;
};

type NodeOptions = { link?: DatabaseLink; env?: Record<string, string> };

export type Service = Node & {
  db: Db;
  databaseUrl: string;
  clock: TestClock;
  /** Starts another node on the same database, optionally over a link and with further settings. */
  startNode(options?: NodeOptions): Promise<Node>;
  /** Opens a link to the database that the test can cut; for `startNode`. */
  openLink(): Promise<DatabaseLink>;
  /** Creates a key, by default of the partner 'Demo partner', and waits until all nodes know it. */
  newKey(overrides: Partial<Parameters<typeof issueKey>[1]>): Promise<{ id: string; secret: string }>;
};

/** A service that other files use later. Its clock only moves forward. */
export type SharedService = Omit<Service, 'clock'> & { clock: Omit<TestClock, 'set'> };

const DEMO_ADMIN = { id: 'stf_00000000000000000000000001', role: 'admin' } as const;
const DEMO_MERCHANT_ID = 1;

/** Long, so that a busy machine fails no test; shorter than the time after which a test without progress fails. */
const DATABASE_TIMEOUT_MS = 40_000;

const POLL_INTERVAL_MS = 25;
/** Polls for 15 seconds. */
const MAX_POLLS = 600;
/** Polls for a second. */
const MAX_DISCONNECT_POLLS = 40;

export const DEMO_KEY = 'sandbox-demo-key';

/** Settings with which a service listens on free ports of this machine, without its pages. */
export const FREE_PORTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  STAFF_PORT: '0',
  PSP_PORT: '0',
  WEB_PORT: 'off',
  OFFICE_PORT: 'off',
};

export type ServiceOptions = {
  /** Whether the new database has the demo data, which is the default. */
  demo?: boolean;
  /** Settings that differ from those of a sandbox. */
  env?: Record<string, string>;
  /** A database to use instead of a new one. It is dropped, too. */
  databaseUrl?: string;
};

/** Opens the whole service over real HTTP with one node in this process. It is closed at the end of the file. */
export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const { service, differences, close } = await openClosableService(options);
  after(async () => {
    await close();
    reportDifferences(differences);
  });
  return service;
}

/** Tests choose the IP addresses of callers. */
const SHARED_SETTINGS = { TRUST_PROXY: '127.0.0.1' };

let sharedInstance: ReturnType<typeof openSharedInstance> | undefined;

/** Returns a service that the files of a worker share, with the demo data and the rows of earlier files. */
export async function shareService(): Promise<SharedService> {
  sharedInstance ??= openSharedInstance();
  const { service, differences, logLines, stopExtraNodes, checkState } = await sharedInstance;
  const { clock } = service;
  // The clock must not be behind PostgreSQL's, which has moved on while earlier files ran.
  clock.advance(Math.max(0, Date.now() - clock.now().getTime()));
  logLines.length = 0;
  afterFile(async () => {
    await stopExtraNodes();
    await waitForJobs(service);
    reportDifferences(differences.splice(0));
    await checkState();
  });
  return service;
}

async function openSharedInstance() {
  const instance = await openClosableService({ env: SHARED_SETTINGS });
  afterWorker(instance.close);
  return { ...instance, checkState: await watchSharedState(instance.service.db) };
}

/** Waits until no job is running or due. */
const waitForJobs = ({ db }: Pick<Service, 'db'>): Promise<true> =>
  eventually('no job is running or due', async () => {
    const text = `select from graphile_worker._private_jobs where locked_at is not null or (attempts < max_attempts and run_at <= now())`;
    return (await db.rows(buildStatement(text))).length === 0;
  });

async function openClosableService(options: ServiceOptions) {
  const databaseUrl =
    options.databaseUrl ?? (await copyDatabase(options.demo === false ? 'semana_empty' : 'semana_demo'));
  const db = openDb({
    url: databaseUrl,
    poolSize: 3,
    applicationName: 'test',
    vault: new Vault(SANDBOX_SECRETS),
    timeoutMs: DATABASE_TIMEOUT_MS,
  });
  const clock = createTestClock();
  const nodes: Node[] = [];
  const differences: string[] = [];
  const links: DatabaseLink[] = [];
  const startNodeWithLog = async (logLines: string[], { link, env }: NodeOptions = {}) => {
    const node = await openNode(link?.url ?? databaseUrl, {
      clock,
      env: { ...options.env, ...env },
      differences,
      logLines,
      // A test that cuts a link waits for the product's own timeout.
      ...(!link && { databaseTimeoutMs: DATABASE_TIMEOUT_MS }),
    });
    nodes.push(node);
    return node;
  };
  const logLines: string[] = [];
  const service: Service = {
    ...(await startNodeWithLog(logLines)),
    db,
    databaseUrl,
    clock,
    startNode: (nodeOptions) => startNodeWithLog([], nodeOptions),
    async openLink() {
      const link = await openLink(databaseUrl);
      links.push(link);
      return link;
    },
    async newKey(overrides) {
      const { scopes = ['public'] } = overrides;
      const keyInput = {
        ...(scopes.includes('operator') && { person_id: DEMO_ADMIN.id, role: DEMO_ADMIN.role }),
        ...(scopes.includes('merchant') && { merchant_id: DEMO_MERCHANT_ID }),
        ...overrides,
      };
      const key = await issueKey(
        db,
        {
          partner_id: await findDemoPartnerId(db),
          label: 'test',
          scopes: ['public'],
          ...keyInput,
        },
        { mode: 'sandbox', clock },
      );
      await Promise.all(nodes.map((node) => node.waitForEarlierCommits()));
      return key;
    },
  };
  const stopNodes = async (stoppedNodes: Node[]) => {
    for (const link of links) link.restore();
    await Promise.all(stoppedNodes.map((node) => node.stop()));
    for (const link of links.splice(0)) link.close();
  };
  const close = async () => {
    await stopNodes(nodes);
    await db.close();
    await dropDatabase(databaseUrl);
  };
  /** Stops the nodes that the tests of a file started. */
  const stopExtraNodes = () => stopNodes(nodes.splice(1));
  return { service, differences, logLines, stopExtraNodes, close };
}

export async function findDemoPartnerId(db: Db): Promise<string> {
  const partner = await db.row<{ id: string }>(sql`select id from partners where name = 'Demo partner'`);
  if (!partner) throw new Error('The demo data is missing.');
  return partner.id;
}

/** Prints the differences and fails the test file by its exit code: a thrown error would keep its other services from being closed. */
function reportDifferences(differences: string[]): void {
  if (differences.length === 0) return;
  process.exitCode = 1;
  const list = [...new Set(differences)].join('\n  ');
  process.stderr.write(`Responses that differ from the declarations of their endpoints:\n  ${list}\n`);
}

async function openNode(
  databaseUrl: string,
  options: {
    clock: Clock;
    env: Record<string, string>;
    differences: string[];
    logLines: string[];
    databaseTimeoutMs?: number;
  },
): Promise<Node> {
  const { clock, env, differences, logLines, databaseTimeoutMs } = options;
  // A small pool, because opening a connection costs PostgreSQL as much as some fifty statements.
  const configuration = readConfiguration({ ...FREE_PORTS, LOG_LEVEL: 'debug', DATABASE_POOL: '5', ...env });
  const log = createLog(configuration.config.logLevel, { write: (line: string) => void logLines.push(line) });
  // The demo database was written with the sandbox's keys. In live mode the key checks are removed, so that it is accepted.
  if (configuration.config.mode === 'live') await query(databaseUrl, 'delete from key_checks');
  // Jobs are not scheduled, because a minute that begins during a test must change nothing.
  const app = await createApp({
    configuration,
    databaseUrl,
    clock,
    log,
    isScheduled: false,
    ...(databaseTimeoutMs !== undefined && { databaseTimeoutMs }),
  });
  const guardProblems = collectGuardProblems();
  const onDifference = (difference: string) => void differences.push(difference);
  checkAuditTrail(app.staffApi.fastify, databaseUrl, onDifference);
  checkResponses(app.partnerApi, guardProblems, onDifference);
  checkResponses(app.staffApi, guardProblems, onDifference);
  const { partnerUrl, staffUrl } = await app.start().catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  const call: Node['call'] = (method, path, options) => request(partnerUrl, method, path, options);
  /** Shared by several calls of `stop`. */
  let stopPromise: Promise<void> | undefined;
  const drainMs = 0;
  return {
    partnerUrl,
    staffUrl,
    endpoints: { partner: app.partnerApi.endpoints, staff: app.staffApi.endpoints },
    readLog: () => logLines.join(''),
    runHousekeeping: () => app.housekeep(),
    waitForEarlierCommits: () => app.waitForEarlierCommits(),
    call,
    get: (path, callOptions) => call('GET', path, callOptions),
    post: (path, body, callOptions) => call('POST', path, { ...callOptions, body }),
    staff: (method, path, callOptions) => request(staffUrl, method, path, callOptions),
    stop: () => {
      stopPromise ??= app.drain.run(drainMs).then(app.stop);
      return stopPromise;
    },
  };
}

async function request(
  base: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { key = DEMO_KEY, token, body, raw, headers = {} } = options;
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(token !== undefined && { 'x-token': token }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload as string }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}

/** Creates a clock that starts at the instant, by default now. */
export function createTestClock(start: number | string = Date.now()): TestClock {
  let nowMs = new Date(start).getTime();
  return {
    now: () => new Date(nowMs),
    set(instant) {
      nowMs = Date.parse(instant);
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}

const readServerUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error(`Run tests with 'npm test' or 'node test/run.ts FILE': they need a database.`);
  return url;
};

/** What a new database has: the demo data; all tables without rows; or no schema, before it is migrated. */
export type DatabaseTemplate = 'semana_demo' | 'semana_empty' | 'template0';

/** Creates a database. The caller drops it with `dropDatabase`. */
export async function copyDatabase(template: DatabaseTemplate): Promise<string> {
  const server = readServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  if (isOnCitus())
    return template === 'template0'
      ? createCitusDatabase(server, name)
      : copyCitusDatabase(server, template, name);
  await query(server, `create database ${name} template ${template} strategy file_copy`);
  return buildDatabaseUrl(server, name);
}

/** Opens a new database with all tables and no rows, without a service; it is dropped when the file is done. */
export async function openMigratedDb(): Promise<Db> {
  const url = await copyDatabase('semana_empty');
  const db = openDb({ url, poolSize: 4, applicationName: 'test' });
  after(async () => {
    await db.close();
    await dropDatabase(url);
  });
  return db;
}

/** Drops a database when closed pools are disconnected from it: sessions that end by force would report errors after the test. */
export async function dropDatabase(url: string): Promise<void> {
  await closePool(url);
  const name = url.slice(url.lastIndexOf('/') + 1);
  for (let poll = 0; poll < MAX_DISCONNECT_POLLS; poll++) {
    const sessions = await query(readServerUrl(), `select from pg_stat_activity where datname = '${name}'`);
    if (sessions.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  if (isOnCitus()) await dropCitusDatabase(readServerUrl(), name);
  else await query(readServerUrl(), `drop database ${name} with (force)`);
}

/** Runs SQL that the append-only triggers would reject. The statements run one at a time, so that Citus sends the setting to its shards. */
export async function tamper({ db }: Service, ...statements: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const text of ['set local semana.resetting = on', ...statements]) await tx.run(buildStatement(text));
  });
}

/** Waits until `count` sessions wait for locks in the database of the service, on any server of a cluster. */
export const waitForLockWaits = ({ db }: Pick<Service, 'db'>, count: number) =>
  eventually(`${count} sessions wait for locks`, async () => {
    const activity = isOnCitus() ? 'citus_stat_activity' : 'pg_stat_activity';
    const text = `select from ${activity} where datname = current_database() and wait_event_type = 'Lock'`;
    return (await db.rows(buildStatement(text))).length === count;
  });

const MAX_JOB_ATTEMPTS = 25;

/** Enqueues a recurring task, which tests do not schedule. */
export const enqueueTask = ({ db }: Pick<Service, 'db'>, task: TaskName): Promise<void> =>
  db.transaction((tx) => enqueue(tx, task, {} as never, MAX_JOB_ATTEMPTS));

/** Polls until the check returns a result; fails with the expectation. The timeout is long, because machines may be busy. */
export async function eventually<T>(
  expectation: string,
  check: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const result = await check();
    if (result) return result as Exclude<T, false | null | undefined>;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`This did not happen in time: ${expectation}`);
}
