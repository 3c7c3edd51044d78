import { catalogCommands } from '#catalog';
import { creditCommands, creditUsed } from '#credit';
import { customerCommands } from '#customers';
import { auditCommand } from '#ledger';
import { partnerCommands } from '#partners';
import { pixCommands } from '#pix';
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
import { ConfigFaults, readConfig, SETTINGS } from '#platform/config.ts';
import { findDatabase } from '#platform/database.ts';
import { openDb } from '#platform/db.ts';
import { explain } from '#platform/explain.ts';
import { refuseWrongMode } from '#platform/installation.ts';
import { migrate } from '#platform/migrate.ts';
import { Problem } from '#platform/problem.ts';
import { rewardsCommands } from '#rewards';
import { readSandboxClock, sandboxCommands } from '#sandbox';
import { AUDITORS, wireEvents } from './wiring.ts';

/** A process of its own kind: it opens its database itself and ends when it is told to. */
const startService = async (): Promise<undefined> => {
  await import('./main.ts');
};

const startCommand: Command = {
  name: 'start',
  summary: 'run the service (the same as npm start)',
  details: `Settings come from the environment, for every command:\n\n${aligned(
    SETTINGS.map(({ name, fallback, meaning }) => [name, `${meaning} (default ${fallback})`] as const),
  )}`,
  run: startService,
};

const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to this release',
  details: 'The service does this itself at start; use it to do so beforehand. Safe to run at any time.',
  async run({ config, databaseUrl, print }) {
    const applied = await migrate(databaseUrl, config.mode);
    print(
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${applied.map((n) => `  ${n}`).join('\n')}`,
    );
    return undefined;
  },
};

const events = wireEvents(() => readConfig(process.env).referral);
const COMMANDS: Command[] = [
  startCommand,
  ...partnerCommands,
  ...catalogCommands,
  ...customerCommands(events, creditUsed),
  ...creditCommands(events),
  ...pixCommands(events),
  ...rewardsCommands(events),
  auditCommand(AUDITORS),
  migrateCommand,
  ...sandboxCommands(events),
];

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
  const config = readConfig(process.env);
  const database = await findDatabase(config, {
    owner: 'command',
    label: `semana ${command.name}`,
    log: printError,
  });
  const db = openDb({ url: database.url, poolSize: 4, label: `semana ${command.name}` });
  try {
    if (command !== migrateCommand) {
      await migrate(database.url, config.mode);
      await refuseWrongMode(db, config.mode);
    }
    const isMoved = config.mode === 'sandbox' && command !== migrateCommand;
    const clock = isMoved ? await readSandboxClock(db, systemClock) : systemClock;
    const context = { config, db, databaseUrl: database.url, clock, print, printError };
    return (await command.run(context, args)) ?? 0;
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
  const say = wantsHelp ? print : printError;
  say(overview(meant));
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
