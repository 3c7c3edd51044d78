import type { Tx } from '../database/db.ts';
import { type Change, changeByCommand, recordChange, type Subject } from '../privacy/trail.ts';
import {
  type Arguments,
  type Command,
  type CommandContext,
  type CommandDeclaration,
  CommandFault,
} from './command.ts';
import { type Destructive, destructiveCommand } from './confirmation.ts';

export type ChangingContext = CommandContext & {
  /** The first word after the command: what is changed. */
  readonly id: string;
  /** For the trail. */
  readonly change: Change;
};

type Changing<T> = CommandDeclaration &
  Pick<Command, 'needs'> &
  Partial<Pick<Destructive, 'destroys'>> & {
    /** Undefined or false: there is no such thing. */
    work(context: ChangingContext, args: Arguments): Promise<T | undefined | false>;
    /** Why nothing was changed where there is no such thing. */
    none(id: string): string;
    /** Printed after the change. */
    done(changed: T, id: string): string;
  };

/** A command that changes one thing, which its first argument names, and prints a sentence. */
export function changingCommand<T>({ work, none, done, destroys, ...declaration }: Changing<T>): Command {
  const command: Command = {
    ...declaration,
    async run(context, args) {
      const [id = ''] = args.positionals;
      const change = changeByCommand(context, declaration.name);
      const changed = await work({ ...context, id, change }, args);
      if (!changed) throw new CommandFault(none(id));
      context.print(done(changed, id));
    },
  };
  return destroys ? destructiveCommand({ ...command, destroys }) : command;
}

/** The work of such a command, in a transaction that also records it. */
export const changeRecorded = <T>(
  { db, id, change }: ChangingContext,
  of: Subject<T>,
  work: (tx: Tx, before: T) => Promise<unknown>,
): Promise<T | undefined> =>
  db.transaction((tx) => recordChange(tx, change, { of, id }, (before) => work(tx, before)));
