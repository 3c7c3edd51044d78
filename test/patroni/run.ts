import { globSync } from 'node:fs';
import { runOnCluster } from '../runner.ts';
import { createTemplate } from '../template.ts';

// npm run test:patroni [FILE...]: kills the leader of the Patroni cluster PATRONI_URL under load, then runs tests of the public
// behaviour on the remaining servers; see cluster.sh.

const SUITES = ['test/scenarios/*.test.ts', 'src/{credit,pix,rewards,payouts}/*.test.ts'];
/** Runs first and alone, because it kills a server. */
const FAILOVER = 'test/patroni/failover.test.ts';

const url = process.env.PATRONI_URL;
if (!url) {
  process.stderr.write(`Set PATRONI_URL to all servers: see test/patroni/cluster.sh.\n`);
  process.exit(2);
}
for (const name of ['semana_empty', 'semana_demo'])
  await createTemplate(url, name, { demo: name === 'semana_demo' });
const fileArgs = process.argv.slice(2);
let passed = fileArgs.length > 0 || (await runOnCluster(url, [FAILOVER]));
passed = (await runOnCluster(url, globSync(fileArgs.length > 0 ? fileArgs : SUITES).toSorted())) && passed;
process.exit(passed ? 0 : 1);
