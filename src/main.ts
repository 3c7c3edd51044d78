import { systemClock } from '#platform/clock.ts';
import { explainError } from '#platform/command-line/explain-error.ts';
import { type Config, listMisspelledSettings, listSettings } from '#platform/config.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { openDatabase } from '#platform/database/database.ts';
import { type Db, openDb } from '#platform/database/db.ts';
import {
  claimInstallation,
  recordKeyChecks,
  refuseWrongKeys,
  refuseWrongMode,
} from '#platform/database/installation.ts';
import { migrate } from '#platform/database/migrate.ts';
import { createLog } from '#platform/observability/log.ts';
import { exitWhenStopped, watchUncaughtErrors } from '#platform/observability/uncaught-errors.ts';
import { findFreePort } from '#platform/ports.ts';
import { Vault } from '#platform/vault.ts';
import { createApp, stopApp } from './app.ts';
import {
  type Configuration,
  createModuleEvents,
  listModules,
  modules,
  readConfiguration,
} from './modules.ts';
import { createClusterNode, type ServiceNode, type StartedApp, WorkerEndedError } from './workers.ts';

/** This timeout is longer than that of requests, because no client is waiting yet and a booting machine may be slow. */
const SETUP_TIMEOUT_MS = 60_000;

const printsJson = process.argv.includes('--json');
/** With --json, only the line for scripts goes to standard output. */
const print = (text: string) => (printsJson ? process.stderr : process.stdout).write(`${text}\n`);

try {
  // Links in messages name the port of the site, so it is chosen before the settings are read.
  if (process.env.WEB_PORT === '0') process.env.WEB_PORT = String(await findFreePort('0.0.0.0'));
  await serve(readConfiguration(process.env));
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}

async function serve(configuration: Configuration): Promise<void> {
  const { config } = configuration;
  const log = createLog(config.logLevel);
  for (const text of listMisspelledSettings(process.env, listSettings(modules))) log.warn(text);
  let node: ServiceNode | undefined;
  const databasePromise = openDatabase(config, {
    owner: 'service',
    label: 'npm start',
    log: print,
    onUnexpectedExit(error) {
      log.error({ err: error }, 'the embedded PostgreSQL ended unexpectedly');
      void stop(1);
    },
  });

  let stopPromise: Promise<void> | undefined;
  const stop = (exitCode: number) => {
    // A second signal does not wait for open requests.
    if (stopPromise) node?.cutDrainShort();
    stopPromise ??= exitWhenStopped(shutDown(), exitCode, log);
    return stopPromise;
  };
  const shutDown = async () => {
    const database = await databasePromise.catch(() => undefined); // the database did not start, so there is nothing to stop
    try {
      await node?.stop();
    } finally {
      await database?.stop();
    }
  };
  watchUncaughtErrors(log, () => void stop(1));
  // The signal handlers are installed first, because a database server that is still starting must be stopped, too.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      print(`${signal}: waiting for running requests.`);
      void stop(0);
    });
  }

  try {
    const database = await databasePromise;
    if (stopPromise) return;
    const vault = new Vault(config.secrets);
    // These checks run before anything is written.
    await withSetupDb(database.url, vault, async (db) => {
      await refuseWrongMode(db, config.mode);
      await refuseWrongKeys(db, vault);
    });
    print('Migrating the database ...');
    await migrate(database.url, config.mode, { print });
    await setUp(configuration, database.url, vault);
    print('Starting the API servers ...');
    const deps = { configuration, databaseUrl: database.url, log };
    node = config.processes > 1 ? createClusterNode(deps) : await createSingleProcessNode(deps);
    const startedNode = { ...(await node.open()), database: database.description };
    if (printsJson) process.stdout.write(`${JSON.stringify(describeNode(config, startedNode))}\n`);
    else print(formatBanner(config, startedNode));
  } catch (error) {
    if (stopPromise) return;
    if (!(error instanceof WorkerEndedError)) process.stderr.write(`${explainError(error)}\n`);
    await stop(1);
  }
}

/** Opens a database connection for the set-up, and closes it. */
async function withSetupDb(url: string, vault: Vault, useDb: (db: Db) => Promise<void>): Promise<void> {
  const options = { url, poolSize: 1, applicationName: 'semana set-up', vault, timeoutMs: SETUP_TIMEOUT_MS };
  const db = openDb(options);
  try {
    await useDb(db);
  } finally {
    await db.close();
  }
}

/** On the very first start, records the mode and writes the demo data of the sandbox, in one transaction. */
async function setUp(configuration: Configuration, url: string, vault: Vault): Promise<void> {
  const { mode } = configuration.config;
  await withSetupDb(url, vault, (db) =>
    forNewCustomers(db).transaction(async (tx) => {
      await recordKeyChecks(tx, vault);
      if (!(await claimInstallation(tx, mode))) return;
      const demoModules = listModules(mode).filter(({ onFirstStart }) => onFirstStart);
      if (demoModules.length > 0) print('Writing the demo data ...');
      const deps = { clock: systemClock, vault, events: createModuleEvents(configuration) };
      for (const module of demoModules) await module.onFirstStart?.(tx, deps);
    }),
  );
}

async function createSingleProcessNode(deps: Parameters<typeof createClusterNode>[0]): Promise<ServiceNode> {
  const app = await createApp({ ...deps, clock: systemClock });
  const { drainMs } = deps.configuration.config;
  return {
    open: () => app.start(),
    cutDrainShort: () => app.drain.cutShort(),
    stop: () => stopApp(app, drainMs),
  };
}

type StartedNode = StartedApp & { database: string };

function findDemoKeys({ mode }: Config) {
  return listModules(mode).find((module) => module.demoKeys)?.demoKeys;
}

function describeNode(config: Config, { partnerUrl, staffUrl, bannerTop }: StartedNode) {
  // The text of a row begins with an address, if the row is about an app.
  const apps = Object.fromEntries(
    bannerTop
      .map(([name, text]) => [name!.toLowerCase().replaceAll(' ', '_'), text!.split(' ')[0]!] as const)
      .filter(([, address]) => URL.canParse(address)),
  );
  const addresses = {
    partner: partnerUrl,
    staff: staffUrl,
    public: config.publicUrl ?? partnerUrl,
    ...apps,
  };
  return {
    mode: config.mode,
    pid: process.pid,
    addresses,
    ports: Object.fromEntries(
      Object.entries(addresses).map(([name, address]) => [name, Number(new URL(address).port)]),
    ),
    keys: findDemoKeys(config),
  };
}

function formatBanner(config: Config, startedNode: StartedNode): string {
  const publicUrl = config.publicUrl ?? startedNode.partnerUrl;
  const rows = [
    ...startedNode.bannerTop,
    ['Partners', startedNode.partnerUrl],
    ...(config.publicUrl ? [['Public', config.publicUrl]] : []),
    ['Staff', startedNode.staffUrl],
    ['API docs', `${publicUrl}/docs`],
    ['Database', startedNode.database],
    ...startedNode.bannerRows,
  ];
  const key = findDemoKeys(config)?.partner ?? 'YOUR-KEY';
  return [
    '',
    `  Semana is running (${config.mode})`,
    '',
    ...rows.map(([name, value]) => `  ${name!.padEnd(13)}${value}`),
    '',
    `  Try: curl -H 'x-api-key: ${key}' '${publicUrl}/public/merchants?q=farmacia&limit=3'`,
    '',
  ].join('\n');
}
