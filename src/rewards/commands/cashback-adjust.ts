import { inReais, readReais } from '#core/money.ts';
import { findCustomerId } from '#customers';
import type { Events } from '#events';
import { type Arguments, type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { createByReference } from '#platform/command-line/reference.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { forCustomer } from '#platform/database/customer-transaction.ts';
import { isText } from '#platform/http/formats.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { adjustCashback } from '../adjust-cashback.ts';
import { cashbackSubject } from '../render-staff.ts';
import { MOST_ADJUSTED } from '../schemas.ts';

export const cashbackAdjust = (events: Events): Command => ({
  name: 'cashback adjust',
  summary: 'give a customer cashback, or take some, with a reason',
  options: {
    customer: { value: 'ID', help: 'id or phone of the customer', required: true },
    amount: {
      value: 'REAIS',
      help: 'how much to give, e.g. 5.00 or 5,00; or to take, e.g. -5.00',
      required: true,
    },
    reason: { value: 'TEXT', help: 'why, at most 200 characters; the customer reads it', required: true },
    reference: {
      value: 'TEXT',
      help: 'what you call it, e.g. a ticket: for one customer it counts once, and prints the same within 24 hours',
    },
  },
  details:
    'What is given counts for 180 days. No more can be taken than there is. The balance after it goes to standard output.',
  examples: [
    `semana cashback adjust --customer +5511987650001 --amount 5.00 --reason "Desculpe pelo transtorno" --reference TICKET-1234`,
  ],
  async run(context, args) {
    const adjustment = readAdjustment(args);
    const change = { ...changeByCommand(context, 'cashback adjust'), reason: adjustment.reason };
    const request = { name: `cashback adjust ${adjustment.customer}`, request: adjustment };
    const id = (await findCustomerId(context.db, adjustment.customer)) ?? '';
    const adjusting = { ...context, db: forCustomer(context.db, id) };
    return createByReference(adjusting, args, request, async (tx) => {
      const { now } = change;
      let balanceCents = 0;
      const adjusted = await recordChange(tx, change, { of: cashbackSubject(now), id }, async () => {
        ({ balanceCents } = await adjustCashback(tx, adjustment, { events, now }));
      });
      if (!adjusted)
        throw new CommandFault(`There is no customer '${adjustment.customer}'. See 'semana customer list'.`);
      return { output: inReais(balanceCents), note: 'Cashback adjusted.' };
    });
  },
});

function readAdjustment(args: Arguments) {
  const faults: string[] = [];
  const fieldOf = <T>(name: string, read: (text: string) => T | null, rule: string): T => {
    const value = read(args.required(name).trim());
    if (value === null) faults.push(rule);
    return value as T;
  };
  const textOf = (most: number) => (text: string) => (isText(text) && text.length <= most ? text : null);
  const adjustment = {
    customer: fieldOf('customer', (text) => textOf(80)(readCustomer(text)), '--customer is an id or a phone'),
    amountCents: fieldOf(
      'amount',
      readAmount,
      `--amount is an amount in reais other than 0, like 5.00 or -5.00, at most ${inReais(MOST_CENTS)} either way`,
    ),
    reason: fieldOf('reason', textOf(200), '--reason has 1 to 200 characters'),
    reference: args.has('reference')
      ? fieldOf('reference', textOf(100), '--reference has 1 to 100 characters')
      : null,
  };
  if (faults.length > 0) throw new UsageFault(`${faults.join('; ')}.`);
  return adjustment;
}

const MOST_CENTS = MOST_ADJUSTED * 100;

function readAmount(text: string): number | null {
  const amount = readReais(text);
  return amount !== null && amount !== 0 && Math.abs(amount) <= MOST_CENTS ? amount : null;
}
