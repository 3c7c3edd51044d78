import { type Command, findCommand, readArguments } from '#platform/command.ts';
import { readConfig } from '#platform/config.ts';
import type { House } from './harness.ts';

/** Runs commands as `semana NAME ARGUMENTS` would, but in this process, on this house's database and by its clock. */
export function commandRunner(house: House, commands: readonly Command[]) {
  return async (name: string, ...words: string[]): Promise<string> => {
    const command = findCommand(commands, name.split(' '));
    if (!command) throw new Error(`there is no command '${name}'`);
    const printed: string[] = [];
    const context = {
      ...{ config: readConfig({}), db: house.db, databaseUrl: house.databaseUrl, clock: house.clock },
      print: (text: string) => void printed.push(text),
      tell: () => undefined,
    };
    await command.run(context, readArguments(command, words));
    return printed.join('\n');
  };
}
