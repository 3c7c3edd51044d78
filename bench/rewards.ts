import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type BenchEnvironment, withBenchDatabase } from './environment.ts';
import { startBenchProgram, startService } from './processes.ts';
import { issueAccessTokens, writeWrkScript } from './sessions.ts';
import {
  computeMedianCostRatio,
  type MeasuredPair,
  measurePairs,
  type Pair,
  reportPairs,
} from './side-by-side.ts';
import { customerId, generateStatements, ROLES, type Role } from './statements.ts';
import { requireWrk } from './wrk.ts';

/** The maximum number of customers of one role who read. */
const SESSIONS = 1_000;
const MAX_COST_RATIO = 1.3;

const READS: Array<{ name: string; role: Role; path: string; minRatio?: number }> = [
  { name: 'balance', role: 'regular', path: '/wallet/cashback/balance' },
  { name: 'balance', role: 'veteran', path: '/wallet/cashback/balance' },
  { name: 'statement, page 1', role: 'regular', path: '/wallet/cashback/ledger?page=1' },
  { name: 'statement, page 1', role: 'veteran', path: '/wallet/cashback/ledger?page=1' },
  { name: 'statement, page 50', role: 'veteran', path: '/wallet/cashback/ledger?page=50' },
  { name: 'referral', role: 'regular', path: '/wallet/referral?page=1' },
  // The service decrypts a hundred names, the bare route none.
  { name: 'referral, 100 invited', role: 'inviter', path: '/wallet/referral?page=1', minRatio: 0.5 },
];

/**
 * Compares reads of cashback and referral by many customers with bare Fastify routes that run the same statements. Also compares the
 * cost of reads after a long history and after a short one, with responses of the same size.
 */
export async function runRewardsBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async (environment) => {
    await (await startService({ DATABASE_URL: environment.url })).stop(); // creates the tables
    const bar = new ProgressBar('Rewards');
    const lineCounts = await generateStatements(environment.url, (share, step) => bar.show(share, step));
    bar.clear();
    const service = await startService({ DATABASE_URL: environment.url });
    const bare = await startBenchProgram('bare-rewards-server.ts', environment.url);
    try {
      const pairs = await preparePairs(environment, lineCounts, {
        serviceUrl: service.url,
        bareUrl: bare.url,
      });
      const measuredPairs = await measurePairs(pairs);
      const areRatiosReached = reportPairs(['READ', 'LINES OF THE STATEMENT'], measuredPairs);
      const costs = ['balance', 'statement, page 1'].map((name) => reportGrowth(name, measuredPairs));
      return areRatiosReached && costs.every((cost) => cost <= MAX_COST_RATIO);
    } finally {
      await Promise.all([service.stop(), bare.stop()]);
    }
  });
}

async function preparePairs(
  { url, directory }: BenchEnvironment,
  lineCounts: Record<Role, number>,
  urls: { serviceUrl: string; bareUrl: string },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [i, { name, role, path, ...limits }] of READS.entries()) {
    const { first, last } = ROLES[role];
    const ids = Array.from({ length: Math.min(SESSIONS, last - first + 1) }, (_, n) => customerId(first + n));
    const requests = (await issueAccessTokens(url, ids)).map((session) => ({ session, path }));
    const script = await writeWrkScript(join(directory, `rewards-${i}.lua`), requests);
    pairs.push({ labels: [name, lineCounts[role].toLocaleString('en')], script, ...urls, ...limits });
  }
  return pairs;
}

/** Prints and returns how many times as much a read costs after the history of a veteran as after that of a regular customer. */
function reportGrowth(name: string, measuredPairs: MeasuredPair[]): number {
  const [shortHistory, longHistory] = measuredPairs.filter(({ labels }) => labels[0] === name);
  const cost = computeMedianCostRatio(longHistory!, shortHistory!);
  process.stdout.write(
    `${name}: after ${longHistory!.labels[1]} lines a read costs ${cost.toFixed(2)} times what it costs after ${shortHistory!.labels[1]} ` +
      `(at most ${MAX_COST_RATIO.toFixed(2)})\n`,
  );
  return cost;
}
