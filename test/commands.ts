import { type Command, findCommand, readArguments } from '#platform/command.ts';
import { readConfig } from '#platform/config.ts';
import type { Service } from './harness.ts';

/** Runs commands as `semana NAME ARGUMENTS` would, but in this process, on this service's database and by its clock. */
export function commandRunner(service: Service, commands: readonly Command[]) {
  return async (name: string, ...words: string[]): Promise<string> => {
    const command = findCommand(commands, name.split(' '));
    if (!command) throw new Error(`there is no command '${name}'`);
    const printed: string[] = [];
    const context = {
      ...{ config: readConfig({}), db: service.db, databaseUrl: service.databaseUrl, clock: service.clock },
      print: (text: string) => void printed.push(text),
      printError: () => undefined,
    };
    await command.run(context, readArguments(command, words));
    return printed.join('\n');
  };
}
