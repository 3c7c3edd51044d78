import { createInterface } from 'node:readline/promises';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandFault,
  type Option,
  UsageFault,
} from './command.ts';

export type Destructive = Command & {
  /** What cannot be undone, as a sentence. Undefined when nothing is lost with these arguments. */
  destroys(args: Arguments): string | undefined;
};

const YES_OPTION: Option = { help: 'do it without asking' };

/** A command that asks first. Where there is nobody to ask, it needs --yes. */
export function destructiveCommand({ destroys, ...command }: Destructive): Command {
  return {
    ...command,
    options: { ...command.options, yes: YES_OPTION },
    async run(context, args) {
      const loss = args.has('yes') ? undefined : destroys(args);
      if (loss !== undefined) await confirm(context, loss);
      return command.run(context, args);
    },
  };
}

/** Asks whether that may be lost. Throws unless the answer is yes. */
export async function confirm({ ask }: CommandContext, loss: string): Promise<void> {
  if (!ask) throw new UsageFault(`${loss} Say --yes if you mean it.`);
  const answer = await ask(`${loss} Type yes to go on: `);
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFault('Nothing was changed.');
}

/** Asks on standard error and reads from standard input. End of input counts as no answer. */
export async function askTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const hungUp = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), hungUp]);
  } finally {
    lines.close();
  }
}
