import {
  type Arguments,
  type Command,
  type CommandContext,
  UsageFault,
} from '#platform/command-line/command.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { type CustomerChange, changeCustomer, lockCustomer, unlockCustomer } from '../change-customer.ts';
import { People } from '../people.ts';
import { cancelPhoneChange, confirmPhoneChange } from '../phone-changes/decide-change.ts';
import type { CreditUsed } from '../store.ts';
import { readOptions } from './customer-create.ts';
import { nobody } from './customer-list.ts';

const CUSTOMER = [{ name: 'CUSTOMER', help: 'id or phone of the customer' }] as const;
const REASON = { reason: { value: 'TEXT', help: 'why: it is kept in the trail' } } as const;

export function customerChangeCommands(creditUsed: CreditUsed): Command[] {
  const deps = ({ db, vault }: CommandContext) => ({ db, vault, creditUsed, people: new People(vault) });
  const wanted = (context: CommandContext, action: string, args: Arguments) => ({
    change: { ...changeByCommand(context, action), reason: args.option('reason') },
  });
  const whom = ({ positionals: [customer] }: Arguments) => readCustomer(customer!);

  const customerChange: Command = {
    name: 'customer change',
    summary: 'change name, e-mail, phone or limit of a customer',
    positionals: CUSTOMER,
    options: {
      name: { value: 'TEXT', help: 'full name' },
      email: { value: 'EMAIL', help: 'e-mail address' },
      phone: { value: 'PHONE', help: 'new phone; it counts in 24 hours, or when it is confirmed' },
      'credit-limit': { value: 'REAIS', help: 'how much may be owed at most, e.g. 1500 or 1.500,00' },
      ...REASON,
    },
    details:
      'What is not given stays as it is. With a new phone the old one is told and all sessions end; a newer change of the phone ' +
      'replaces one that waits.',
    examples: ['semana customer change +5511987650001 --credit-limit 2000'],
    async run(context, args) {
      const wishes = readChange(args);
      const changed = await changeCustomer(
        deps(context),
        whom(args),
        wishes,
        wanted(context, 'customer change', args),
      );
      if (!changed) throw nobody();
      const { id, phone_change: waiting } = changed.customer;
      context.print(`Customer ${id} is changed.`);
      if (wishes.phone !== undefined && waiting)
        context.print(
          `The new phone counts from ${waiting.counts_at} on, or when somebody else confirms it.`,
        );
    },
  };

  const customerLock: Command = {
    name: 'customer lock',
    summary: 'end all sessions of a customer and let none begin',
    positionals: CUSTOMER,
    options: REASON,
    details: 'Takes effect at once, on every node. To the customer a login looks like a wrong password.',
    examples: ['semana customer lock +5511987650001'],
    async run(context, args) {
      const locked = await lockCustomer(deps(context), whom(args), wanted(context, 'customer lock', args));
      if (!locked) throw nobody();
      const { customer, endedSessions } = locked;
      context.print(`Customer ${customer.id} is locked; ${endedSessions.length} sessions were ended.`);
    },
  };

  const customerUnlock: Command = {
    name: 'customer unlock',
    summary: 'let a customer log in again',
    details: 'Ends a lock, and forgets the wrong passwords and codes that were counted for the phone.',
    positionals: CUSTOMER,
    options: REASON,
    async run(context, args) {
      const unlocked = await unlockCustomer(
        deps(context),
        whom(args),
        wanted(context, 'customer unlock', args),
      );
      if (!unlocked) throw nobody();
      const { customer, forgotten } = unlocked;
      context.print(
        `Customer ${customer.id} may log in; ${forgotten.wrong_passwords} wrong passwords and ${forgotten.wrong_codes} wrong codes were forgotten.`,
      );
    },
  };

  const phoneConfirm: Command = {
    name: 'customer phone-confirm',
    summary: 'let a new phone of a customer count now',
    positionals: CUSTOMER,
    options: REASON,
    details:
      'Refused to whoever asked for the change. All sessions of the customer end, and the old phone is told.',
    async run(context, args) {
      const { change } = wanted(context, 'customer phone-confirm', args);
      const confirmed = await confirmPhoneChange(deps(context), whom(args), change);
      if (!confirmed) throw nobody();
      context.print(`Customer ${confirmed.customer.id} has the phone ${confirmed.customer.phone} now.`);
    },
  };

  const phoneCancel: Command = {
    name: 'customer phone-cancel',
    summary: 'take back a change of the phone that waits',
    positionals: CUSTOMER,
    options: REASON,
    async run(context, args) {
      const { change } = wanted(context, 'customer phone-cancel', args);
      const kept = await cancelPhoneChange(deps(context), whom(args), change);
      if (!kept) throw nobody();
      context.print(`Customer ${kept.id} keeps the phone ${kept.phone}.`);
    },
  };
  return [customerChange, customerLock, customerUnlock, phoneConfirm, phoneCancel];
}

function readChange(args: Arguments): CustomerChange {
  const { change, faults } = readOptions(args);
  if (faults.length > 0) throw new UsageFault(`${faults.join('; ')}.`);
  if (Object.values(change).every((value) => value === undefined))
    throw new UsageFault('Say what to change: --name, --email, --phone or --credit-limit.');
  return change;
}
