import { CUSTOMER, findCustomerId } from '#customers';
import { changingCommand } from '#platform/command-line/changing.ts';
import { readCustomer, readText } from '#platform/command-line/values.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { writeNote } from '../notes.ts';

/** They are read in `semana customer story`. */
export const customerNote = changingCommand({
  name: 'customer note',
  summary: 'write a note about a customer',
  positionals: [CUSTOMER],
  options: { text: { value: 'TEXT', help: 'what is to be known', required: true } },
  details: 'It stays as it is written, and is shown in customer story. The customer does not see it.',
  examples: ['semana customer note +5511987650001 --text "Prefere ser chamada à tarde"'],
  async work({ db, id: customer, change }, args) {
    const text = readText(args, 'text', 2_000);
    const id = (await findCustomerId(db, readCustomer(customer))) ?? '';
    return customerTransaction(db, id, (tx) => writeNote(tx, id, text, change));
  },
  none: () => 'No customer has this id or phone.',
  done: ({ id }) => `${id} is written.`,
});
