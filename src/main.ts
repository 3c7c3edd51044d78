import { systemClock } from '#platform/clock.ts';
import { type Config, ConfigFaults, readConfig } from '#platform/config.ts';
import { findDatabase } from '#platform/database.ts';
import { openDb } from '#platform/db.ts';
import { claimInstallation, WrongMode } from '#platform/installation.ts';
import { openLog } from '#platform/log.ts';
import { MigrationFault, migrate } from '#platform/migrate.ts';
import { EmbeddedPostgresError } from '#platform/postgres/embedded.ts';
import { DEMO_OPERATOR_KEY, DEMO_PARTNER_KEY, seedDemo } from '#sandbox';
import { type App, createApp } from './app.ts';

/** Requests that have not ended by then are cut off. */
const DRAIN_MS = 20_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

try {
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  let stop: ((code: number) => Promise<void>) | undefined;
  const database = await findDatabase(config, {
    owner: 'service',
    label: 'npm start',
    log: say,
    onUnexpectedExit(error) {
      log.error({ err: error }, 'the embedded PostgreSQL ended by itself');
      void stop?.(1);
    },
  });

  let app: App | undefined;
  let stopping: Promise<void> | undefined;
  stop = (code) => {
    stopping ??= shutDown(app, database.stop).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
    return stopping;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      say(`${signal}: letting running requests end.`);
      void stop(0);
    });
  }

  try {
    await migrate(database.url);
    await setUp(config, database.url);
    app = await createApp({ config, databaseUrl: database.url, clock: systemClock, log });
    const { frontUrl, staffUrl } = await app.start();
    say(card(config, { frontUrl, staffUrl, where: database.where }));
  } catch (error) {
    if (stopping) return;
    process.stderr.write(`${explain(error)}\n`);
    await stop(1);
  }
}

/** On the very first start: what the database is for, and in the sandbox something to look at. All of it or nothing. */
async function setUp(config: Config, url: string): Promise<void> {
  const db = openDb({ url, poolSize: 1, label: 'semana set-up' });
  try {
    await db.transaction(async (tx) => {
      const first = await claimInstallation(tx, config.mode);
      if (first && config.mode === 'sandbox') await seedDemo(tx, systemClock);
    });
  } finally {
    await db.close();
  }
}

async function shutDown(app: App | undefined, stopDatabase: () => Promise<void>): Promise<void> {
  const drained = app?.stop() ?? Promise.resolve();
  const impatient = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
  try {
    await Promise.race([drained, impatient]);
  } finally {
    await stopDatabase();
  }
}

function card(config: Config, at: { frontUrl: string; staffUrl: string; where: string }): string {
  const rows = [
    ['Partners', at.frontUrl],
    ['Staff', at.staffUrl],
    ['Reference', `${at.frontUrl}/docs`],
    ['Database', at.where],
    ...(config.mode === 'sandbox'
      ? [
          ['Partner key', DEMO_PARTNER_KEY],
          ['Operator key', DEMO_OPERATOR_KEY],
        ]
      : []),
  ];
  const key = config.mode === 'sandbox' ? DEMO_PARTNER_KEY : 'YOUR-KEY';
  return [
    '',
    `  Semana is open (${config.mode})`,
    '',
    ...rows.map(([name, value]) => `  ${name!.padEnd(13)}${value}`),
    '',
    `  Try: curl -H 'x-api-key: ${key}' '${at.frontUrl}/public/merchants?q=farmacia&limit=3'`,
    '',
  ].join('\n');
}

/** What the operator can mend is told without a stack; the rest is a defect and shows where. */
function explain(error: unknown): string {
  if (error instanceof ConfigFaults)
    return [error.message, ...error.faults.map((fault) => `  - ${fault}`)].join('\n');
  if (!(error instanceof Error)) return String(error);
  const { code, message } = error as Error & { code?: string };
  if (code === 'EADDRINUSE')
    return `${message}. Another program has the port: stop it, or set PORT and STAFF_PORT.`;
  if (code === 'EACCES' && /listen/.test(message))
    return `${message}. Ports below 1024 need rights; set PORT.`;
  if (error instanceof EmbeddedPostgresError || error instanceof MigrationFault || error instanceof WrongMode)
    return message;
  if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '28P01', '3D000', '28000'].includes(code ?? '')) {
    return `The database of DATABASE_URL cannot be used: ${message || code}.`;
  }
  return error.stack ?? message;
}
