import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { readText } from '#platform/command-line/values.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { failPayout, payoutSubject } from '../close-payout.ts';

export const payoutFailed: Command = {
  name: 'payout failed',
  summary: 'mark a payout as not carried out by the bank',
  positionals: [{ name: 'PAYOUT_ID', help: 'id of the payout, see payout list' }],
  options: { reason: { value: 'TEXT', help: 'why', required: true } },
  details: 'It is owed again, and comes in the next batch. The same again changes nothing.',
  examples: ['semana payout failed pay_01kfx3v9e2r4s6t8w0y2a4c6e8 --reason "Conta encerrada"'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const reason = readText(args, 'reason', 200);
    const change = { ...changeByCommand(context, 'payout failed'), reason };
    const failed = await context.db.transaction((tx) =>
      recordChange(tx, change, { of: payoutSubject, id }, () =>
        failPayout(tx, id, reason, { now: change.now }),
      ),
    );
    if (!failed) throw new CommandFault(`There is no payout '${id}'; 'semana payout list' shows them.`);
    context.print(`${failed.merchant} is owed ${failed.amount.toFixed(2)} again.`);
  },
};
