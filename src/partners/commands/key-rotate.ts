import { type Arguments, CommandFault, readSpan } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { rotateKeyRecorded } from '../manage-keys.ts';

export const keyRotate = destructiveCommand({
  name: 'key rotate',
  summary: 'issue a successor; the old key works on for a while',
  positionals: [{ name: 'KEY_ID', help: 'id of the key, see key list' }],
  options: {
    overlap: {
      value: 'SPAN',
      help: 'how long both work, e.g. 2h (default 24h; 0m ends the old one at once)',
    },
  },
  examples: ['semana key rotate key_01kfx3 --overlap 2h'],
  destroys: (args) => (overlapOf(args) === 0 ? `Key ${args.positionals[0]} ends for good, now.` : undefined),
  async run(context, args) {
    const { db, config, print, printError } = context;
    const [id] = args.positionals as [string];
    const how = { change: changeByCommand(context, 'key rotate'), mode: config.mode };
    const rotated = await db.transaction((tx) => rotateKeyRecorded(tx, id, overlapOf(args), how));
    if (!rotated) throw new CommandFault(`There is no key ${id}. See 'semana key list'.`);
    printError(`Key ${rotated.issued.id} issued. Keep it now: it is not shown again.`);
    printError(`The old key works until ${shownInstant(rotated.oldExpiresAt)}.`);
    print(rotated.issued.secret);
  },
});

const overlapOf = (args: Arguments): number => readSpan(args.option('overlap') ?? '24h', 'overlap');
