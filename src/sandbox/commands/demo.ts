import type { Events } from '#events';
import { systemClock } from '#platform/clock.ts';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { claimInstallation } from '#platform/database/installation.ts';
import { seedDemo } from '../demo-data.ts';
import { reset } from '../reset.ts';

export const demo = (events: Events): Command =>
  destructiveCommand({
    name: 'demo',
    summary: 'write the demo data (anew): catalog, keys, customers',
    details:
      'Sandbox only. What you changed of the demo data is set back; what you added stays, and so does what was bought and paid. ' +
      'With --reset nothing stays: everything is deleted, for every running node at once, and the demo data is as on the ' +
      'first start. The same as POST /sandbox/reset at the staff door.',
    options: {
      reset: { help: 'delete everything else' },
    },
    examples: ['semana demo', 'semana demo --reset --yes'],
    destroys: (args) => (args.has('reset') ? '--reset deletes everything in the database.' : undefined),
    async run({ db, clock, config, print, vault }, args) {
      if (config.mode !== 'sandbox') throw new CommandFault('There is no demo data in live mode.');
      if (args.has('reset')) {
        await reset(db, { clock: systemClock, vault, events });
        print('Everything is as on the first start.');
        return undefined;
      }
      await forNewCustomers(db).transaction(async (tx) => {
        // Also before the first start: a database with published keys must never become a live one.
        await claimInstallation(tx, 'sandbox');
        await seedDemo(tx, clock, vault, events);
      });
      print('The demo data is in place.');
    },
  });
