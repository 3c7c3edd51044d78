import { join } from 'node:path';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Running, startBareProgram, startService } from './processes.ts';
import { customerIdSql, hashSql, INSTALLMENTS, makePurchases } from './purchases.ts';
import { costOf, measurePairs, type Pair, reportPairs } from './side-by-side.ts';
import { createDatabase, onStage, type Stage, withClient } from './stage.ts';
import { letIn, writeScript } from './visitors.ts';
import { needWrk } from './wrk.ts';

const SIZES = [10_000, 1_000_000] as const;
const VISITORS = 1_000;
const READS = ['list', 'detail'] as const;
const MOST_COST = 1.3;
/** The age in days of a customer's older and newer purchase. */
const DAYS_AGO = [70, 17] as const;

type Stand = { size: number; service: Running; bare: Running; pairs: Pair[] };

/**
 * Reads of purchases, by many customers, with few and with many installments in the database, compared with bare Fastify routes
 * that run the same statements.
 */
export async function creditBench(): Promise<boolean> {
  needWrk();
  return onStage(async (stage) => {
    const stands: Stand[] = [];
    try {
      for (const size of SIZES) stands.push(await setUp(size, stage));
      const measured = await measurePairs(READS.flatMap((_, i) => stands.map(({ pairs }) => pairs[i]!)));
      const reached = reportPairs(['READ', 'INSTALLMENTS'], measured);
      const costs = READS.map((read, i) => {
        const cost = costOf(measured[2 * i + 1]!, measured[2 * i]!);
        const [small, large] = SIZES.map((size) => size.toLocaleString('en'));
        process.stdout.write(
          `${read}: with ${large} installments it costs ${cost.toFixed(2)} times what it costs with ${small} ` +
            `(at most ${MOST_COST.toFixed(2)})\n`,
        );
        return cost;
      });
      return reached && costs.every((cost) => cost <= MOST_COST);
    } finally {
      for (const { service, bare } of stands) await Promise.all([service.stop(), bare.stop()]);
    }
  });
}

async function setUp(size: number, { url, directory }: Stage): Promise<Stand> {
  const databaseUrl = await createDatabase(url, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  const customers = size / (DAYS_AGO.length * INSTALLMENTS);
  // The older purchase is paid; of the newer, every other customer has an installment overdue.
  const bought = {
    customers,
    cashbackPpm: 0,
    select: (first: number, last: number) => `
      select n, 1, ${DAYS_AGO[0]}, ${INSTALLMENTS} from generate_series(${first}, ${last}) as n
      union all
      select n, 2, ${DAYS_AGO[1]}, 1 + n % 2 from generate_series(${first}, ${last}) as n`,
  };
  await makePurchases(databaseUrl, bought, (share) => bar.show(share, ''));
  bar.clear();
  const visited = await pickCustomers(databaseUrl, customers);
  const visitors = await letIn(
    databaseUrl,
    visited.map(({ customer_id }) => customer_id),
  );
  const bare = await startBareProgram('bare-credit-server.ts', databaseUrl);
  const pairs = READS.map(async (read) => {
    const visits = visitors.map((visitor, i) => ({
      visitor,
      address: read === 'list' ? '/wallet/checkouts' : `/wallet/checkouts/${visited[i]!.hash}`,
    }));
    const script = await writeScript(join(directory, `${read}-${size}.lua`), visits);
    return { about: [read, size.toLocaleString('en')], script, service: service.url, bare: bare.url };
  });
  return { size, service, bare, pairs: await Promise.all(pairs) };
}

/** Customers spread evenly over all, with the newer purchase of each. */
async function pickCustomers(databaseUrl: string, customers: number) {
  const step = customers / VISITORS;
  const numbers = Array.from({ length: VISITORS }, (_, i) =>
    Math.min(Math.floor(i * step) + 1 + (i % 2), customers),
  );
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ customer_id: string; hash: string }>(
      `select ${customerIdSql('n')} as customer_id, ${hashSql('n', '2')} as hash from unnest($1::int[]) as n`,
      [numbers],
    );
    return rows;
  });
}
