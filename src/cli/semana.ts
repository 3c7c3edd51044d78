import { styleText } from 'node:util';
import { CommandError, findCommand, readArguments, UsageError } from '#platform/command-line/command.ts';
import { explainUnknownCommand, formatHelp } from '#platform/command-line/help.ts';
import { formatRelease } from '#platform/release.ts';
import { API_COMMANDS } from './api-commands.ts';
import { COMPLETION_COMMAND, complete, findCompletionScript } from './completion.ts';
import { type ManifestCommand, readManifest } from './manifest.ts';
import { explainRename } from './renamed.ts';
import { type CommandIo, runOperation } from './run-operation.ts';

// Nothing of the service is imported here, so that a command starts quickly. Commands that run on this machine import it.

export const listCommands = (): ManifestCommand[] => [...API_COMMANDS, COMPLETION_COMMAND, ...readManifest()];

/** Returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage. */
export async function runSemana(words: readonly string[], io: CommandIo): Promise<number> {
  const [firstWord, ...otherWords] = words;
  if (firstWord === '--version') {
    io.print(`semana ${formatRelease()}`);
    return 0;
  }
  const commands = listCommands();
  if (firstWord === '__complete') {
    for (const candidate of complete(commands, otherWords)) io.print(candidate);
    return 0;
  }
  const wantsHelp =
    words.length === 0 || firstWord === 'help' || words.includes('--help') || words.includes('-h');
  const commandWords = firstWord === 'help' ? otherWords : [...words];
  const command = findCommand(commands, commandWords);
  if (wantsHelp || !command) {
    const output = command
      ? { text: formatHelp(command), code: 0 }
      : (explainRename(commands, commandWords) ??
        explainUnknownCommand(commands, commandWords, { wantsHelp }));
    if (output.code === 0) io.print(output.text);
    else io.printError(output.text);
    return output.code;
  }
  const commandArguments = commandWords.slice(command.name.split(' ').length);
  try {
    return await runCommand(command, commandArguments, io);
  } catch (error) {
    const { text, code } = await describeError(error, command.name);
    io.printError(styleText('red', text, { stream: process.stderr }));
    return code;
  }
}

async function describeError(error: unknown, name: string): Promise<{ text: string; code: number }> {
  if (error instanceof UsageError) return { text: `${error.message} See 'semana ${name} --help'.`, code: 2 };
  if (error instanceof CommandError) return { text: error.message, code: 1 };
  // Only local commands throw other errors. Their explanation imports the database client.
  const { explainError } = await import('#platform/command-line/explain-error.ts');
  const { ConfigErrors } = await import('#platform/settings.ts');
  return { text: explainError(error), code: error instanceof ConfigErrors ? 2 : 1 };
}

async function runCommand(command: ManifestCommand, words: string[], io: CommandIo): Promise<number> {
  const args = readArguments(command, words);
  const handwrittenCommand = API_COMMANDS.find((candidate) => candidate === command);
  if (command.operation) return runOperation(command, args, io);
  if (handwrittenCommand) await handwrittenCommand.run(args, io);
  else if (command === COMPLETION_COMMAND) io.print(findCompletionScript(args.positionals[0]!));
  else return (await import('./local.ts')).runLocalCommand(command.name, words, io);
  return 0;
}
