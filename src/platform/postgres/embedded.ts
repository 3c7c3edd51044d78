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
 * The PostgreSQL that Semana brings with it, for one data directory.
 *
 * The server lives as long as somebody uses it. There is at most one service on a data directory, and any
 * number of commands beside it or without it; whoever comes first starts the server, whoever comes later uses
 * the one that runs, also when it was left behind by a killed process. A service stops it when it ends. A
 * command stops it when it was the last one there.
 */
export type EmbeddedPostgresOptions = {
  dataDir: string;
  owner: 'service' | 'command';
  /** Who we are, for the one who is refused because of us: 'npm start'. */
  label: string;
  log: (message: string) => void;
  /** On top of those in server.ts; they do not change a server that runs already. */
  settings?: Settings;
  /** The server ended and nobody called `stop`. */
  onUnexpectedExit?: (error: Error) => void;
  /** For tests: what else of the machine is used. */
  machine?: Partial<Machine>;
};

type Machine = {
  /** For root: who PostgreSQL may run as; see system-user.ts. */
  userNames: readonly string[];
  /** For root: where programs and data go when that user cannot enter the checkout or the data directory. */
  sharedDir: string;
  packageDir: string;
};

export type EmbeddedPostgres = {
  url: string;
  /** We started the server; else one was running. */
  started: boolean;
  /** A server was running that no service was in charge of, and now we are. */
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
        // Let go only when it has ended, or the next service would find a server that is about to go.
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
    // The caller gets nothing that it could stop.
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
  // Asked, not told: a server that we adopted is not our child.
  const timer = setInterval(() => void look(), WATCH_INTERVAL_MS);
  timer.unref();
  return () => {
    watching = false;
    clearInterval(timer);
  };
}
