import { HOUR_MS } from '#core/duration.ts';
import { type Arguments, readSpan, UsageFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import {
  LONGEST_OVERLAP_HOURS,
  OVERLAP_HOURS,
  requireEndpoint,
  revealSecret,
  rotateSecret,
} from '../endpoints.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

export const webhookRotate = destructiveCommand({
  name: 'webhook rotate',
  summary: 'give an endpoint a new secret; the old one signs on for a while',
  positionals: [WEBHOOK_ID],
  options: {
    overlap: {
      value: 'SPAN',
      help: `how long both sign, in whole hours (default ${OVERLAP_HOURS}h; 0h: not at all)`,
    },
  },
  details: 'The new secret goes to standard output. It is not shown again.',
  destroys: (args) =>
    overlapOf(args) === 0
      ? `The secret of ${args.positionals[0]} signs nothing any more, from now on.`
      : undefined,
  async run(context, args) {
    const { db, vault, print, printError } = context;
    const change = changeByCommand(context, 'webhook rotate');
    const id = args.positionals[0]!;
    await db.transaction((tx) => rotateSecret(tx, id, overlapOf(args), vault, change));
    const rotated = await requireEndpoint(db, id);
    printError(`The old secret signs until ${shownInstant(rotated.old_secret_until)}.`);
    print(revealSecret(vault, rotated));
  },
});

function overlapOf(args: Arguments): number {
  const hours = readSpan(args.option('overlap') ?? `${OVERLAP_HOURS}h`, 'overlap') / HOUR_MS;
  if (Number.isInteger(hours) && hours <= LONGEST_OVERLAP_HOURS) return hours;
  throw new UsageFault(`--overlap is a number of whole hours, at most ${LONGEST_OVERLAP_HOURS}h.`);
}
