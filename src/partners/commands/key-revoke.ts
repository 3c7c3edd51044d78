import { CommandFault } from '#platform/command.ts';
import { destructiveCommand } from '#platform/command-confirmation.ts';
import { markRevoked } from '../store.ts';

export const keyRevoke = destructiveCommand({
  name: 'key revoke',
  summary: 'end a key now, on every node, within a second',
  positionals: [{ name: 'KEY_ID', help: 'id of the key, see key list' }],
  destroys: ({ positionals: [id] }) => `Key ${id} ends for good, now.`,
  async run({ db, clock, print }, { positionals }) {
    if (!(await markRevoked(db, positionals[0]!, clock.now()))) {
      throw new CommandFault(`There is no key ${positionals[0]}. See 'semana key list'.`);
    }
    print(`Key ${positionals[0]} is revoked.`);
    return undefined;
  },
});
