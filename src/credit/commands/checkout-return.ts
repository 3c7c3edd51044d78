import { inReais } from '#core/money.ts';
import type { Events } from '#events';
import { type Arguments, type Command, CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { readText } from '#platform/command-line/values.ts';
import { forCustomer } from '#platform/database/customer-transaction.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { findCustomerOf } from '../purchases/reading-store.ts';
import { renderReturn } from '../returns/render-return.ts';
import { type RequestRefunds, returnPurchase } from '../returns/return-purchase.ts';
import { HASH, noPurchase } from './checkout-show.ts';
import { readAmount } from './order-words.ts';

export const checkoutReturn = (events: Events, requestRefunds: RequestRefunds): Command =>
  destructiveCommand({
    name: 'checkout return',
    summary: 'return some or all of a purchase',
    positionals: [HASH],
    options: {
      amount: { value: 'REAIS', help: 'how much of what was bought for (default: all that is left)' },
      reason: { value: 'TEXT', help: 'why, at most 200 characters', required: true },
      reference: REFERENCE,
    },
    details:
      'What was paid beyond what is left pays the other installments; the rest goes back to the customer. The id of the return goes ' +
      'to standard output, what came of it to standard error.',
    examples: ['semana checkout return 3kTz9QmVb7LxWc2RfYp8Hd --amount 33.34 --reason "Lente riscada"'],
    destroys: (args) => {
      const amount = amountOf(args);
      return `This returns ${amount === undefined ? 'all' : inReais(amount)} of purchase ${args.positionals[0]} for good.`;
    },
    async run(context, args) {
      const hash = args.positionals[0]!;
      const amount = amountOf(args);
      const reason = readText(args, 'reason', 200);
      const customerId = await findCustomerOf(context.db, hash);
      if (customerId === undefined) throw new CommandFault(noPurchase(hash));
      const now = context.clock.now();
      const change = { ...changeByCommand(context, 'checkout return'), reason };
      const order = { customerId, hash, amount, reason, by: change.actor.id };
      const request = { hash, amount, reason };
      const returning = { ...context, db: forCustomer(context.db, customerId) };
      return createByReference(returning, args, { name: 'checkout return', request }, async (tx) => {
        const made = await returnPurchase(tx, order, { events, now, requestRefunds });
        const shown = { checkout_hash: hash, ...renderReturn(made, order) };
        await recordCreation(tx, change, { kind: 'return', id: made.id }, shown);
        const back = made.refunds.reduce((total, { amountCents }) => total + amountCents, 0);
        const note = `Returned ${inReais(made.amount)}: ${inReais(back)} go back by Pix, ${inReais(made.credited)} became cashback.`;
        return { output: made.id, note };
      });
    },
  });

function amountOf(args: Arguments) {
  const text = args.option('amount');
  return text === undefined ? undefined : readAmount(text, 1);
}
