import { changingCommand } from '#platform/command-line/changing.ts';
import type { Command, Option } from '#platform/command-line/command.ts';
import { readText } from '#platform/command-line/values.ts';
import { recordWriteOff, reinstate, writeOff } from '../purchases/write-off.ts';
import { HASH, noPurchase } from './checkout-show.ts';

const REASON: Option = { value: 'TEXT', help: 'why, at most 200 characters', required: true };

export const checkoutWriteOff: Command = command({
  name: 'checkout write-off',
  summary: 'write off a purchase that nobody expects to be paid',
  details:
    'What is outstanding on it is a loss in the book from now on. The customer owes it all the same, and what is paid later is no\n' +
    "loss any more. 'semana checkout reinstate' undoes it.",
  examples: ['semana checkout write-off 3kTz9QmVb7LxWc2RfYp8Hd --reason "Cliente falecido"'],
  verb: writeOff,
  done: 'is a loss from now on',
});

export const checkoutReinstate: Command = command({
  name: 'checkout reinstate',
  summary: 'undo the write-off of a purchase',
  details: 'What is outstanding on it is no loss in the book any more.',
  examples: ['semana checkout reinstate 3kTz9QmVb7LxWc2RfYp8Hd --reason "Baixa por engano"'],
  verb: reinstate,
  done: 'is no loss any more',
});

function command({
  verb,
  done,
  ...declaration
}: Pick<Command, 'name' | 'summary' | 'details' | 'examples'> & {
  verb: typeof writeOff;
  done: string;
}): Command {
  return changingCommand({
    ...declaration,
    positionals: [HASH],
    options: { reason: REASON },
    work({ db, id: hash, change }, args) {
      const reason = readText(args, 'reason', 200);
      return recordWriteOff(db, verb, { hash, reason }, { ...change, reason });
    },
    none: noPurchase,
    done: ({ outstanding }) => `${outstanding.toFixed(2)} ${done}.`,
  });
}
