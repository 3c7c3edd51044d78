import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { layOutTable } from '#platform/command-line/command.ts';
import { options } from './options.ts';
import {
  type ClosedLoopResult,
  computeCpuRelativeToInsert,
  type Estimate,
  estimateMedian,
  type StoredResults,
} from './results.ts';

/** The results of a run of each working copy, one after the other. */
type RunPair = { a: ClosedLoopResult[]; b: ClosedLoopResult[] };

/**
 * Runs the benches of two working copies alternately, so that other load affects both, and prints the median ratios B / A over all pairs of
 * runs. Returns whether the arguments are valid.
 */
export async function compareWorkingCopies([copyA, copyB, ...benchNames]: string[]): Promise<boolean> {
  if (!copyA || !copyB || benchNames.length === 0) {
    process.stderr.write('Usage: npm run bench -- compare DIRECTORY_A DIRECTORY_B NAME...\n');
    return false;
  }
  const runPairs: RunPair[] = [];
  for (let i = 1; i <= options.pairs; i++) {
    process.stderr.write(`Pair ${i} of ${options.pairs}: ${copyA}, then ${copyB} ...\n`);
    runPairs.push({
      a: await runBenches(benchNames, { workingCopy: copyA, node: process.execPath }),
      b: await runBenches(benchNames, { workingCopy: copyB, node: options.secondNode }),
    });
  }
  const scenarioNames = runPairs[0]!.a.map(({ name }) => name);
  const rows = scenarioNames.map((scenarioName) => {
    const scenarioPairs = runPairs.map(({ a, b }) => ({
      a: findResult(a, scenarioName),
      b: findResult(b, scenarioName),
    }));
    const formatMedianRatio = (getFigure: (result: ClosedLoopResult) => number) =>
      formatEstimate(estimateMedian(scenarioPairs.map(({ a, b }) => getFigure(b) / getFigure(a))));
    return [
      scenarioName,
      formatMedianRatio(({ ratio }) => ratio.median),
      formatMedianRatio(computeCpuRelativeToInsert),
      formatMedianRatio(({ roundTrips }) => roundTrips),
      formatMedianRatio(({ statements }) => statements),
      formatMedianRatio(({ walBytes }) => walBytes),
    ];
  });
  const headings = [
    'B / A',
    'rate relative to inserts',
    'CPU relative to an insert',
    'round trips',
    'statements',
    'WAL',
  ];
  process.stdout.write(`${layOutTable(headings, rows)}\n`);
  return true;
}

const findResult = (results: ClosedLoopResult[], scenarioName: string) =>
  results.find(({ name }) => name === scenarioName)!;

/** Formats a ratio. An operation that writes nothing has no ratio of WAL: 0 / 0 is NaN. */
const formatEstimate = ({ median, low, high }: Estimate) =>
  Number.isNaN(median) ? '–' : `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/** Runs benches in a working copy with a Node, and returns the results of all scenarios. */
async function runBenches(
  benchNames: readonly string[],
  { workingCopy, node }: { workingCopy: string; node: string },
): Promise<ClosedLoopResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'semana-compare-'));
  const resultsPath = join(directory, 'results.json');
  const args = [
    ...['--json', resultsPath],
    ...['--operations', String(options.operations)],
    ...['--only', options.nameFilter],
  ];
  const child = spawn(node, ['bin/dev.js', 'bench/run.ts', ...benchNames, ...args], {
    cwd: resolve(workingCopy),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The bench of ${workingCopy} exited with code ${code}.`);
  const { benches } = JSON.parse(readFileSync(resultsPath, 'utf8')) as StoredResults;
  rmSync(directory, { recursive: true });
  return Object.values(benches).flat() as ClosedLoopResult[];
}
