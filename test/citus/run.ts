import { globSync } from 'node:fs';
import { runOnCluster } from '../runner.ts';
import { makeCitusTemplate } from './database.ts';

// npm run test:citus [FILE...]: the contract and the scenarios on a Citus cluster, CITUS_URL; see cluster.sh.

/** What customers, partners and merchants are promised, and what happens over weeks; every file a database of its own. */
const SUITES = [
  'test/scenarios/*.test.ts',
  'src/{approvals,backoffice,customers,credit,decisions,events,ledger,members,messages,notices,payouts,pix,reports,rewards,staff}/**/*.test.ts',
  'packages/client/src/*.test.ts',
  'src/sandbox/reset.test.ts',
];

const url = process.env.CITUS_URL;
if (!url) {
  process.stderr.write(`Set CITUS_URL to the coordinator: see test/citus/cluster.sh.\n`);
  process.exit(2);
}
await makeCitusTemplate(url, 'semana_empty', false);
await makeCitusTemplate(url, 'semana_demo', true);
const words = process.argv.slice(2);
const isSlow = (path: string) => path.includes('.slow.');
const files = (words.length > 0 ? words : globSync(SUITES).filter((path) => !isSlow(path))).toSorted();
/** Runs alone, because it kills servers. */
const CRASHES = 'test/citus/crashes.test.ts';
let passed = files.length === 0 || (await runOnCluster(url, files));
if (words.length === 0) passed = (await runOnCluster(url, [CRASHES])) && passed;
process.exit(passed ? 0 : 1);
