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

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 3;
const SECONDS = 2;
/** Rounds that are not counted, for responses from the cache: code is compiled in them. */
const WARM_UP_ROUNDS = 2;
/** The required quotient of the ratio with 100,000 merchants and the ratio with 1,000. */
const MIN_RELATIVE_RATIO = 0.67;
/** The number of different searches, of which each round sends its own share. */
const SEARCHES = 120_000;
const KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };
/** The headers that the bare server without the service's headers sends. */
const REQUIRED_HEADERS = ['content-type', 'content-length'];
const HEADERS_WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive'];

type Measurement = {
  name: string;
  size: number;
  /** Requests per second that the service responds to. */
  rate: number;
  /** Requests per second that the bare server responds to. */
  bareRate: number;
  /** The ratio of the service to the bare server. */
  ratio: number;
  /** The ratio to a bare server that also sends all headers of the service. */
  ratioWithHeaders: number;
  /** The required ratio, or null if the read is only reported. */
  minRatio: number | null;
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

async function measureSize(size: number, serverUrl: string, directory: string): Promise<Measurement[]> {
  const databaseUrl = await createDatabase(serverUrl, `bench_${size}`);
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar(`${size} merchants`);
  try {
    bar.showNote('importing ...');
    await importMerchants(databaseUrl, size, directory);
    const measure = createMeasureFunction(service, directory, size, (name) => bar.showNote(name));
    const results = [
      await measure('warm list', '/public/merchants?limit=20', { minRatio: 0.8 }),
      await measure('warm detail', '/public/merchants/loja-7', { minRatio: 0.8 }),
    ];
    if (size >= 10_000) {
      const minRatio = size >= 100_000 ? 0.03 : 0.08;
      results.push(
        await measure('searches, all different', '/public/merchants?q=padaria', {
          minRatio,
          differentUrls: 'searches',
        }),
      );
      results.push(
        await measure('pages, all different', `/public/merchants?page=${size / 40}`, {
          minRatio: null,
          differentUrls: 'pages',
        }),
      );
    }
    return results;
  } finally {
    bar.clear();
    await service.stop();
  }
}

function createMeasureFunction(
  service: RunningProcess,
  directory: string,
  size: number,
  onMeasure: (name: string) => void,
) {
  /** With `differentUrls`, requests as many searches or pages as possible instead of `path` each time. */
  return async (
    name: string,
    path: string,
    options: { minRatio: number | null; differentUrls?: 'searches' | 'pages' },
  ): Promise<Measurement> => {
    onMeasure(name);
    const response = await fetch(service.url + path, { headers: KEY_HEADER });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    const body = Buffer.from(await response.arrayBuffer());
    const headers = [...response.headers].filter(([header]) => !HEADERS_WRITTEN_BY_NODE.includes(header));
    const bare = await startBareServer(
      body,
      headers.filter(([header]) => REQUIRED_HEADERS.includes(header)),
      directory,
    );
    const bareWithHeaders = await startBareServer(body, headers, directory);
    try {
      const rates: Array<{ service: number; bare: number; bareWithHeaders: number }> = [];
      for (let round = options.differentUrls ? 0 : -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        // Each round has different URLs, so that no response comes from the cache.
        const script = options.differentUrls && {
          script: await writeUrlScript(options.differentUrls, directory, size, round),
        };
        const target = { seconds: SECONDS, headers: KEY_HEADER, ...script };
        const measureRate = ({ url }: RunningProcess) =>
          measureRequestsPerSecond({ ...target, url: url + path });
        const roundRates = {
          bare: await measureRate(bare),
          service: await measureRate(service),
          bareWithHeaders: await measureRate(bareWithHeaders),
        };
        if (round >= 0) rates.push(roundRates);
      }
      return {
        name,
        size,
        rate: median(rates.map((roundRates) => roundRates.service)),
        bareRate: median(rates.map((roundRates) => roundRates.bare)),
        ratio: median(rates.map((roundRates) => roundRates.service / roundRates.bare)),
        ratioWithHeaders: median(rates.map((roundRates) => roundRates.service / roundRates.bareWithHeaders)),
        minRatio: options.minRatio,
      };
    } finally {
      await Promise.all([bare.stop(), bareWithHeaders.stop()]);
    }
  };
}

/** Writes a wrk script that requests a different URL each time. */
async function writeUrlScript(
  urlKind: 'searches' | 'pages',
  directory: string,
  size: number,
  round: number,
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

function report(measurements: Measurement[]): boolean {
  const rows = measurements.map(({ name, size, rate, bareRate, ratio, ratioWithHeaders, minRatio }) => [
    name,
    size.toLocaleString('en'),
    Math.round(rate).toLocaleString('en'),
    Math.round(bareRate).toLocaleString('en'),
    ratio.toFixed(3),
    ratioWithHeaders.toFixed(3),
    minRatio === null ? '-' : minRatio.toFixed(2),
    minRatio === null || ratio >= minRatio ? 'yes' : 'NO',
  ]);
  process.stdout.write(
    `${layOutTable(['READ', 'MERCHANTS', 'PER SECOND', 'BARE', 'RATIO', 'RATIO WITH HEADERS', 'AT LEAST', 'REACHED'], rows)}\n\n`,
  );
  const areLargeCatalogsFast = ['warm list', 'warm detail'].map((name) => {
    const findRatio = (size: number) =>
      measurements.find((measurement) => measurement.name === name && measurement.size === size)!.ratio;
    const relativeRatio = findRatio(100_000) / findRatio(1_000);
    process.stdout.write(
      `${name}: the ratio with 100,000 merchants is ${relativeRatio.toFixed(2)} of the ratio with 1,000 (at least ${MIN_RELATIVE_RATIO})\n`,
    );
    return relativeRatio >= MIN_RELATIVE_RATIO;
  });
  return (
    areLargeCatalogsFast.every(Boolean) &&
    measurements.every(({ ratio, minRatio }) => minRatio === null || ratio >= minRatio)
  );
}
