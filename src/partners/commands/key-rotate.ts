import { type Arguments, CommandFault, readSpan } from '#platform/command.ts';
import { destructiveCommand } from '#platform/command-confirmation.ts';
import { rotateKey } from '../issue-key.ts';

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
  async run({ db, clock, config, print, printError }, args) {
    const rotated = await rotateKey(db, args.positionals[0]!, overlapOf(args), { mode: config.mode, clock });
    if ('refused' in rotated) throw new CommandFault(rotated.refused);
    printError(`Key ${rotated.issued.id} issued. Keep it now: it is not shown again.`);
    printError(`The old key works until ${rotated.oldExpiresAt.toISOString()}.`);
    print(rotated.issued.secret);
    return undefined;
  },
});

const overlapOf = (args: Arguments): number => readSpan(args.option('overlap') ?? '24h', 'overlap');
