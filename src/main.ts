import { systemClock } from '#platform/clock.ts';
import { explain } from '#platform/command-line/explain.ts';
import type { Config } from '#platform/config.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { findDatabase, type RunningDatabase } from '#platform/database/database.ts';
import { openDb } from '#platform/database/db.ts';
import { claimInstallation, refuseWrongMode } from '#platform/database/installation.ts';
import { migrate } from '#platform/database/migrate.ts';
import { openLog } from '#platform/observability/log.ts';
import { watchUncaughtErrors } from '#platform/observability/uncaught-errors.ts';
import { recordKeys, refuseWrongKeys } from '#platform/privacy/key-checks.ts';
import { Vault } from '#platform/vault.ts';
import { createApp } from './app.ts';
import { type Configuration, eventsOf, modulesIn, readConfiguration } from './modules.ts';
import { stopApp } from './stop-app.ts';
import { type RunningNode, type StartedApp, severalProcesses, WorkerEnded } from './workers.ts';

/** Longer than for requests: no caller waits yet, and a machine that is booting may be slow. */
const SET_UP_MS = 60_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

try {
  await serve(readConfiguration(process.env));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

async function serve(configuration: Configuration): Promise<void> {
  const { config } = configuration;
  const log = openLog(config.logLevel);
  let node: RunningNode | undefined;
  const opening = findDatabase(config, {
    owner: 'service',
    label: 'npm start',
    log: say,
    onUnexpectedExit(error) {
      log.error({ err: error }, 'the embedded PostgreSQL ended by itself');
      void stop(1);
    },
  });

  let stopping: Promise<void> | undefined;
  const stop = (code: number) => {
    if (stopping) node?.hurry();
    stopping ??= shutDown(node, opening).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
    return stopping;
  };
  watchUncaughtErrors(log, () => void stop(1));
  // Installed first: a database server that is still starting must be stopped, too.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      say(`${signal}: letting running requests end.`);
      void stop(0);
    });
  }

  try {
    const database = await opening;
    if (stopping) return;
    await refuseUnfit(config, database.url);
    say('Migrating the database ...');
    await migrate(database.url, config.mode, { say });
    await setUp(configuration, database.url);
    say('Opening the doors ...');
    const given = { configuration, databaseUrl: database.url, log };
    node = config.processes > 1 ? severalProcesses(given) : await oneProcess(given);
    say(card(config, { ...(await node.open()), where: database.where }));
  } catch (error) {
    if (stopping) return;
    if (!(error instanceof WorkerEnded)) process.stderr.write(`${explain(error)}\n`);
    await stop(1);
  }
}

/** Refuses a database of the other mode or with other encryption keys, before anything is written. */
async function refuseUnfit({ mode, secrets }: Config, url: string): Promise<void> {
  const db = openDb({ url, poolSize: 1, label: 'semana set-up', timeoutMs: SET_UP_MS });
  try {
    await refuseWrongMode(db, mode);
    await refuseWrongKeys(db, new Vault(secrets));
  } finally {
    await db.close();
  }
}

/** On the very first start, in one transaction: records the mode, and writes demo data in the sandbox. */
async function setUp(configuration: Configuration, url: string): Promise<void> {
  const { mode, secrets } = configuration.config;
  const vault = new Vault(secrets);
  const db = openDb({ url, poolSize: 1, label: 'semana set-up', vault, timeoutMs: SET_UP_MS });
  try {
    await forNewCustomers(db).transaction(async (tx) => {
      await recordKeys(tx, vault);
      if (!(await claimInstallation(tx, mode))) return;
      const writers = modulesIn(mode).filter(({ firstStart }) => firstStart);
      if (writers.length > 0) say('Writing the demo data ...');
      const parts = { clock: systemClock, vault, events: eventsOf(configuration) };
      for (const module of writers) await module.firstStart?.(tx, parts);
    });
  } finally {
    await db.close();
  }
}

async function shutDown(node: RunningNode | undefined, opening: Promise<RunningDatabase>): Promise<void> {
  const database = await opening.catch(() => undefined); // did not open: nothing to stop
  try {
    await node?.stop();
  } finally {
    await database?.stop();
  }
}

async function oneProcess(parts: Parameters<typeof severalProcesses>[0]): Promise<RunningNode> {
  const app = await createApp({ ...parts, clock: systemClock });
  const { drainMs } = parts.configuration.config;
  return { open: () => app.start(), hurry: () => app.drain.hurry(), stop: () => stopApp(app, drainMs) };
}

function card(config: Config, at: StartedApp & { where: string }): string {
  const demo = modulesIn(config.mode).find((module) => module.demo)?.demo;
  const publicUrl = config.publicUrl ?? at.frontUrl;
  const rows = [
    ...at.cardTop,
    ['Partners', at.frontUrl],
    ...(config.publicUrl ? [['Public', config.publicUrl]] : []),
    ['Staff', at.staffUrl],
    ['Reference', `${publicUrl}/docs`],
    ['Database', at.where],
    ...at.card,
  ];
  const key = demo?.partnerKey ?? 'YOUR-KEY';
  return [
    '',
    `  Semana is open (${config.mode})`,
    '',
    ...rows.map(([name, value]) => `  ${name!.padEnd(13)}${value}`),
    '',
    `  Try: curl -H 'x-api-key: ${key}' '${publicUrl}/public/merchants?q=farmacia&limit=3'`,
    '',
  ].join('\n');
}
