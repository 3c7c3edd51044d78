import type { Events } from '#events';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { readText } from '#platform/command-line/values.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { payoutSubject, payPayout } from '../close-payout.ts';

export const payoutPaid = (events: Events): Command => ({
  name: 'payout paid',
  summary: 'mark a payout as paid by the bank',
  positionals: [{ name: 'PAYOUT_ID', help: 'id of the payout, see payout list' }],
  options: { reference: { value: 'TEXT', help: 'what the bank calls it', required: true } },
  details: 'The same again changes nothing.',
  examples: ['semana payout paid pay_01kfx3v9e2r4s6t8w0y2a4c6e8 --reference "TED 482913"'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const reference = readText(args, 'reference', 100);
    const change = changeByCommand(context, 'payout paid');
    const paid = await context.db.transaction((tx) =>
      recordChange(tx, change, { of: payoutSubject, id }, () =>
        payPayout(tx, id, reference, { events, now: change.now }),
      ),
    );
    if (!paid) throw new CommandFault(`There is no payout '${id}'; 'semana payout list' shows them.`);
    context.print(`${paid.merchant} was paid ${paid.amount.toFixed(2)}.`);
  },
});
