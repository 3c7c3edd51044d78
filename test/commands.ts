import { Readable } from 'node:stream';
import {
  type Command,
  type CommandContext,
  findCommand,
  readArguments,
} from '#platform/command-line/command.ts';
import { Vault } from '#platform/vault.ts';
import { semana } from '../src/cli.ts';
import { commandsOf, readConfiguration } from '../src/modules.ts';
import type { Service } from './harness.ts';

const configuration = readConfiguration({});
export const commands = commandsOf(configuration);

export function commandNamed(name: string): Command {
  const command = findCommand(commands, name.split(' '));
  if (!command) throw new Error(`there is no command '${name}'`);
  return command;
}

/** A command's context on this service's database and clock. */
export function commandContext(
  { db, databaseUrl, clock }: Service,
  output: Partial<Pick<CommandContext, 'print' | 'printError' | 'ask'>> = {},
): CommandContext {
  const { config } = configuration;
  const vault = new Vault(config.secrets);
  return {
    config,
    vault,
    user: 'tester',
    db,
    databaseUrl,
    clock,
    stdin: Readable.from([]),
    print: () => undefined,
    printError: () => undefined,
    ...output,
  };
}

/** Runs commands as `semana NAME ARGUMENTS` would, but in this process. Returns their output. */
export function commandRunner(service: Service) {
  return async (name: string, ...words: string[]): Promise<string> => {
    const command = commandNamed(name);
    const printed: string[] = [];
    const context = commandContext(service, { print: (text) => void printed.push(text) });
    await command.run(context, readArguments(command, words));
    return printed.join('\n');
  };
}

/** `semana WORDS...` with parsing and exit code, as a process would run it, but in this one. */
export async function commandLine(words: string[], env: Record<string, string> = {}, input = '') {
  const written = { stdout: '', stderr: '' };
  const code = await semana(words, {
    env,
    stdin: Readable.from([Buffer.from(input)]),
    print: (text) => {
      written.stdout += `${text}\n`;
    },
    printError: (text) => {
      written.stderr += `${text}\n`;
    },
  });
  return { code, ...written };
}
