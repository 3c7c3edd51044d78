import { userInfo } from 'node:os';
import { systemClock } from '#platform/clock.ts';
import { backupCommand, restoreCommand } from '#platform/command-line/backup.ts';
import { alignRows, type Command, type LocalCommand, readArguments } from '#platform/command-line/command.ts';
import { distribute, listWalletTables } from '#platform/command-line/distribute.ts';
import { listSettings } from '#platform/config.ts';
import { openDatabase } from '#platform/database/database.ts';
import { openDb } from '#platform/database/db.ts';
import {
  claimInstallation,
  recordKeyChecks,
  refuseWrongKeys,
  refuseWrongMode,
} from '#platform/database/installation.ts';
import { migrate, requireCurrentSchema } from '#platform/database/migrate.ts';
import { collectConfigErrors, formatDefault } from '#platform/settings.ts';
import { Vault } from '#platform/vault.ts';
import { type Configuration, listModuleCommands, modules, readConfigurationLazily } from '../modules.ts';
import type { CommandIo } from './run-operation.ts';

// The commands that need this machine, or must work while the service is down.

/** Runs the service. Unlike other commands it opens its database itself and runs until a signal stops it. */
const startCommand: LocalCommand = {
  name: 'start',
  group: 'Service',
  summary: 'run the service (the same as npm start)',
  details: `Settings come from the environment, for every command:\n\n${alignRows(
    listSettings(modules).map(
      (setting) =>
        [setting.name, `${setting.description.en} (default ${formatDefault(setting).en})`] as const,
    ),
  )}`,
  options: {
    json: { help: 'print addresses, ports and demo keys as one line of JSON once it runs, for scripts' },
  },
  // main.ts starts the service when it is imported, and reads the option itself.
  runLocally: async () => void (await import('../main.ts')),
};

const migrateCommand: Command = {
  name: 'migrate',
  worksBeforeMigration: true,
  group: 'Service',
  summary: 'migrate the database to this release',
  details:
    'The service does this at startup. Use this command to do it in advance. It is safe to run at any time.',
  async run({ db, config, databaseUrl, vault, print, printError }) {
    await refuseWrongKeys(db, vault);
    const appliedMigrations = await migrate(databaseUrl, config.mode, { print: printError });
    // Records the live mode before the first start, so that a start without SEMANA_MODE=live is refused. The sandbox mode is recorded
    // when the demo data is written.
    if (config.mode === 'live') await claimInstallation(db, config.mode);
    await recordKeyChecks(db, vault);
    print(
      appliedMigrations.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${appliedMigrations.map((name) => `  ${name}`).join('\n')}`,
    );
  },
};

const distributeCommand: Command = {
  name: 'distribute',
  group: 'Service',
  summary: 'distribute the wallet over the workers of a Citus cluster, by customer',
  details:
    'Run it once, after `semana migrate` and before the first start, because the tables must be empty. See docs/scale.md.',
  async run({ db, databaseUrl, print }) {
    const tables = await listWalletTables(db);
    await distribute(databaseUrl, tables);
    print(`Distributed by customer:\n${tables.map((name) => `  ${name}`).join('\n')}`);
  },
};

type AnyLocalCommand = Command | LocalCommand;

/** `configuration` is read when a command runs, not for its help. */
export const listLocalCommands = (configuration: Configuration): AnyLocalCommand[] => [
  startCommand,
  migrateCommand,
  distributeCommand,
  backupCommand,
  restoreCommand,
  ...modules.flatMap((module) => module.processCommand?.(() => configuration.readSettings(module)) ?? []),
  ...listModuleCommands(configuration),
];

/** Commands may run long statements: an audit reads all data, and no client is waiting for a response. */
const COMMAND_TIMEOUT_MS = 600_000;

export async function runLocalCommand(
  name: string,
  words: string[],
  { env, ...io }: CommandIo,
): Promise<number> {
  const configuration = readConfigurationLazily(env);
  const command = listLocalCommands(configuration).find((candidate) => candidate.name === name);
  if (!command)
    throw new Error(`manifest.json has the command '${name}', which does not exist: run 'npm run generate'`);
  const args = readArguments(command, words);
  if ('runLocally' in command) {
    await command.runLocally(args, io.print);
    return 0;
  }
  collectConfigErrors([() => configuration.config, ...(command.requiredSettings ?? [])]);
  const { config } = configuration;
  const label = `semana ${command.name}`;
  const database = await openDatabase(config, { owner: 'command', label, log: io.printError });
  const vault = new Vault(config.secrets);
  const { url } = database;
  const db = openDb({ url, poolSize: 4, applicationName: label, vault, timeoutMs: COMMAND_TIMEOUT_MS });
  try {
    const context = { config, db, databaseUrl: url, ...io, vault, user: userInfo().username };
    // Checked before anything is written, so that a command on the wrong database changes nothing.
    await refuseWrongMode(db, config.mode);
    if (command.worksBeforeMigration)
      return (await command.run({ ...context, clock: systemClock }, args)) ?? 0;
    await requireCurrentSchema(db, config.mode);
    await refuseWrongKeys(db, vault, { allowNewLookupKey: command.allowsNewLookupKey?.(args) ?? false });
    const clockModule = config.mode === 'sandbox' ? modules.find(({ readClock }) => readClock) : undefined;
    const clock = (await clockModule?.readClock?.(db, systemClock)) ?? systemClock;
    return (await command.run({ ...context, clock }, args)) ?? 0;
  } finally {
    await db.close();
    await database.stop();
  }
}
