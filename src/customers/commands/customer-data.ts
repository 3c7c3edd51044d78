import { changingCommand } from '#platform/command-line/changing.ts';
import { type Command, type CommandContext, UsageFault } from '#platform/command-line/command.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { eraseCustomer, exportCustomer } from '../export-customer.ts';
import { People } from '../people.ts';
import type { CreditUsed } from '../store.ts';
import { CUSTOMER, NOBODY } from './customer-option.ts';

export function customerDataCommands(
  creditUsed: CreditUsed,
  personalData: () => readonly PersonalData[],
): Command[] {
  const deps = ({ db, vault }: CommandContext) => ({
    db,
    vault,
    creditUsed,
    people: new People(vault),
    personalData: personalData(),
  });
  return [
    changingCommand({
      name: 'customer export',
      summary: 'print all that is held on a customer, as one JSON object',
      positionals: [CUSTOMER],
      details: 'By table, with the CPF whole. That it was asked for is in the trail.',
      examples: ['semana customer export +5511987650001 > ana.json'],
      work: (context) => exportCustomer(deps(context), readCustomer(context.id), context.change),
      none: () => NOBODY,
      done: (held) => JSON.stringify(held, null, 2),
    }),
    changingCommand({
      name: 'customer erase',
      summary: 'make a customer unrecognisable, for good',
      positionals: [CUSTOMER],
      options: { reason: { value: 'TEXT', help: 'why: it is kept in the trail', required: true } },
      details: 'Refused while money is owed. Purchases, payments and the ledger stay, of nobody.',
      examples: ['semana customer erase +5511987650001 --reason "Pedido do titular"'],
      destroys: ({ positionals: [customer] }) => `Who ${customer} is cannot be found out again.`,
      work(context, args) {
        const reason = args.required('reason').trim();
        if (!reason) throw new UsageFault('Say why with --reason.');
        return eraseCustomer(deps(context), readCustomer(context.id), { ...context.change, reason });
      },
      none: () => NOBODY,
      done: ({ customer }) => `Customer ${customer.id} is erased.`,
    }),
  ];
}
