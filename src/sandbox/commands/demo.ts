import type { Events } from '#events';
import { systemClock } from '#platform/clock.ts';
import { type Command, CommandError, destructiveCommand } from '#platform/command-line/command.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { claimInstallation } from '#platform/database/installation.ts';
import { seedDemo } from '../demo-data.ts';
import { resetSandbox } from '../reset.ts';

export const demo = (events: Events): Command =>
  destructiveCommand({
    name: 'demo',
    summary: 'write the demo data, or write it again: catalog, keys, customers',
    details:
      'Sandbox only. Changes to the demo data are reverted; data that you added, purchases and payments stay. With --reset ' +
      'everything is deleted, for all running nodes, and the demo data is written as on the first start, like POST /sandbox/reset ' +
      'of the staff API.',
    options: {
      reset: { help: 'delete all other data' },
    },
    examples: ['semana demo', 'semana demo --reset --yes'],
    describeLoss: (args) => (args.has('reset') ? '--reset deletes everything in the database.' : undefined),
    async run({ db, clock, config, print, vault }, args) {
      if (config.mode !== 'sandbox') throw new CommandError('There is no demo data in live mode.');
      if (args.has('reset')) {
        await resetSandbox(db, { clock: systemClock, vault, events });
        print('The sandbox is reset to the demo data of the first start.');
        return undefined;
      }
      await forNewCustomers(db).transaction(async (tx) => {
        // A database with published keys must never be used in live mode, so it is claimed even before the first start.
        await claimInstallation(tx, 'sandbox');
        await seedDemo(tx, { clock, vault, events });
      });
      print('The demo data is written.');
    },
  });
