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

/** Runs the benches of two working copies alternately, so that other load affects both, and prints the median ratios B / A over all pairs. */
export async function compareWorkingCopies([firstCopy, secondCopy, ...names]: string[]): Promise<boolean> {
  if (!firstCopy || !secondCopy || names.length === 0) {
    process.stderr.write('Usage: npm run bench -- compare DIRECTORY_A DIRECTORY_B NAME...\n');
    return false;
  }
  const pairs: Array<[ClosedLoopResult[], ClosedLoopResult[]]> = [];
  for (let i = 1; i <= options.pairs; i++) {
    process.stderr.write(`Pair ${i} of ${options.pairs}: ${firstCopy}, then ${secondCopy} ...\n`);
    pairs.push([
      await runBenches(firstCopy, process.execPath, names),
      await runBenches(secondCopy, options.secondNode, names),
    ]);
  }
  const scenarioNames = pairs[0]![0].map(({ name }) => name);
  const rows = scenarioNames.map((name) => {
    const formatMedianRatio = (readValue: (result: ClosedLoopResult) => number) => {
      const readOfScenario = (results: ClosedLoopResult[]) =>
        readValue(results.find((result) => result.name === name)!);
      return formatEstimate(estimateMedian(pairs.map(([a, b]) => readOfScenario(b) / readOfScenario(a))));
    };
    return [
      name,
      formatMedianRatio(({ ratio }) => ratio.median),
      formatMedianRatio(computeCpuRelativeToInsert),
      formatMedianRatio(({ roundTrips }) => roundTrips),
      formatMedianRatio(({ statements }) => statements),
      formatMedianRatio(({ walBytes }) => walBytes),
    ];
  });
  const headings = ['B / A', 'rate', 'CPU', 'round trips', 'statements', 'WAL'];
  process.stdout.write(`${layOutTable(headings, rows)}\n`);
  return true;
}

/** An operation that writes nothing has no ratio of WAL: 0 / 0 is NaN. */
const formatEstimate = ({ median, low, high }: Estimate) =>
  Number.isNaN(median) ? '–' : `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/** Runs benches in a working copy with a Node, and returns the results of all scenarios. */
async function runBenches(
  workingCopy: string,
  node: string,
  names: readonly string[],
): Promise<ClosedLoopResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'semana-compare-'));
  const file = join(directory, 'results.json');
  const args = ['--json', file, '--acts', String(options.operations), '--only', options.nameFilter];
  const child = spawn(node, ['bin/dev.js', 'bench/run.ts', ...names, ...args], {
    cwd: resolve(workingCopy),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The bench of ${workingCopy} exited with code ${code}.`);
  const { benches } = JSON.parse(readFileSync(file, 'utf8')) as StoredResults;
  rmSync(directory, { recursive: true });
  return Object.values(benches).flat() as ClosedLoopResult[];
}
