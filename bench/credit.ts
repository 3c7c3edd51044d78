import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { table } from '#platform/command.ts';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { ProgressBar } from '#platform/progress-bar.ts';
import { type Running, startBareCreditServer, startService } from './processes.ts';
import { makePurchases, pickVisitors, type Visitor } from './purchases.ts';
import { needWrk, requestsPerSecond } from './wrk.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const ROUNDS = 5;
const SECONDS = 3;
const VISITORS = 1_000;
const READS = ['list', 'detail'] as const;

type Read = (typeof READS)[number];
type Stand = { size: number; service: Running; bare: Running; scripts: Record<Read, string> };
type Round = { ours: number; bare: number };

/**
 * Reads of purchases, by many customers, with few and with many installments in the database, next to bare Fastify routes that
 * run the same statements. All four take turns in every round, so that a neighbour's noise falls on all.
 */
export async function creditBench(): Promise<boolean> {
  needWrk();
  const directory = await mkdtemp(join(tmpdir(), 'semana-bench-'));
  const postgres = await openEmbeddedPostgres({
    dataDir: join(directory, 'data'),
    owner: 'service',
    label: 'npm run bench',
    log: () => undefined,
  });
  const stands: Stand[] = [];
  try {
    for (const size of [SMALL, LARGE]) stands.push(await setUp(size, postgres.url, directory));
    return report(await measure(stands));
  } finally {
    for (const { service, bare } of stands) await Promise.all([service.stop(), bare.stop()]);
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function setUp(size: number, serverUrl: string, directory: string): Promise<Stand> {
  const databaseUrl = await createDatabase(serverUrl, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  await makePurchases(databaseUrl, size, (share) => bar.show(share, ''));
  bar.clear();
  const visitors = await pickVisitors(databaseUrl, size, VISITORS);
  const write = (read: Read) => writeScript(join(directory, `${read}-${size}.lua`), read, visitors);
  const scripts = { list: await write('list'), detail: await write('detail') };
  return { size, service, bare: await startBareCreditServer(databaseUrl), scripts };
}

async function measure(stands: Stand[]): Promise<Map<string, Round[]>> {
  const rounds = new Map<string, Round[]>();
  const bar = new ProgressBar('Reads');
  // The first time round connections are opened, statements prepared, and tokens read: it does not count.
  for (let round = -1; round < ROUNDS; round++) {
    for (const read of READS) {
      for (const { size, service, bare, scripts } of stands) {
        bar.show(Math.max(0, round) / ROUNDS, `${read} of ${size.toLocaleString('en')}`);
        const target = { seconds: round < 0 ? 1 : SECONDS, script: scripts[read] };
        const bareRate = await requestsPerSecond({ ...target, url: bare.url });
        const ours = await requestsPerSecond({ ...target, url: service.url });
        const name = `${read} ${size}`;
        if (round >= 0) rounds.set(name, [...(rounds.get(name) ?? []), { ours, bare: bareRate }]);
      }
    }
  }
  bar.clear();
  return rounds;
}

/** Another customer with every request. The bare route goes by x-customer, the service by x-token. */
async function writeScript(path: string, read: Read, visitors: Visitor[]): Promise<string> {
  const lines = visitors.map(({ customerId, token, hash }) => {
    const address = read === 'list' ? '/wallet/checkouts' : `/wallet/checkouts/${hash}`;
    return `  {"${address}", {["x-api-key"]="sandbox-demo-key", ["x-token"]="${token}", ["x-customer"]="${customerId}"}},`;
  });
  await writeFile(
    path,
    `local visitors = {\n${lines.join('\n')}\n}\nlocal i = 0\nrequest = function()\n  i = i % #visitors + 1\n` +
      `  return wrk.format("GET", visitors[i][1], visitors[i][2])\nend\n`,
  );
  return path;
}

function report(rounds: Map<string, Round[]>): boolean {
  const of = (read: Read, size: number) => rounds.get(`${read} ${size}`)!;
  const lines = READS.flatMap((read) => [SMALL, LARGE].map((size) => ({ read, size, all: of(read, size) })));
  const ratios = lines.map(({ all }) => median(all.map(({ ours, bare }) => ours / bare)));
  const rows = lines.map(({ read, size, all }, i) => [
    read,
    size.toLocaleString('en'),
    Math.round(median(all.map(({ ours }) => ours))).toLocaleString('en'),
    Math.round(median(all.map(({ bare }) => bare))).toLocaleString('en'),
    ratios[i]!.toFixed(3),
    '0.60',
    ratios[i]! >= 0.6 ? 'yes' : 'NO',
  ]);
  const headings = ['READ', 'INSTALLMENTS', 'A SECOND', 'BARE', 'RATIO', 'AT LEAST', 'REACHED'];
  process.stdout.write(`${table(headings, rows)}\n\n`);
  const costs = READS.map((read) => {
    const cost = median(of(read, SMALL).map(({ ours }, round) => ours / of(read, LARGE)[round]!.ours));
    process.stdout.write(
      `${read}: with ${LARGE.toLocaleString('en')} installments it costs ${cost.toFixed(2)} times what it costs with ` +
        `${SMALL.toLocaleString('en')} (at most 1.30)\n`,
    );
    return cost;
  });
  return ratios.every((ratio) => ratio >= 0.6) && costs.every((cost) => cost <= 1.3);
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
