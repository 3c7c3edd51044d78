import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { createDatabase, withBenchDatabase } from './environment.ts';
import { generateCategoryLines, generateMerchantLines, generateSearches } from './merchants.ts';
import { type RunningProcess, startBareServer, startService } from './processes.ts';
import { median } from './side-by-side.ts';
import { measureRequestsPerSecond, requireWrk } from './wrk.ts';

/** The numbers of merchants in the databases. */
const SMALL_SIZE = 1_000;
const LARGE_SIZE = 100_000;
const SIZES = [SMALL_SIZE, 10_000, LARGE_SIZE];
const ROUNDS = 3;
/** How long the requests of a round are sent to a server. */
const SECONDS = 2;
/** Rounds of reads from the cache that are not counted, because code is compiled in them. */
const WARM_UP_ROUNDS = 2;
/** The required ratio of reads from the cache to a bare server that sends the same headers. */
const MIN_WARM_RATIO = 0.75;
/** The required quotient of the ratio with LARGE_SIZE merchants and the ratio with SMALL_SIZE. */
const MIN_RELATIVE_RATIO = 0.67;
/** The number of different searches, of which each round sends its own share. */
const SEARCHES = 120_000;
const KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };
/** The headers that the bare server without the service's headers sends. */
const REQUIRED_HEADERS = ['content-type', 'content-length'];
const HEADERS_WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive'];

/** A read to measure. `path` is requested each time, unless `differentUrls` says that every request has its own URL. */
type Read = {
  name: string;
  path: string;
  differentUrls?: 'searches' | 'pages';
  /** The required `ratioWithHeaders`. Without it the read is only reported. */
  minRatio?: number;
};

type Measurement = {
  read: Read;
  size: number;
  /** Requests per second that the service responds to. */
  rate: number;
  /** Requests per second that the bare server responds to. */
  bareRate: number;
  /** The ratio of the service to the bare server. */
  ratio: number;
  /** The ratio to a bare server that also sends all headers of the service, whose cost differs between architectures. */
  ratioWithHeaders: number;
};

/**
 * Compares catalog reads with a bare node:http server that sends the same body, and with one that also sends the same headers. The
 * three alternate in the same run. A ratio is the median of the rounds' ratios, so that other load affects both sides.
 */
export async function runCatalogBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async ({ url, directory }) => {
    const measurements: Measurement[] = [];
    for (const size of SIZES) measurements.push(...(await measureSize(size, url, directory)));
    return report(measurements);
  });
}

const WARM_READS: Read[] = [
  { name: 'warm list', path: '/public/merchants?limit=20', minRatio: MIN_WARM_RATIO },
  { name: 'warm detail', path: '/public/merchants/loja-7', minRatio: MIN_WARM_RATIO },
];

/** Returns the reads to measure with this number of merchants. */
function listReads(size: number): Read[] {
  if (size === SMALL_SIZE) return WARM_READS;
  const searches: Read = {
    name: 'searches, all different',
    path: '/public/merchants?q=padaria',
    differentUrls: 'searches',
    minRatio: size === LARGE_SIZE ? 0.03 : 0.08,
  };
  const pages: Read = {
    name: 'pages, all different',
    path: `/public/merchants?page=${size / 40}`,
    differentUrls: 'pages',
  };
  return [...WARM_READS, searches, pages];
}

