import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type BenchEnvironment, createDatabase, withBenchDatabase, withClient } from './environment.ts';
import { type RunningProcess, startBenchProgram, startService } from './processes.ts';
import { checkoutHashSql, customerIdSql, generatePurchases, INSTALLMENTS } from './purchases.ts';
import { issueAccessTokens, writeWrkScript } from './sessions.ts';
import { computeMedianCostRatio, measurePairs, type Pair, reportPairs } from './side-by-side.ts';
import { requireWrk } from './wrk.ts';

/** The numbers of installments in the two databases. */
const SIZES = [10_000, 1_000_000];
/** The number of customers whose purchases are read. */
const SESSIONS = 1_000;
const READS = ['list', 'detail'] as const;
/** Allowed growth of the cost of a read from the smaller to the larger database. */
const MAX_COST_RATIO = 1.3;
/** Every customer has two purchases, made this many days ago. */
const OLDER_DAYS_AGO = 70;
const NEWER_DAYS_AGO = 17;
const INSTALLMENTS_PER_CUSTOMER = 2 * INSTALLMENTS;

/** A database, the two servers that read it, and a pair for each read. */
type PreparedDatabase = {
  service: RunningProcess;
  bareServer: RunningProcess;
  pairs: Record<(typeof READS)[number], Pair>;
};

/**
 * Compares reads of purchases by many customers with bare Fastify routes that run the same statements, and the cost of these reads with
 * few and with many installments in the database.
 */
export async function runCreditBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async (environment) => {
    const databases: PreparedDatabase[] = [];
    try {
      for (const size of SIZES) databases.push(await prepareDatabase(size, environment));
      const pairs = READS.flatMap((read) => databases.map((database) => database.pairs[read]));
      const measuredPairs = await measurePairs(pairs);
      const areRatiosReached = reportPairs('INSTALLMENTS', measuredPairs);
      const costRatios = READS.map((read) => {
        const [smallPair, largePair] = measuredPairs.filter((pair) => pair.read === read);
        const costRatio = computeMedianCostRatio(smallPair!, largePair!);
        const [small, large] = SIZES.map((size) => size.toLocaleString('en'));
        process.stdout.write(
          `${read}: with ${large} installments a read costs ${costRatio.toFixed(2)} times what it costs with ${small} ` +
            `(at most ${MAX_COST_RATIO.toFixed(2)})\n`,
        );
        return costRatio;
      });
      return areRatiosReached && costRatios.every((costRatio) => costRatio <= MAX_COST_RATIO);
    } finally {
      for (const { service, bareServer } of databases) await Promise.all([service.stop(), bareServer.stop()]);
    }
  });
}

/** Creates a database with this many installments, and starts its servers. */
async function prepareDatabase(
  size: number,
  { url, directory }: BenchEnvironment,
): Promise<PreparedDatabase> {
  const databaseUrl = await createDatabase(url, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  const customers = size / INSTALLMENTS_PER_CUSTOMER;
  // The older purchase is paid. Every other customer has an overdue installment of the newer purchase.
  const purchasePlan = {
    customers,
    cashbackPpm: 0,
    select: (first: number, last: number) => `
      select n as customer, 1 as purchase, ${OLDER_DAYS_AGO} as days_ago, ${INSTALLMENTS} as paid_installments from generate_series(${first}, ${last}) as n
      union all
      select n, 2, ${NEWER_DAYS_AGO}, 1 + n % 2 from generate_series(${first}, ${last}) as n`,
  };
  await generatePurchases(databaseUrl, purchasePlan, (share) => bar.show(share));
  bar.clear();
  const newerPurchases = await pickNewerPurchases(databaseUrl, customers);
  const sessions = await issueAccessTokens(
    databaseUrl,
    newerPurchases.map(({ customer_id }) => customer_id),
  );
  const bareServer = await startBenchProgram('bare-credit-server.ts', databaseUrl);
  const createPair = async (read: string, paths: string[]): Promise<Pair> => {
    const requests = sessions.map((session, i) => ({ session, path: paths[i]! }));
    const script = await writeWrkScript(join(directory, `${read}-${size}.lua`), requests);
    return { read, size, script, serviceUrl: service.url, bareUrl: bareServer.url };
  };
  const list = await createPair(
    'list',
    newerPurchases.map(() => '/wallet/checkouts'),
  );
  const detail = await createPair(
    'detail',
    newerPurchases.map(({ hash }) => `/wallet/checkouts/${hash}`),
  );
  return { service, bareServer, pairs: { list, detail } };
}

/**
 * Picks the newer purchases of SESSIONS customers: of two customers with consecutive numbers, of whom one has an overdue installment, then
 * of two others at an even distance.
 */
async function pickNewerPurchases(databaseUrl: string, customers: number) {
  const distance = customers / (SESSIONS / 2);
  const customerNumbers = Array.from({ length: SESSIONS / 2 }, (_, i) => [
    i * distance + 1,
    i * distance + 2,
  ]).flat();
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ customer_id: string; hash: string }>(
      `select ${customerIdSql('n')} as customer_id, ${checkoutHashSql('n', '2')} as hash
       from unnest(array[${customerNumbers.join(', ')}]) as n`,
    );
    return rows;
  });
}
