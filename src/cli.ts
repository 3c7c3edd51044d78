import { userInfo } from 'node:os';
import { systemClock } from '#platform/clock.ts';
import { backupCommand, restoreCommand } from '#platform/command-line/backup.ts';
import {
  aligned,
  type Command,
  type CommandContext,
  findCommand,
  type LocalCommand,
  readArguments,
} from '#platform/command-line/command.ts';
import { completionCommand } from '#platform/command-line/completion.ts';
import { askTerminal } from '#platform/command-line/confirmation.ts';
import { distribute, listWalletTables } from '#platform/command-line/distribute.ts';
import { describeFault } from '#platform/command-line/fault.ts';
import { commandHelp, explainUnknown } from '#platform/command-line/help.ts';
import { listSettings } from '#platform/config.ts';
import { findDatabase } from '#platform/database/database.ts';
import { openDb } from '#platform/database/db.ts';
import { claimInstallation, refuseWrongMode } from '#platform/database/installation.ts';
import { migrate } from '#platform/database/migrate.ts';
import { requireCurrentSchema } from '#platform/database/schema-check.ts';
import { recordKeys, refuseWrongKeys } from '#platform/privacy/key-checks.ts';
import { shownRelease } from '#platform/release.ts';
import { collectFaults, shownDefault } from '#platform/settings.ts';
import { Vault } from '#platform/vault.ts';
import { type Configuration, commandsOf, modules, openConfiguration } from './modules.ts';

/** The service: unlike other commands it opens its database itself and runs until a signal stops it. */
const startCommand: LocalCommand = {
  name: 'start',
  group: 'Service',
  summary: 'run the service (the same as npm start)',
  details: `Settings come from the environment, for every command:\n\n${aligned(
    listSettings(modules).map(
      (setting) => [setting.name, `${setting.meaning.en} (default ${shownDefault(setting).en})`] as const,
    ),
  )}`,
  runLocally: async () => void (await import('./main.ts')),
};

const migrateCommand: Command = {
  name: 'migrate',
  beforeSetUp: true,
  group: 'Service',
  summary: 'bring the database up to this release',
  details: 'The service does this itself at start; use it to do so beforehand. Safe to run at any time.',
  async run({ db, config, databaseUrl, vault, print, printError }) {
    await refuseWrongKeys(db, vault);
    const applied = await migrate(databaseUrl, config.mode, { say: printError });
    // Marks the database as live before the first start, so that a start without SEMANA_MODE=live is refused. A sandbox is
    // marked when its demo data is written.
    if (config.mode === 'live') await claimInstallation(db, config.mode);
    await recordKeys(db, vault);
    print(
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${applied.map((n) => `  ${n}`).join('\n')}`,
    );
  },
};

const distributeCommand: Command = {
  name: 'distribute',
  group: 'Service',
  summary: 'spread the wallet over the workers of a Citus cluster, by customer',
  details:
    'Once, after `semana migrate` and before the first start: the tables must be empty. See docs/scale.md.',
  async run({ db, databaseUrl, print }) {
    const tables = await listWalletTables(db);
    await distribute(databaseUrl, tables);
    print(`Distributed by customer:\n${tables.map((name) => `  ${name}`).join('\n')}`);
  },
};

/** Input and output of a command: the process's own, or a test's. */
type CommandIo = Pick<CommandContext, 'print' | 'printError' | 'ask' | 'stdin'> & {
  env: NodeJS.ProcessEnv;
};

type AnyCommand = Command | LocalCommand;

function listCommands(configuration: Configuration): AnyCommand[] {
  const commands: AnyCommand[] = [
    ...[startCommand, migrateCommand, distributeCommand, backupCommand, restoreCommand],
    completionCommand(() => commands),
    ...modules.flatMap((module) => module.process?.(() => configuration.settingsOf(module)) ?? []),
    ...commandsOf(configuration),
  ];
  return commands;
}

/** Commands may run long statements: an audit reads everything, and no caller waits. */
const COMMAND_TIMEOUT_MS = 600_000;

/** `semana WORDS...` as this process. */
export async function runProcess(): Promise<void> {
  // The reader may close the pipe early (`semana key list | head -1`): that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  process.exitCode = await semana(process.argv.slice(2), {
    env: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
    stdin: process.stdin,
    ...(isAttended && { ask: askTerminal }),
  });
}

/** Returns the exit code. */
export async function semana(words: string[], io: CommandIo): Promise<number> {
  const { print, printError } = io;
  const configuration = openConfiguration(io.env);
  const commands = listCommands(configuration);
  if (words[0] === '--version') {
    print(`semana ${shownRelease()}`);
    return 0;
  }
  const wantsHelp =
    words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h');
  const asked = words[0] === 'help' ? words.slice(1) : words;
  const command = findCommand(commands, asked);
  if (wantsHelp || !command) {
    const help = command
      ? { text: commandHelp(command), code: 0 }
      : explainUnknown(commands, asked, wantsHelp);
    (help.code === 0 ? print : printError)(help.text);
    return help.code;
  }
  try {
    return await run(command, asked.slice(command.name.split(' ').length), configuration, io);
  } catch (error) {
    const { text, code } = describeFault(error, command.name);
    printError(text);
    return code;
  }
}

async function run(
  command: AnyCommand,
  words: string[],
  configuration: Configuration,
  { env: _, ...io }: CommandIo,
): Promise<number> {
  const args = readArguments(command, words);
  if ('runLocally' in command) {
    await command.runLocally(args, io.print);
    return 0;
  }
  collectFaults([() => configuration.config, ...(command.needs ?? [])]);
  const { config } = configuration;
  const label = `semana ${command.name}`;
  const database = await findDatabase(config, { owner: 'command', label, log: io.printError });
  const vault = new Vault(config.secrets);
  const db = openDb({ url: database.url, poolSize: 4, label, vault, timeoutMs: COMMAND_TIMEOUT_MS });
  try {
    const context = {
      config,
      db,
      databaseUrl: database.url,
      ...io,
      vault,
      user: userInfo().username,
    };
    // Before anything is written: a command aimed at the wrong database changes nothing.
    await refuseWrongMode(db, config.mode);
    if (command.beforeSetUp) return (await command.run({ ...context, clock: systemClock }, args)) ?? 0;
    await requireCurrentSchema(db, config.mode);
    await refuseWrongKeys(db, vault, { newLookupKey: command.mayChangeLookupKey?.(args) ?? false });
    const moved = config.mode === 'sandbox' ? modules.find(({ readClock }) => readClock) : undefined;
    const clock = (await moved?.readClock?.(db, systemClock)) ?? systemClock;
    return (await command.run({ ...context, clock }, args)) ?? 0;
  } finally {
    await db.close();
    await database.stop();
  }
}
