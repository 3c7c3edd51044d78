import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { claimsOn } from './claims.ts';
import { type Cluster, checkVersion, createCluster, findCluster, readPassword } from './cluster.ts';
import { DATABASE, ensureDatabase, urlOf } from './connect.ts';
import { EmbeddedPostgresError, messageOf } from './errors.ts';
import { isStillRunning } from './processes.ts';
import { adoptServer, type Server, type Settings, startServer, stopServer } from './server.ts';
import { type ServerLog, serverLogAt } from './server-log.ts';
import { accountForNewCluster, DEFAULT_USER_NAMES, isRoot, mkdirEnterable } from './system-user.ts';

export { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';

/**
 * The embedded PostgreSQL of one data directory. The server runs as long as a process uses it. There is at most one service on a
 * data directory, and any number of commands. The first process starts the server. Later ones use the running server, also one
 * that a killed process left behind. A service stops it when it ends. A command stops it when it is the last process.
 */
export type EmbeddedPostgresOptions = {
  dataDir: string;
  owner: 'service' | 'command';
  /** The name of this process, for the message to a process that is refused because of it: 'npm start'. */
  label: string;
  log: (message: string) => void;
  /** In addition to those in server.ts. They do not change a server that is already running. */
  settings?: Settings;
  /** The server ended without a call of `stop`. */
  onUnexpectedExit?: (error: Error) => void;
  /** For tests: replaceable parts of the machine. */
  machine?: Partial<Machine>;
};

type Machine = {
  /** For root: the users PostgreSQL may run as; see system-user.ts. */
  userNames: readonly string[];
  /** For root: where programs and data go when that user cannot enter the checkout or the data directory. */
  sharedDir: string;
  packageDir: string;
};

export type EmbeddedPostgres = {
  url: string;
  /** True: this process started the server. False: it was running. */
  started: boolean;
  /** A server was running without a service, and this service took it over. */
  adopted: boolean;
  stop(): Promise<void>;
};

const WATCH_INTERVAL_MS = 500;

export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await prepareDataDir(options.dataDir);
  const claims = claimsOn(dataDir, options.log);
  const claim =
    options.owner === 'service' ? await claims.claimService(options.label) : await claims.joinCommands();
  try {
    const serverLog = serverLogAt(join(dataDir, 'postgres.log'));
    const { server, url } = await claims.transition(() => ensureServer(dataDir, serverLog, options));
    const stopWatching = watch(server, serverLog, options.onUnexpectedExit);
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      stopWatching();
      if (options.owner === 'service') {
        // Released only after the server has ended. Otherwise the next service would find a server that is about to stop.
        await claims.transitionAnyway(() => stopServer(server, options.log).finally(claim.release));
      } else {
        claim.release();
        await claims.transition(async () => {
          if (!claims.isUsed()) await stopServer(server, options.log);
        });
      }
    };
    return {
      url,
      started: !server.adopted,
      adopted: server.adopted && options.owner === 'service',
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function prepareDataDir(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    await mkdirEnterable(absolute);
    return await realpath(absolute);
  } catch (error) {
    throw new EmbeddedPostgresError(`Cannot use ${absolute} as DATA_DIR: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function ensureServer(
  dataDir: string,
  serverLog: ServerLog,
  options: EmbeddedPostgresOptions,
): Promise<{ server: Server; url: string }> {
  const { log } = options;
  const settings = options.settings ?? {};
  const userNames = options.machine?.userNames ?? DEFAULT_USER_NAMES;
  const sharedDir = options.machine?.sharedDir ?? '/var/lib/semana';

  const existing = await findCluster(dataDir, userNames, log);
  if (existing) {
    const password = await readPassword(existing);
    const running = await adoptServer({ cluster: existing, password, serverLog, log });
    if (running) {
      const { pid } = running.server.process;
      if (options.owner === 'service')
        log(`Taking over the database server that is running (process ${pid}).`);
      return finish(running, password, log);
    }
  }

  const account = existing ? existing.account : await accountForNewCluster(userNames, log);
  const binaries = await findBinaries({
    account,
    copiesDir: isRoot() ? sharedDir : dataDir,
    log,
    ...(options.machine?.packageDir === undefined ? {} : { packageDir: options.machine.packageDir }),
  });
  if (!existing) log(`Installing a database in ${dataDir} ...`);
  const cluster: Cluster =
    existing ??
    (await createCluster({
      dataDir,
      account,
      binaries,
      sharedDir,
      log,
      noSync: settings.fsync === 'off',
    }));
  await checkVersion(cluster, binaries);
  const password = await readPassword(cluster);
  const ready = await startServer({ cluster, password, serverLog, log, binaries, settings });
  return finish(ready, password, log);
}

async function finish(
  ready: Awaited<ReturnType<typeof startServer>>,
  password: string,
  log: (message: string) => void,
): Promise<{ server: Server; url: string }> {
  const { server, client } = ready;
  try {
    await ensureDatabase(client);
  } catch (error) {
    // The caller gets no handle that it could stop.
    if (!server.adopted) await stopServer(server, log);
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
  return { server, url: urlOf(server.port, password, DATABASE) };
}

function watch(
  server: Server,
  serverLog: ServerLog,
  onUnexpectedExit: ((error: Error) => void) | undefined,
): () => void {
  if (!onUnexpectedExit) return () => {};
  let watching = true;
  const look = async () => {
    if (await isStillRunning(server.process)) return;
    if (!watching) return;
    watching = false;
    clearInterval(timer);
    onUnexpectedExit(
      new EmbeddedPostgresError(
        `The database server (process ${server.process.pid}) ended by itself.\n${serverLog.tail()}`,
      ),
    );
  };
  // Polled: a server that we adopted is not our child process.
  const timer = setInterval(() => void look(), WATCH_INTERVAL_MS);
  timer.unref();
  return () => {
    watching = false;
    clearInterval(timer);
  };
}
