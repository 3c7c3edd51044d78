import { type Command, CommandFault } from '#platform/command.ts';
import { seedDemo } from '../demo-data.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'write the demo data (anew): catalog, keys, customers',
  details: 'Sandbox only. What you changed of the demo data is set back; what you added stays.',
  async run({ db, clock, config, print }) {
    if (config.mode !== 'sandbox') throw new CommandFault('There is no demo data in live mode.');
    await db.transaction((tx) => seedDemo(tx, clock));
    print('The demo data is in place.');
    return undefined;
  },
};
