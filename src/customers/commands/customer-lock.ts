import { type Command, CommandFault } from '#platform/command.ts';
import { readCustomer } from '#platform/command-values.ts';
import { lockCustomer } from '../lock-customer.ts';
import { markUnlocked } from '../store.ts';

const CUSTOMER = [{ name: 'CUSTOMER', help: 'id or phone of the customer' }] as const;

const nobody = () => new CommandFault(`There is no such customer. See 'semana customer list'.`);

export const customerLock: Command = {
  name: 'customer lock',
  summary: 'end all sessions of a customer and let none begin',
  positionals: CUSTOMER,
  details: 'Takes effect at once, on every node. To the customer a login looks like a wrong password.',
  examples: ['semana customer lock +5511987650001'],
  async run({ db, clock, print }, { positionals }) {
    const locked = await lockCustomer(db, readCustomer(positionals[0]!), clock.now());
    if (!locked) throw nobody();
    print(`Customer ${locked.id} is locked; ${locked.endedSessions} sessions were ended.`);
    return undefined;
  },
};

export const customerUnlock: Command = {
  name: 'customer unlock',
  summary: 'let a locked customer log in again',
  positionals: CUSTOMER,
  async run({ db, print }, { positionals }) {
    const id = await markUnlocked(db, readCustomer(positionals[0]!));
    if (id === undefined) throw nobody();
    print(`Customer ${id} may log in.`);
    return undefined;
  },
};
