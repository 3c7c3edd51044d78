import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { categoryLines, merchantLines, searches } from './merchants.ts';
import { type Running, startBareServer, startService } from './processes.ts';
import { median } from './side-by-side.ts';
import { createDatabase, onStage } from './stage.ts';
import { needWrk, requestsPerSecond } from './wrk.ts';

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 3;
const SECONDS = 2;
/** Warm-up rounds for answers from memory, while code is compiled. */
const WARM_UP = 2;
const SEARCHES = 120_000;
const KEY = { 'x-api-key': 'sandbox-demo-key' };
const NEEDED = ['content-type', 'content-length'];
const WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive'];

type Measurement = {
  name: string;
  size: number;
  rate: number;
  bare: number;
  ratio: number;
  /** Ratio to a bare server that sends our headers, too. */
  ratioToSame: number;
  least: number | null;
};

/**
 * Catalog reads compared with a bare node:http server that sends the same body, and with one that sends the same headers
 * too, alternating in the same run. A ratio is the median of the rounds' ratios, so that other load affects both sides.
 */
export async function catalogBench(): Promise<boolean> {
  needWrk();
  return onStage(async ({ url, directory }) => {
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
    bar.show(undefined, 'importing ...');
    await importMerchants(databaseUrl, size, directory);
    const measure = measurer(service, directory, size, (name) => bar.show(undefined, name));
    const results = [
      await measure('warm list', '/public/merchants?limit=20', { least: 0.8 }),
      await measure('warm detail', '/public/merchants/loja-7', { least: 0.8 }),
    ];
    if (size >= 10_000) {
      const least = size >= 100_000 ? 0.03 : 0.08;
      results.push(
        await measure('searches, all different', '/public/merchants?q=padaria', { least, script: 'search' }),
      );
      results.push(
        await measure('pages, all different', `/public/merchants?page=${size / 40}`, {
          least: null,
          script: 'pages',
        }),
      );
    }
    return results;
  } finally {
    bar.clear();
    await service.stop();
  }
}

function measurer(service: Running, directory: string, size: number, onMeasure: (name: string) => void) {
  return async (
    name: string,
    path: string,
    how: { least: number | null; script?: 'search' | 'pages' },
  ): Promise<Measurement> => {
    onMeasure(name);
    const answer = await fetch(service.url + path, { headers: KEY });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = [...answer.headers].filter(([header]) => !WRITTEN_BY_NODE.includes(header));
    const bare = await startBareServer(
      body,
      headers.filter(([header]) => NEEDED.includes(header)),
      directory,
    );
    const same = await startBareServer(body, headers, directory);
    try {
      const rates: Array<{ ours: number; bare: number; same: number }> = [];
      for (let round = how.script ? 0 : -WARM_UP; round < ROUNDS; round++) {
        // Each round has its own addresses: none comes twice, so nothing is answered from memory.
        const script = how.script && { script: await writeScript(how.script, directory, size, round) };
        const target = { seconds: SECONDS, headers: KEY, ...script };
        const rateOf = ({ url }: Running) => requestsPerSecond({ ...target, url: url + path });
        const measured = { bare: await rateOf(bare), ours: await rateOf(service), same: await rateOf(same) };
        if (round >= 0) rates.push(measured);
      }
      return {
        name,
        size,
        rate: median(rates.map((r) => r.ours)),
        bare: median(rates.map((r) => r.bare)),
        ratio: median(rates.map((r) => r.ours / r.bare)),
        ratioToSame: median(rates.map((r) => r.ours / r.same)),
        least: how.least,
      };
    } finally {
      await Promise.all([bare.stop(), same.stop()]);
    }
  };
}

/** A script for wrk that requests another address every time. */
async function writeScript(
  kind: 'search' | 'pages',
  directory: string,
  size: number,
  round: number,
): Promise<string> {
  const addresses =
    kind === 'search'
      ? part(searches(SEARCHES), round).map((q) => `/public/merchants?q=${encodeURIComponent(q)}`)
      : part(
          Array.from({ length: size / 2 }, (_, i) => i + 1),
          round,
        ).map((page) => `/public/merchants?page=${page}&limit=2`);
  const path = join(directory, `${kind}-${size}-${round}.lua`);
  const lines = addresses.map((address) => `  "${address}",`).join('\n');
  await writeFile(
    path,
    `local addresses = {\n${lines}\n}\nlocal i = 0\nrequest = function()\n  i = i % #addresses + 1\n  return wrk.format("GET", addresses[i])\nend\n`,
  );
  return path;
}

function part<T>(all: T[], round: number): T[] {
  const length = Math.floor(all.length / ROUNDS);
  return all.slice(round * length, (round + 1) * length);
}

async function importMerchants(databaseUrl: string, size: number, directory: string): Promise<void> {
  const semana = (...args: string[]) =>
    execFileSync(process.execPath, ['bin/semana.js', ...args], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  await writeFile(join(directory, 'categories.jsonl'), categoryLines());
  await writeFile(join(directory, 'merchants.jsonl'), Readable.from(merchantLines(size)));
  semana('import', 'categories', join(directory, 'categories.jsonl'));
  semana('import', 'merchants', join(directory, 'merchants.jsonl'));
}

function report(measurements: Measurement[]): boolean {
  const rows = measurements.map(({ name, size, rate, bare, ratio, ratioToSame, least }) => [
    name,
    size.toLocaleString('en'),
    Math.round(rate).toLocaleString('en'),
    Math.round(bare).toLocaleString('en'),
    ratio.toFixed(3),
    ratioToSame.toFixed(3),
    least === null ? '-' : least.toFixed(2),
    least === null || ratio >= least ? 'yes' : 'NO',
  ]);
  process.stdout.write(
    `${table(['READ', 'MERCHANTS', 'A SECOND', 'BARE', 'RATIO', 'WITH OUR HEADERS', 'AT LEAST', 'REACHED'], rows)}\n\n`,
  );
  const grown = ['warm list', 'warm detail'].map((name) => {
    const of = (size: number) => measurements.find((m) => m.name === name && m.size === size)!.ratio;
    const share = of(100_000) / of(1_000);
    process.stdout.write(
      `${name}: with 100,000 merchants ${share.toFixed(2)} of what it is with 1,000 (at least 0.67)\n`,
    );
    return share >= 0.67;
  });
  return grown.every(Boolean) && measurements.every(({ ratio, least }) => least === null || ratio >= least);
}
