import { parseDay, saoPauloDay } from '#core/day.ts';
import { type Command, UsageFault } from '#platform/command-line/command.ts';
import { tableOf } from '#platform/command-line/reading.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { createPayouts } from '../create-payouts.ts';
import { renderPayout } from '../render.ts';
import { PAYOUT_COLUMNS } from './payout-list.ts';

export const payoutCreate: Command = {
  name: 'payout create',
  summary: 'make payouts of all that is due to merchants',
  options: {
    until: {
      value: 'DAY',
      help: 'of what is due on or before this day, e.g. 2026-11-17; today unless given',
    },
    reference: REFERENCE,
  },
  details:
    'One for each merchant to whom something is due and in no payout yet. Run again, it makes only what has come since.',
  examples: ['semana payout create', 'semana payout create --until 2026-11-17'],
  async run(context, args) {
    const now = context.clock.now();
    const given = args.option('until');
    const until = given === undefined ? saoPauloDay(now.getTime()) : parseDay(given);
    if (until === null) throw new UsageFault(`--until is '${given}'; it is a day like 2026-11-17.`);
    const change = changeByCommand(context, 'payout create');
    const request = { name: 'payout create', request: { until: given ?? null } };
    return createByReference(context, args, request, async (tx) => {
      const payouts = (await createPayouts(tx, until, now)).map(renderPayout);
      for (const payout of payouts)
        await recordCreation(tx, change, { kind: 'payout', id: payout.id }, payout);
      const none = `Nothing is due until ${until} that is in no payout yet.`;
      return { output: tableOf(payouts, PAYOUT_COLUMNS, none), note: `Payouts made: ${payouts.length}.` };
    });
  },
};
