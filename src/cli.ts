import { systemClock } from '#platform/clock.ts';
import {
  aligned,
  type Command,
  CommandFault,
  commandHelp,
  findCommand,
  overview,
  readArguments,
  UsageFault,
} from '#platform/command.ts';
import { listSettings } from '#platform/config.ts';
import { findDatabase } from '#platform/database.ts';
import { openDb } from '#platform/db.ts';
import { explain } from '#platform/explain.ts';
import { refuseWrongMode } from '#platform/installation.ts';
import { migrate } from '#platform/migrate.ts';
import { Problem } from '#platform/problem.ts';
import { requireCurrentSchema } from '#platform/schema-check.ts';
import { ConfigFaults } from '#platform/settings.ts';
import { Vault } from '#platform/vault.ts';
import { type Configuration, commandsOf, modules, readConfiguration } from './modules.ts';

/** A process of its own kind: it opens its database itself and ends when it is told to. */
const startService = async (): Promise<undefined> => {
  await import('./main.ts');
};

const startCommand: Command = {
  name: 'start',
  summary: 'run the service (the same as npm start)',
  details: `Settings come from the environment, for every command:\n\n${aligned(
    listSettings(modules).map(
      ({ name, fallback, meaning }) => [name, `${meaning} (default ${fallback})`] as const,
    ),
  )}`,
  run: startService,
};

const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to this release',
  details: 'The service does this itself at start; use it to do so beforehand. Safe to run at any time.',
  async run({ config, databaseUrl, print }) {
    const applied = await migrate(databaseUrl, config.mode, { say: printError });
    print(
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${applied.map((n) => `  ${n}`).join('\n')}`,
    );
    return undefined;
  },
};

let configured: Configuration | undefined;
const configuration = () => {
  configured ??= readConfiguration(process.env);
  return configured;
};
const COMMANDS: Command[] = [startCommand, migrateCommand, ...commandsOf(configuration)];

/** Nobody waits at the other end of a connection: an audit of everything may take its time. */
const COMMAND_PATIENCE_MS = 600_000;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const printError = (text: string) => void process.stderr.write(`${text}\n`);

// Whoever reads us may have had enough (`semana key list | head -1`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const wantsHelp =
    words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h');
  const asked = words[0] === 'help' ? words.slice(1) : words;
  const command = findCommand(COMMANDS, asked);
  if (!command) return explainUnknown(asked, wantsHelp);
  if (wantsHelp) {
    print(commandHelp(command));
    return 0;
  }
  try {
    return await run(command, asked.slice(command.name.split(' ').length));
  } catch (error) {
    return reportFault(error, command);
  }
}

async function run(command: Command, words: string[]): Promise<number> {
  const args = readArguments(command, words);
  if (command === startCommand) return (await startService()) ?? 0;
  const { config } = configuration();
  const label = `semana ${command.name}`;
  const database = await findDatabase(config, { owner: 'command', label, log: printError });
  const db = openDb({ url: database.url, poolSize: 4, label, patienceMs: COMMAND_PATIENCE_MS });
  try {
    const context = { config, db, databaseUrl: database.url, print, printError };
    const vault = new Vault(config.secrets);
    // Before anything is written: a command aimed at the wrong database changes nothing.
    await refuseWrongMode(db, config.mode);
    if (command === migrateCommand)
      return (await command.run({ ...context, vault, clock: systemClock }, args)) ?? 0;
    await requireCurrentSchema(db, config.mode);
    const moved = config.mode === 'sandbox' ? modules.find(({ readClock }) => readClock) : undefined;
    const clock = (await moved?.readClock?.(db, systemClock)) ?? systemClock;
    return (await command.run({ ...context, vault, clock }, args)) ?? 0;
  } finally {
    await db.close();
    await database.stop();
  }
}

/** No command has this name: it is a group of them, or none at all. */
function explainUnknown(words: string[], wantsHelp: boolean): number {
  const [first] = words;
  const isOption = first === undefined || first.startsWith('-');
  const meant = isOption ? COMMANDS : COMMANDS.filter((command) => command.name.startsWith(`${first} `));
  if (meant.length === 0) {
    printError(`There is no command '${first}'. 'semana --help' lists them.`);
    return 2;
  }
  const write = wantsHelp ? print : printError;
  write(overview(meant));
  return wantsHelp ? 0 : 2;
}

function reportFault(error: unknown, command: Command): number {
  if (error instanceof UsageFault) {
    printError(`${error.message} See 'semana ${command.name} --help'.`);
    return 2;
  }
  if (error instanceof Problem) {
    const { errors = [] } = error.extras;
    const faults = errors.map(({ pointer, message }) => `  - ${pointer.slice(1)}: ${message}`);
    printError([error.message, ...faults].join('\n'));
    return 1;
  }
  printError(error instanceof CommandFault ? error.message : explain(error));
  return error instanceof ConfigFaults ? 2 : 1;
}
