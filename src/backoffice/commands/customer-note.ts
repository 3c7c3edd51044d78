import { findCustomerId } from '#customers';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { readCustomer, readText } from '#platform/command-line/values.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { writeNote } from '../notes.ts';

/** They are read in `semana customer story`. */
export const customerNote: Command = {
  name: 'customer note',
  summary: 'write a note about a customer',
  positionals: [{ name: 'CUSTOMER', help: 'id or phone of the customer' }],
  options: { text: { value: 'TEXT', help: 'what is to be known', required: true } },
  details: 'It stays as it is written, and is shown in customer story. The customer does not see it.',
  examples: ['semana customer note +5511987650001 --text "Prefere ser chamada à tarde"'],
  async run(context, args) {
    const change = changeByCommand(context, 'customer note');
    const text = readText(args, 'text', 2_000);
    const id = (await findCustomerId(context.db, readCustomer(args.positionals[0]!))) ?? '';
    const note = await customerTransaction(context.db, id, (tx) => writeNote(tx, id, text, change));
    if (!note) throw new CommandFault('No customer has this id or phone.');
    context.print(`${note.id} is written.`);
  },
};
