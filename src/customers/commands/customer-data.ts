import { type Command, type CommandContext, UsageFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { eraseCustomer, exportCustomer } from '../export-customer.ts';
import { People } from '../people.ts';
import type { CreditUsed } from '../store.ts';
import { nobody } from './customer-list.ts';

const CUSTOMER = [{ name: 'CUSTOMER', help: 'id or phone of the customer' }] as const;

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
    {
      name: 'customer export',
      summary: 'print all that is held on a customer, as one JSON object',
      positionals: CUSTOMER,
      details: 'By table, with the CPF whole. That it was asked for is in the trail.',
      examples: ['semana customer export +5511987650001 > ana.json'],
      async run(context, { positionals }) {
        const change = changeByCommand(context, 'customer export');
        const held = await exportCustomer(deps(context), readCustomer(positionals[0]!), change);
        if (!held) throw nobody();
        context.print(JSON.stringify(held, null, 2));
      },
    },
    destructiveCommand({
      name: 'customer erase',
      summary: 'make a customer unrecognisable, for good',
      positionals: CUSTOMER,
      options: { reason: { value: 'TEXT', help: 'why: it is kept in the trail', required: true } },
      details: 'Refused while money is owed. Purchases, payments and the ledger stay, of nobody.',
      examples: ['semana customer erase +5511987650001 --reason "Pedido do titular"'],
      destroys: ({ positionals: [customer] }) => `Who ${customer} is cannot be found out again.`,
      async run(context, args) {
        const reason = args.required('reason').trim();
        if (!reason) throw new UsageFault('Say why with --reason.');
        const change = { ...changeByCommand(context, 'customer erase'), reason };
        const erased = await eraseCustomer(deps(context), readCustomer(args.positionals[0]!), change);
        if (!erased) throw nobody();
        context.print(`Customer ${erased.customer.id} is erased.`);
      },
    }),
  ];
}
