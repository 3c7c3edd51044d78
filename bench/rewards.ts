import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { formatCustomerId, generateCustomerHistories, ROLES, type Role } from './customer-histories.ts';
import { type BenchEnvironment, withBenchDatabase } from './environment.ts';
import { createTables, startBenchProgram, startService } from './processes.ts';
import { issueAccessTokens, writeWrkScript } from './sessions.ts';
import {
  computeMedianCostRatio,
  type MeasuredPair,
  measurePairs,
  type Pair,
  reportPairs,
} from './side-by-side.ts';
import { requireWrk } from './wrk.ts';

/** The maximum number of customers of one role who send requests. */
const MAX_SESSIONS = 1_000;
/** How many times as much a read may cost after a long history as after a short one. */
const MAX_COST_RATIO = 1.3;

const READS: Array<{ read: string; role: Role; path: string; minRatio?: number }> = [
  { read: 'balance', role: 'regular', path: '/wallet/cashback/balance' },
  { read: 'balance', role: 'veteran', path: '/wallet/cashback/balance' },
  { read: 'statement, page 1', role: 'regular', path: '/wallet/cashback/ledger?page=1' },
  { read: 'statement, page 1', role: 'veteran', path: '/wallet/cashback/ledger?page=1' },
  { read: 'statement, page 50', role: 'veteran', path: '/wallet/cashback/ledger?page=50' },
  { read: 'referral', role: 'regular', path: '/wallet/referral?page=1' },
  // The service decrypts a hundred names, the bare route none.
  { read: 'referral, 100 invited', role: 'inviter', path: '/wallet/referral?page=1', minRatio: 0.5 },
];

/**
 * Compares reads of cashback and referral by many customers with bare Fastify routes that run the same statements. Also compares the
 * cost of reads after a long history and after a short one, with responses of the same size.
 */
export async function runRewardsBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async (environment) => {
    await createTables(environment.url);
    const bar = new ProgressBar('Rewards');
    const lineCounts = await generateCustomerHistories(environment.url, (share, step) =>
      bar.show(share, step),
    );
    bar.clear();
    const service = await startService({ DATABASE_URL: environment.url });
    const bareServer = await startBenchProgram('bare-rewards-server.ts', environment.url);
    try {
      const pairs = await preparePairs(environment, lineCounts, {
        serviceUrl: service.url,
        bareUrl: bareServer.url,
      });
      const measuredPairs = await measurePairs(pairs);
      const areRatiosReached = reportPairs('LINES OF THE STATEMENT', measuredPairs);
      const costRatios = ['balance', 'statement, page 1'].map((read) => reportGrowth(read, measuredPairs));
      return areRatiosReached && costRatios.every((costRatio) => costRatio <= MAX_COST_RATIO);
    } finally {
      await Promise.all([service.stop(), bareServer.stop()]);
    }
  });
}

async function preparePairs(
  { url, directory }: BenchEnvironment,
  lineCounts: Record<Role, number>,
  urls: { serviceUrl: string; bareUrl: string },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [i, { read, role, path, ...limits }] of READS.entries()) {
    const { first, last } = ROLES[role];
    const ids = Array.from({ length: Math.min(MAX_SESSIONS, last - first + 1) }, (_, n) =>
      formatCustomerId(first + n),
    );
    const requests = (await issueAccessTokens(url, ids)).map((session) => ({ session, path }));
    const script = await writeWrkScript(join(directory, `rewards-${i}.lua`), requests);
    pairs.push({ read, size: lineCounts[role], script, ...urls, ...limits });
  }
  return pairs;
}

/** Prints and returns how many times as much a read costs a veteran as a regular customer. */
function reportGrowth(read: string, measuredPairs: MeasuredPair[]): number {
  const [regularPair, veteranPair] = measuredPairs.filter((pair) => pair.read === read);
  const costRatio = computeMedianCostRatio(regularPair!, veteranPair!);
  const [few, many] = [regularPair!, veteranPair!].map(({ size }) => size.toLocaleString('en'));
  process.stdout.write(
    `${read}: after ${many} lines a read costs ${costRatio.toFixed(2)} times what it costs after ${few} ` +
      `(at most ${MAX_COST_RATIO.toFixed(2)})\n`,
  );
  return costRatio;
}
