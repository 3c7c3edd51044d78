import { Readable } from 'node:stream';
import {
  type Command,
  type CommandContext,
  findCommand,
  readArguments,
} from '#platform/command-line/command.ts';
import { Vault } from '#platform/vault.ts';
import { runSemana } from '../src/cli/semana.ts';
import { listModuleCommands, readConfiguration } from '../src/modules.ts';
import type { SharedService } from './harness.ts';

const configuration = readConfiguration({});

/** Commands that run on the database instead of calling the staff API. */
const localCommands = listModuleCommands(configuration);

export function findLocalCommand(name: string): Command {
  const command = findCommand(localCommands, name.split(' '));
  if (!command) throw new Error(`there is no local command '${name}'`);
  return command;
}

/** Creates the context of a local command on this service's database and clock. */
export function createCommandContext(
  { db, databaseUrl, clock }: SharedService,
  output: Pick<CommandContext, 'print'> & Partial<Pick<CommandContext, 'printError'>>,
): CommandContext {
  const { config } = configuration;
  return {
    config,
    vault: new Vault(config.secrets),
    user: 'tester',
    db,
    databaseUrl,
    clock,
    stdin: Readable.from([]),
    printError: () => undefined,
    ...output,
  };
}

/** Runs commands as `semana NAME ARGUMENTS` would, but in this process, without a terminal. Returns their output. */
export function createCommandRunner(service: SharedService, env: Record<string, string> = {}) {
  return async (name: string, ...args: string[]): Promise<string> => {
    const localCommand = localCommands.find((command) => command.name === name);
    if (localCommand) {
      const lines: string[] = [];
      const errors: string[] = [];
      const context = createCommandContext(service, {
        print: (text) => void lines.push(text),
        printError: (text) => void errors.push(text),
      });
      const exitCode = await localCommand.run(context, readArguments(localCommand, args));
      if (exitCode) throw new Error([...errors, ...lines].join('\n'));
      return lines.join('\n');
    }
    const { code, stdout, stderr } = await runCli([...name.split(' '), ...args], {
      SEMANA_URL: service.staffUrl,
      ...env,
    });
    if (code !== 0) throw new Error(stderr);
    return stdout.trimEnd();
  };
}

/** Runs `semana ARGS...` as a process would, with parsing and exit code, but in this process. */
export async function runCli(
  args: string[],
  env: Record<string, string> = {},
  { input = '', ask }: { input?: string; ask?: (question: string) => Promise<string> } = {},
) {
  const output = { stdout: '', stderr: '' };
  const code = await runSemana(args, {
    env,
    stdin: Readable.from([Buffer.from(input)]),
    print: (text) => {
      output.stdout += `${text}\n`;
    },
    printError: (text) => {
      output.stderr += `${text}\n`;
    },
    ...(ask && { ask }),
  });
  return { code, ...output };
}
