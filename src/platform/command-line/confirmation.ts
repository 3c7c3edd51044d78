import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandError,
  type Option,
  UsageError,
} from './command.ts';

type DestructiveCommand = Command & {
  /** Describes in a sentence what is lost. Returns undefined if these arguments destroy nothing. */
  describeLoss(args: Arguments): string | undefined;
};

const YES_OPTION: Option = { help: 'skip the confirmation' };

/** Makes a command ask for confirmation. Without a terminal it requires --yes. */
export function destructiveCommand({ describeLoss, ...command }: DestructiveCommand): Command {
  return {
    ...command,
    options: { ...command.options, yes: YES_OPTION },
    async run(context, args) {
      const loss = args.has('yes') ? undefined : describeLoss(args);
      if (loss !== undefined) await confirm(context, loss);
      return command.run(context, args);
    },
  };
}

export async function confirm({ ask }: CommandContext, loss: string): Promise<void> {
  if (!ask) throw new UsageError(`${loss} Use --yes to confirm.`);
  const answer = await ask(`${loss} Type yes to go on: `);
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
}

/** Asks on standard error. The end of input counts as an empty answer. A secret is not echoed. */
export async function askTerminal(question: string, { isSecret = false } = {}): Promise<string> {
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) process.stderr.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silentOutput : process.stderr,
    ...(isSecret && { terminal: true }),
  });
  const inputEnded = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), inputEnded]);
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
