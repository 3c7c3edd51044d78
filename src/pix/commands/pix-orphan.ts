import type { Events } from '#events';
import { changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import {
  assignRecorded,
  forOwner,
  orphanSubject,
  refundOrphan,
  refuseClosed,
} from '../payments/close-orphan.ts';
import type { PixSettings } from '../settings.ts';

const ORPHAN = { name: 'END_TO_END_ID', help: 'the payment, see pix orphans' };

const unknown = (id: string) => `There is no orphan ${id}; 'semana pix orphans' shows them.`;

export const pixOrphanAssign = (events: Events, settings: () => PixSettings): Command =>
  destructiveCommand({
    name: 'pix orphan assign',
    needs: [settings],
    summary: 'say which installment a payment is for that came without a charge',
    positionals: [ORPHAN],
    options: {
      installment: { value: 'ID', help: 'id of the installment', required: true },
      'dry-run': { help: 'show what would come of it, write nothing' },
    },
    details:
      'It counts as of when it arrived, as if a code had been paid; what is too much goes back. What was assigned wrongly is\n' +
      'moved by pix payment move.',
    examples: [
      'semana pix orphan assign E99900001202611151200aB3dE5fG7h1 --installment ins_01kfx3t7d1q3r5s7v9x1z3b5d7 --dry-run',
    ],
    destroys: (args) =>
      args.has('dry-run')
        ? undefined
        : `This applies payment ${args.positionals[0]} to ${args.required('installment')} for good.`,
    async run(context, args) {
      const [endToEndId = ''] = args.positionals;
      const installmentId = args.required('installment');
      const { db, clock, print } = context;
      const change = changeByCommand(context, 'pix orphan assign');
      const pix = { events, clock, key: settings().pixKey };
      const assign = (tx: CustomerTx) => assignRecorded(tx, pix, { endToEndId, installmentId }, change);
      const isDry = args.has('dry-run');
      const owner = await forOwner(db, installmentId);
      const assigned = await (isDry ? rehearse(owner, assign) : owner.transaction(assign));
      if (!assigned) throw new CommandFault(unknown(endToEndId));
      const { value, received_at, too_much, installment } = assigned;
      print(
        `${value.toFixed(2)} as of ${shownInstant(received_at)}: ${installment.outstanding.toFixed(2)} is outstanding on installment ` +
          `${installment.number}, ${too_much.toFixed(2)} goes back.`,
      );
      if (isDry) print('Nothing was written (--dry-run).');
    },
  });

export const pixOrphanRefund = changingCommand({
  name: 'pix orphan refund',
  summary: 'give money back that belongs to no charge of ours',
  positionals: [ORPHAN],
  details: 'All of it, to whoever sent it. Should the PSP refuse, it is open again, with the reason.',
  examples: ['semana pix orphan refund E99900001202611151200aB3dE5fG7h1'],
  destroys: (args) => `This gives payment ${args.positionals[0]} back to its sender.`,
  work: ({ db, id, change }) =>
    db.transaction(
      async (tx) =>
        (await recordChange(tx, change, { of: orphanSubject, id }, () => refundOrphan(tx, id, change.now))) ??
        refuseClosed(tx, id),
    ),
  none: unknown,
  done: ({ value }) => `${value.toFixed(2)} is asked of the PSP.`,
});
