import { type Command, CommandFault, readSpan } from '#platform/command.ts';
import { rotateKey } from '../issue-key.ts';

export const keyRotate: Command = {
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
  async run({ db, clock, config, print, printError }, args) {
    const overlapMs = readSpan(args.option('overlap') ?? '24h', 'overlap');
    const rotated = await rotateKey(db, args.positionals[0]!, overlapMs, { mode: config.mode, clock });
    if ('refused' in rotated) throw new CommandFault(rotated.refused);
    printError(`Key ${rotated.issued.id} issued. Keep it now: it is not shown again.`);
    printError(`The old key works until ${rotated.oldExpiresAt.toISOString()}.`);
    print(rotated.issued.secret);
    return undefined;
  },
};
