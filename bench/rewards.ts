import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { startBareProgram, startService } from './processes.ts';
import { costOf, type Measured, measurePairs, type Pair, reportPairs } from './side-by-side.ts';
import { onStage, type Stage } from './stage.ts';
import { customerId, makeStatements, ROLES, type Role } from './statements.ts';
import { letIn, writeScript } from './visitors.ts';
import { needWrk } from './wrk.ts';

const VISITORS = 1_000;
const MOST_COST = 1.3;

const READS: Array<{ name: string; role: Role; address: string; least?: number }> = [
  { name: 'balance', role: 'regular', address: '/wallet/cashback/balance' },
  { name: 'balance', role: 'veteran', address: '/wallet/cashback/balance' },
  { name: 'statement, page 1', role: 'regular', address: '/wallet/cashback/ledger?page=1' },
  { name: 'statement, page 1', role: 'veteran', address: '/wallet/cashback/ledger?page=1' },
  { name: 'statement, page 50', role: 'veteran', address: '/wallet/cashback/ledger?page=50' },
  { name: 'referral', role: 'regular', address: '/wallet/referral?page=1' },
  // The service decrypts a hundred names, the bare route none.
  { name: 'referral, 100 invited', role: 'inviter', address: '/wallet/referral?page=1', least: 0.5 },
];

/**
 * Reads of cashback and referral, by many customers, compared with bare Fastify routes that run the same statements; and the
 * cost of a long history for answers of the same size.
 */
export async function rewardsBench(): Promise<boolean> {
  needWrk();
  return onStage(async (stage) => {
    await (await startService({ DATABASE_URL: stage.url })).stop(); // makes the tables
    const bar = new ProgressBar('Rewards');
    const lines = await makeStatements(stage.url, (share, what) => bar.show(share, what));
    bar.clear();
    const service = await startService({ DATABASE_URL: stage.url });
    const bare = await startBareProgram('bare-rewards-server.ts', stage.url);
    try {
      const pairs = await setUp(stage, lines, { service: service.url, bare: bare.url });
      const measured = await measurePairs(pairs);
      const reached = reportPairs(['READ', 'LINES OF THE STATEMENT'], measured);
      const costs = ['balance', 'statement, page 1'].map((name) => reportGrowth(name, measured));
      return reached && costs.every((cost) => cost <= MOST_COST);
    } finally {
      await Promise.all([service.stop(), bare.stop()]);
    }
  });
}

async function setUp(
  { url, directory }: Stage,
  lines: Record<Role, number>,
  urls: { service: string; bare: string },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [i, { name, role, address, ...least }] of READS.entries()) {
    const { first, last } = ROLES[role];
    const ids = Array.from({ length: Math.min(VISITORS, last - first + 1) }, (_, n) => customerId(first + n));
    const visits = (await letIn(url, ids)).map((visitor) => ({ visitor, address }));
    const script = await writeScript(join(directory, `rewards-${i}.lua`), visits);
    pairs.push({ about: [name, lines[role].toLocaleString('en')], script, ...urls, ...least });
  }
  return pairs;
}

function reportGrowth(name: string, measured: Measured[]): number {
  const [short, long] = measured.filter(({ about }) => about[0] === name);
  const cost = costOf(long!, short!);
  process.stdout.write(
    `${name}: after ${long!.about[1]} lines it costs ${cost.toFixed(2)} times what it costs after ${short!.about[1]} ` +
      `(at most ${MOST_COST.toFixed(2)})\n`,
  );
  return cost;
}
