import { type Command, CommandFault } from '#platform/command.ts';
import { markRevoked } from '../store.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'end a key now, on every node, within a second',
  positionals: [{ name: 'KEY_ID', help: 'id of the key, see key list' }],
  async run({ db, clock, print }, { positionals }) {
    if (!(await markRevoked(db, positionals[0]!, clock.now()))) {
      throw new CommandFault(`There is no key ${positionals[0]}. See 'semana key list'.`);
    }
    print(`Key ${positionals[0]} is revoked.`);
    return undefined;
  },
};
