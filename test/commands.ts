import { type Command, type CommandContext, findCommand, readArguments } from '#platform/command.ts';
import { Vault } from '#platform/vault.ts';
import { commandsOf, readConfiguration } from '../src/modules.ts';
import type { Service } from './harness.ts';

const configuration = readConfiguration({});
export const commands = commandsOf(() => configuration);

export function commandNamed(name: string): Command {
  const command = findCommand(commands, name.split(' '));
  if (!command) throw new Error(`there is no command '${name}'`);
  return command;
}

/** What commands run with on this service's database and by its clock. */
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
    print: () => undefined,
    printError: () => undefined,
    ...output,
  };
}

/** Runs commands as `semana NAME ARGUMENTS` would, but in this process. Answers what they print. */
export function commandRunner(service: Service) {
  return async (name: string, ...words: string[]): Promise<string> => {
    const command = commandNamed(name);
    const printed: string[] = [];
    const context = commandContext(service, { print: (text) => void printed.push(text) });
    await command.run(context, readArguments(command, words));
    return printed.join('\n');
  };
}
