import { parseDay, saoPauloDay } from '#core/day.ts';
import { inReais } from '#core/money.ts';
import { type Command, UsageFault } from '#platform/command.ts';
import { readingCommand, tableOf } from '#platform/command-reading.ts';
import { changeByCommand, recordCreation } from '#platform/trail.ts';
import { createPayouts } from '../create-payouts.ts';
import { renderPayout } from '../render.ts';
import { PAYOUT_COLUMNS } from './payout-list.ts';

export const payoutCreate: Command = readingCommand({
  name: 'payout create',
  summary: 'make payouts of all that is due to merchants',
  options: {
    until: {
      value: 'DAY',
      help: 'of what is due on or before this day, e.g. 2026-11-17; today unless given',
    },
  },
  details:
    'One for each merchant to whom something is due and in no payout yet. Run again, it makes only what has come since.',
  examples: ['semana payout create', 'semana payout create --until 2026-11-17 --json'],
  async read(context, args) {
    const now = context.clock.now();
    const given = args.option('until');
    const until = given === undefined ? saoPauloDay(now.getTime()) : parseDay(given);
    if (until === null) throw new UsageFault(`--until is '${given}'; it is a day like 2026-11-17.`);
    const change = changeByCommand(context, 'payout create');
    const payouts = await context.db.transaction(async (tx) => {
      const made = (await createPayouts(tx, until, now)).map(renderPayout);
      for (const payout of made) await recordCreation(tx, change, { kind: 'payout', id: payout.id }, payout);
      return made;
    });
    const cents = payouts.reduce((total, { amount }) => total + Math.round(amount * 100), 0);
    return {
      records: payouts,
      text: tableOf(payouts, PAYOUT_COLUMNS, `Nothing is due until ${until} that is in no payout yet.`),
      ...(payouts.length > 0 && { note: `${payouts.length} payouts made, ${inReais(cents)} in all.` }),
    };
  },
});
