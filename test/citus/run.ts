import { globSync } from 'node:fs';
import { runOnCluster } from '../runner.ts';
import { createCitusTemplate } from './database.ts';

// npm run test:citus [FILE...]: runs the tests of the public behaviour and the scenarios on the Citus cluster CITUS_URL; see cluster.sh.

/** Tests of what customers, partners and merchants rely on, and scenarios over weeks. Every file has its own database. */
const SUITES = [
  'test/scenarios/*.test.ts',
  'src/{back-office,customers,credit,decisions,events,ledger,members,messages,notifications,payouts,pix,rewards,staff}/**/*.test.ts',
  'packages/client/src/*.test.ts',
  'src/sandbox/reset.test.ts',
];

const url = process.env.CITUS_URL;
if (!url) {
  process.stderr.write(`Set CITUS_URL to the coordinator: see test/citus/cluster.sh.\n`);
  process.exit(2);
}
await createCitusTemplate(url, 'semana_empty', { demo: false });
await createCitusTemplate(url, 'semana_demo', { demo: true });
const fileArgs = process.argv.slice(2);
const isSlow = (path: string) => path.includes('.slow.');
const files = (fileArgs.length > 0 ? fileArgs : globSync(SUITES).filter((path) => !isSlow(path))).toSorted();
/** Runs alone, because it kills servers. */
const CRASHES = 'test/citus/crashes.test.ts';
let passed = files.length === 0 || (await runOnCluster(url, files));
if (fileArgs.length === 0) passed = (await runOnCluster(url, [CRASHES])) && passed;
process.exit(passed ? 0 : 1);
