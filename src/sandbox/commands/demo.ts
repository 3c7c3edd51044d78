import type { Events } from '#events';
import { type Command, CommandFault } from '#platform/command.ts';
import { claimInstallation } from '#platform/installation.ts';
import { Vault } from '#platform/vault.ts';
import { seedDemo } from '../demo-data.ts';

export const demo = (events: Events): Command => ({
  name: 'demo',
  summary: 'write the demo data (anew): catalog, keys, customers',
  details:
    'Sandbox only. What you changed of the demo data is set back; what you added stays, and so does what was bought and paid.',
  async run({ db, clock, config, print }) {
    if (config.mode !== 'sandbox') throw new CommandFault('There is no demo data in live mode.');
    await db.transaction(async (tx) => {
      // Also before the first start: a database with known keys in it must never become a live one.
      await claimInstallation(tx, 'sandbox');
      await seedDemo(tx, clock, new Vault(config.secrets), events);
    });
    print('The demo data is in place.');
    return undefined;
  },
});
