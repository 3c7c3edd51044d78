import { type ChangingContext, changingCommand } from '#platform/command-line/changing.ts';
import { type Arguments, type Command, UsageFault } from '#platform/command-line/command.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { type CustomerChange, changeCustomer, lockCustomer, unlockCustomer } from '../change-customer.ts';
import { People } from '../people.ts';
import { cancelPhoneChange, confirmPhoneChange } from '../phone-changes/decide-change.ts';
import type { CreditUsed } from '../store.ts';
import { readOptions } from './customer-create.ts';
import { CUSTOMER, NOBODY } from './customer-option.ts';

const REASON = { reason: { value: 'TEXT', help: 'why: it is kept in the trail' } } as const;
const OF_CUSTOMER = { positionals: [CUSTOMER], none: () => NOBODY };

export function customerChangeCommands(creditUsed: CreditUsed): Command[] {
  const deps = ({ db, vault }: ChangingContext) => ({ db, vault, creditUsed, people: new People(vault) });
  const changeOf = ({ change }: ChangingContext, args: Arguments) => ({
    ...change,
    reason: args.option('reason'),
  });

  const customerChange = changingCommand({
    ...OF_CUSTOMER,
    name: 'customer change',
    summary: 'change name, e-mail, phone or limit of a customer',
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
    async work(context, args) {
      const wishes = readChange(args);
      const change = changeOf(context, args);
      const changed = await changeCustomer(deps(context), readCustomer(context.id), wishes, { change });
      return changed && { ...changed.customer, hasNewPhone: wishes.phone !== undefined };
    },
    done: ({ id, phone_change: waiting, hasNewPhone }) =>
      hasNewPhone && waiting
        ? `Customer ${id} is changed.\nThe new phone counts from ${waiting.counts_at} on, or when somebody else confirms it.`
        : `Customer ${id} is changed.`,
  });

  const customerLock = changingCommand({
    ...OF_CUSTOMER,
    name: 'customer lock',
    summary: 'end all sessions of a customer and let none begin',
    options: REASON,
    details: 'Takes effect at once, on every node. To the customer a login looks like a wrong password.',
    examples: ['semana customer lock +5511987650001'],
    work: (context, args) =>
      lockCustomer(deps(context), readCustomer(context.id), { change: changeOf(context, args) }),
    done: ({ customer, endedSessions }) =>
      `Customer ${customer.id} is locked; ${endedSessions.length} sessions were ended.`,
  });

  const customerUnlock = changingCommand({
    ...OF_CUSTOMER,
    name: 'customer unlock',
    summary: 'let a customer log in again',
    details: 'Ends a lock, and forgets the wrong passwords and codes that were counted for the phone.',
    options: REASON,
    work: (context, args) =>
      unlockCustomer(deps(context), readCustomer(context.id), { change: changeOf(context, args) }),
    done: ({ customer, forgotten }) =>
      `Customer ${customer.id} may log in; ${forgotten.wrong_passwords} wrong passwords and ${forgotten.wrong_codes} wrong codes were forgotten.`,
  });

  const phoneConfirm = changingCommand({
    ...OF_CUSTOMER,
    name: 'customer phone-confirm',
    summary: 'let a new phone of a customer count now',
    options: REASON,
    details:
      'Refused to whoever asked for the change. All sessions of the customer end, and the old phone is told.',
    work: (context, args) =>
      confirmPhoneChange(deps(context), readCustomer(context.id), changeOf(context, args)),
    done: ({ customer }) => `Customer ${customer.id} has the phone ${customer.phone} now.`,
  });

  const phoneCancel = changingCommand({
    ...OF_CUSTOMER,
    name: 'customer phone-cancel',
    summary: 'take back a change of the phone that waits',
    options: REASON,
    work: (context, args) =>
      cancelPhoneChange(deps(context), readCustomer(context.id), changeOf(context, args)),
    done: ({ id, phone }) => `Customer ${id} keeps the phone ${phone}.`,
  });
  return [customerChange, customerLock, customerUnlock, phoneConfirm, phoneCancel];
}

function readChange(args: Arguments): CustomerChange {
  const { change, faults } = readOptions(args);
  if (faults.length > 0) throw new UsageFault(`${faults.join('; ')}.`);
  if (Object.values(change).every((value) => value === undefined))
    throw new UsageFault('Say what to change: --name, --email, --phone or --credit-limit.');
  return change;
}