async function measureSize(size: number, serverUrl: string, directory: string): Promise<Measurement[]> {
  const databaseUrl = await createDatabase(serverUrl, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size} merchants`);
  try {
    bar.showNote('importing ...');
    await importMerchants(databaseUrl, size, directory);
    const measurements: Measurement[] = [];
    for (const read of listReads(size)) {
      bar.showNote(read.name);
      measurements.push(await measureRead(read, service, { size, directory }));
    }
    return measurements;
  } finally {
    bar.clear();
    await service.stop();
  }
}

async function measureRead(
  read: Read,
  service: RunningProcess,
  { size, directory }: { size: number; directory: string },
): Promise<Measurement> {
  const { path, differentUrls } = read;
  const response = await fetch(service.url + path, { headers: KEY_HEADER });
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  const body = Buffer.from(await response.arrayBuffer());
  const headers = [...response.headers].filter(([header]) => !HEADERS_WRITTEN_BY_NODE.includes(header));
  const requiredHeaders = headers.filter(([header]) => REQUIRED_HEADERS.includes(header));
  const bareServer = await startBareServer(body, requiredHeaders, directory);
  const bareServerWithHeaders = await startBareServer(body, headers, directory);
  try {
    const rounds: Array<{ rate: number; bareRate: number; bareRateWithHeaders: number }> = [];
    // Different URLs need no warm-up: no response comes from the cache, because each round has its own URLs.
    for (let round = differentUrls ? 0 : -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const script = differentUrls && {
        script: await writeUrlScript(differentUrls, directory, { size, round }),
      };
      const target = { seconds: SECONDS, headers: KEY_HEADER, ...script };
      const measureRate = ({ url }: RunningProcess) =>
        measureRequestsPerSecond({ ...target, url: url + path });
      const bareRate = await measureRate(bareServer);
      const rate = await measureRate(service);
      const bareRateWithHeaders = await measureRate(bareServerWithHeaders);
      if (round >= 0) rounds.push({ rate, bareRate, bareRateWithHeaders });
    }
    return {
      read,
      size,
      rate: median(rounds.map(({ rate }) => rate)),
      bareRate: median(rounds.map(({ bareRate }) => bareRate)),
      ratio: median(rounds.map(({ rate, bareRate }) => rate / bareRate)),
      ratioWithHeaders: median(rounds.map(({ rate, bareRateWithHeaders }) => rate / bareRateWithHeaders)),
    };
  } finally {
    await Promise.all([bareServer.stop(), bareServerWithHeaders.stop()]);
  }
}

/** Writes a wrk script that requests a different URL each time. Returns its path. */
async function writeUrlScript(
  urlKind: 'searches' | 'pages',
  directory: string,
  { size, round }: { size: number; round: number },
): Promise<string> {
  const urls =
    urlKind === 'searches'
      ? sliceForRound(generateSearches(SEARCHES), round).map(
          (q) => `/public/merchants?q=${encodeURIComponent(q)}`,
        )
      : sliceForRound(
          Array.from({ length: size / 2 }, (_, i) => i + 1),
          round,
        ).map((page) => `/public/merchants?page=${page}&limit=2`);
  const path = join(directory, `${urlKind}-${size}-${round}.lua`);
  const lines = urls.map((url) => `  "${url}",`).join('\n');
  await writeFile(
    path,
    `local urls = {\n${lines}\n}\nlocal i = 0\nrequest = function()\n  i = i % #urls + 1\n  return wrk.format("GET", urls[i])\nend\n`,
  );
  return path;
}

function sliceForRound<T>(items: T[], round: number): T[] {
  const length = Math.floor(items.length / ROUNDS);
  return items.slice(round * length, (round + 1) * length);
}

async function importMerchants(databaseUrl: string, size: number, directory: string): Promise<void> {
  const runCommand = (...args: string[]) =>
    execFileSync(process.execPath, ['bin/semana.js', ...args], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  await writeFile(join(directory, 'categories.jsonl'), generateCategoryLines());
  await writeFile(join(directory, 'merchants.jsonl'), Readable.from(generateMerchantLines(size)));
  runCommand('import', 'categories', join(directory, 'categories.jsonl'));
  runCommand('import', 'merchants', join(directory, 'merchants.jsonl'));
}

/** Prints the measurements. Returns whether all required ratios are reached. */
function report(measurements: Measurement[]): boolean {
  const isReached = ({ ratioWithHeaders, read: { minRatio = 0 } }: Measurement) =>
    ratioWithHeaders >= minRatio;
  const rows = measurements.map((measurement) => {
    const { read, size, rate, bareRate, ratio, ratioWithHeaders } = measurement;
    return [
      read.name,
      size.toLocaleString('en'),
      Math.round(rate).toLocaleString('en'),
      Math.round(bareRate).toLocaleString('en'),
      ratio.toFixed(3),
      ratioWithHeaders.toFixed(3),
      read.minRatio?.toFixed(2) ?? '-',
      isReached(measurement) ? 'yes' : 'NO',
    ];
  });
  process.stdout.write(
    `${layOutTable(['READ', 'MERCHANTS', 'PER SECOND', 'BARE', 'RATIO', 'RATIO WITH HEADERS', 'AT LEAST', 'REACHED'], rows)}\n\n`,
  );
  const relativeRatios = WARM_READS.map(({ name }) => {
    const findRatio = (size: number) =>
      measurements.find((measurement) => measurement.read.name === name && measurement.size === size)!.ratio;
    const relativeRatio = findRatio(LARGE_SIZE) / findRatio(SMALL_SIZE);
    const [large, small] = [LARGE_SIZE, SMALL_SIZE].map((size) => size.toLocaleString('en'));
    process.stdout.write(
      `${name}: the ratio with ${large} merchants is ${relativeRatio.toFixed(2)} of the ratio with ${small} (at least ${MIN_RELATIVE_RATIO})\n`,
    );
    return relativeRatio;
  });
  return (
    measurements.every(isReached) &&
    relativeRatios.every((relativeRatio) => relativeRatio >= MIN_RELATIVE_RATIO)
  );
}
