import type { Events } from '#events';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readText } from '#platform/command-line/values.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { forMove, movePayment } from '../payments/move-payment.ts';
import type { PixSettings } from '../settings.ts';

export const pixPaymentMove = (events: Events, settings: () => PixSettings): Command =>
  destructiveCommand({
    name: 'pix payment move',
    needs: [settings],
    summary: 'move a payment to the installment it is for',
    positionals: [{ name: 'END_TO_END_ID', help: 'the payment, see pix payments' }],
    options: {
      installment: {
        value: 'ID',
        help: 'id of the right installment, of this or another customer',
        required: true,
      },
      reason: { value: 'TEXT', help: 'why, at most 300 characters', required: true },
      'dry-run': { help: 'show what each side would owe, write nothing' },
    },
    details:
      'What it had paid is owed again from now on; for the other installment it counts as of when it arrived. Undone by moving it back.',
    examples: [
      'semana pix payment move E99900001202611151200aB3dE5fG7h1 --installment ins_01kfx3t7d1q3r5s7v9x1z3b5d7 --reason "Cliente errada" --dry-run',
    ],
    destroys: (args) =>
      args.has('dry-run')
        ? undefined
        : `This moves payment ${args.positionals[0]} to ${args.required('installment')}.`,
    async run(context, args) {
      const [endToEndId = ''] = args.positionals;
      const reason = readText(args, 'reason', 300);
      const { db, clock, print } = context;
      const order = { endToEndId, installmentId: args.required('installment'), reason };
      const found = await forMove(db, order);
      if (!found)
        throw new CommandFault(`There is no payment ${endToEndId}; 'semana pix payments' shows them.`);
      const change = { ...changeByCommand(context, 'pix payment move'), reason };
      const pix = { events, clock, key: settings().pixKey };
      const work = (tx: CustomerTx) => movePayment(tx, pix, found.payment, order, change);
      const isDry = args.has('dry-run');
      const { value, from, to, too_much } = await (isDry ? rehearse(found, work) : found.transaction(work));
      const owed = ({ customer_id, installment }: typeof from) =>
        `${installment.total_due.toFixed(2)} due on installment ${installment.number} of ${customer_id}`;
      print(`${value.toFixed(2)} moved: ${owed(from)}; ${owed(to)}; ${too_much.toFixed(2)} goes back.`);
      if (isDry) print('Nothing was written (--dry-run).');
    },
  });
