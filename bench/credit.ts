import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type BenchEnvironment, createDatabase, withBenchDatabase, withClient } from './environment.ts';
import { type RunningProcess, startBenchProgram, startService } from './processes.ts';
import { customerIdSql, generatePurchases, hashSql, INSTALLMENTS } from './purchases.ts';
import { issueAccessTokens, writeWrkScript } from './sessions.ts';
import { computeMedianCostRatio, measurePairs, type Pair, reportPairs } from './side-by-side.ts';
import { requireWrk } from './wrk.ts';

const SIZES = [10_000, 1_000_000] as const;
/** The number of customers whose purchases are read. */
const SESSIONS = 1_000;
const READS = ['list', 'detail'] as const;
const MAX_COST_RATIO = 1.3;
/** The age in days of a customer's older and newer purchase. */
const DAYS_AGO = [70, 17] as const;

/** A database with as many installments as `size`, its servers, and a pair for each of READS. */
type PreparedSize = { size: number; service: RunningProcess; bare: RunningProcess; pairs: Pair[] };

/**
 * Compares reads of purchases by many customers with bare Fastify routes that run the same statements, and the cost of these reads with
 * few and with many installments in the database.
 */
export async function runCreditBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async (environment) => {
    const preparedSizes: PreparedSize[] = [];
    try {
      for (const size of SIZES) preparedSizes.push(await prepareSize(size, environment));
      const measuredPairs = await measurePairs(
        READS.flatMap((_, readIndex) => preparedSizes.map(({ pairs }) => pairs[readIndex]!)),
      );
      const areRatiosReached = reportPairs(['READ', 'INSTALLMENTS'], measuredPairs);
      const costs = READS.map((read, i) => {
        // The pairs are sorted by read, then by size.
        const [smallPair, largePair] = measuredPairs.slice(i * SIZES.length);
        const cost = computeMedianCostRatio(largePair!, smallPair!);
        const [small, large] = SIZES.map((size) => size.toLocaleString('en'));
        process.stdout.write(
          `${read}: with ${large} installments a read costs ${cost.toFixed(2)} times what it costs with ${small} ` +
            `(at most ${MAX_COST_RATIO.toFixed(2)})\n`,
        );
        return cost;
      });
      return areRatiosReached && costs.every((cost) => cost <= MAX_COST_RATIO);
    } finally {
      for (const { service, bare } of preparedSizes) await Promise.all([service.stop(), bare.stop()]);
    }
  });
}

async function prepareSize(size: number, { url, directory }: BenchEnvironment): Promise<PreparedSize> {
  const databaseUrl = await createDatabase(url, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  const customers = size / (DAYS_AGO.length * INSTALLMENTS);
  // The older purchase is paid. Every other customer has an overdue installment of the newer purchase.
  const purchasePlan = {
    customers,
    cashbackPpm: 0,
    select: (first: number, last: number) => `
      select n as customer, 1 as purchase, ${DAYS_AGO[0]} as days_ago, ${INSTALLMENTS} as paid_installments from generate_series(${first}, ${last}) as n
      union all
      select n, 2, ${DAYS_AGO[1]}, 1 + n % 2 from generate_series(${first}, ${last}) as n`,
  };
  await generatePurchases(databaseUrl, purchasePlan, (share) => bar.show(share));
  bar.clear();
  const pickedCustomers = await pickCustomers(databaseUrl, customers);
  const sessions = await issueAccessTokens(
    databaseUrl,
    pickedCustomers.map(({ customer_id }) => customer_id),
  );
  const bare = await startBenchProgram('bare-credit-server.ts', databaseUrl);
  const pairs = READS.map(async (read) => {
    const requests = sessions.map((session, i) => ({
      session,
      path: read === 'list' ? '/wallet/checkouts' : `/wallet/checkouts/${pickedCustomers[i]!.hash}`,
    }));
    const script = await writeWrkScript(join(directory, `${read}-${size}.lua`), requests);
    return { labels: [read, size.toLocaleString('en')], script, serviceUrl: service.url, bareUrl: bare.url };
  });
  return { size, service, bare, pairs: await Promise.all(pairs) };
}

/** Picks pairs of neighbours evenly from all customers, each with the newer purchase. One of two neighbours has an overdue installment. */
async function pickCustomers(databaseUrl: string, customers: number) {
  const pairDistance = (2 * customers) / SESSIONS;
  const numbers = Array.from({ length: SESSIONS / 2 }, (_, i) => [
    i * pairDistance + 1,
    i * pairDistance + 2,
  ]).flat();
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ customer_id: string; hash: string }>(
      `select ${customerIdSql('n')} as customer_id, ${hashSql('n', '2')} as hash from unnest($1::int[]) as n`,
      [numbers],
    );
    return rows;
  });
}
