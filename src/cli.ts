import { catalogCommands } from '#catalog';
import { partnerCommands } from '#partners';
import { systemClock } from '#platform/clock.ts';
import {
  type Command,
  CommandFault,
  commandHelp,
  findCommand,
  overview,
  readArguments,
  UsageFault,
} from '#platform/command.ts';
import { ConfigFaults, readConfig } from '#platform/config.ts';
import { findDatabase } from '#platform/database.ts';
import { DatabaseAway, openDb } from '#platform/db.ts';
import { MigrationFault, migrate } from '#platform/migrate.ts';
import { EmbeddedPostgresError } from '#platform/postgres/embedded.ts';
import { sandboxCommands } from '#sandbox';

const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to this release',
  details: 'The service does this itself at start; use it to do so beforehand. Safe to run at any time.',
  async run({ databaseUrl, print }) {
    const applied = await migrate(databaseUrl);
    print(
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${applied.map((n) => `  ${n}`).join('\n')}`,
    );
    return undefined;
  },
};

const COMMANDS: Command[] = [...partnerCommands, ...catalogCommands, migrateCommand, ...sandboxCommands];

const print = (text: string) => void process.stdout.write(`${text}\n`);
const tell = (text: string) => void process.stderr.write(`${text}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const command = findCommand(COMMANDS, words);
  const wantsHelp = words.includes('--help') || words.includes('-h') || words[0] === 'help';
  if (!command) return explainUnknown(words, wantsHelp);
  if (wantsHelp) {
    print(commandHelp(command));
    return 0;
  }
  try {
    return await run(command, words.slice(command.name.split(' ').length));
  } catch (error) {
    return explain(error, command);
  }
}

async function run(command: Command, words: string[]): Promise<number> {
  const args = readArguments(command, words);
  const config = readConfig(process.env);
  const database = await findDatabase(config, {
    owner: 'command',
    label: `semana ${command.name}`,
    log: tell,
  });
  const db = openDb({ url: database.url, poolSize: 4, label: `semana ${command.name}` });
  try {
    if (command !== migrateCommand) await migrate(database.url);
    const context = { config, db, databaseUrl: database.url, clock: systemClock, print, tell };
    return (await command.run(context, args)) ?? 0;
  } finally {
    await db.close();
    await database.stop();
  }
}

function explainUnknown(words: string[], wantsHelp: boolean): number {
  const known = COMMANDS.filter((command) => command.name.startsWith(`${words[0]} `));
  if (words.length === 0 || words[0] === 'help' || words[0]?.startsWith('-')) {
    print(overview(COMMANDS));
    return words.length === 0 || wantsHelp ? 0 : 2;
  }
  if (known.length > 0) {
    const say = wantsHelp ? print : tell;
    say(overview(known));
    return wantsHelp ? 0 : 2;
  }
  tell(`There is no command '${words[0]}'. 'semana --help' lists them.`);
  return 2;
}

function explain(error: unknown, command: Command): number {
  if (error instanceof UsageFault) {
    tell(`${error.message} See 'semana ${command.name} --help'.`);
    return 2;
  }
  if (error instanceof ConfigFaults) {
    tell([error.message, ...error.faults.map((fault) => `  - ${fault}`)].join('\n'));
    return 2;
  }
  if (
    error instanceof CommandFault ||
    error instanceof MigrationFault ||
    error instanceof EmbeddedPostgresError
  ) {
    tell(error.message);
    return 1;
  }
  if (error instanceof DatabaseAway) {
    tell(`The database cannot be reached: ${(error.cause as Error).message}`);
    return 1;
  }
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}
