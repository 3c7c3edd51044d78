import { CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { revokeKey } from '../manage-keys.ts';

export const keyRevoke = destructiveCommand({
  name: 'key revoke',
  summary: 'end a key now, on every node, within a second',
  positionals: [{ name: 'KEY_ID', help: 'id of the key, see key list' }],
  destroys: ({ positionals: [id] }) => `Key ${id} ends for good, now.`,
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'key revoke');
    const key = await context.db.transaction((tx) => revokeKey(tx, positionals[0]!, change));
    if (!key) throw new CommandFault(`There is no key ${positionals[0]}. See 'semana key list'.`);
    context.print(`Key ${positionals[0]} is revoked.`);
  },
});
