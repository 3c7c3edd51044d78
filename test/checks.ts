import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readEndedChildrenCpu } from './cpu.ts';
import type { CheckOutcome } from './runner.ts';

// oxlint's type check replaces tsc --noEmit: the sources are read only once.
const CHECKS = [
  ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['oxlint', '--type-aware', '--type-check', '--deny-warnings'],
] as const;

const PROJECT = join(import.meta.dirname, '..');

/** Runs format, lint and types in parallel. `onEnd` is called as each ends. */
export function runChecks(
  signal: AbortSignal,
  onEnd: (outcome: CheckOutcome) => void,
): Promise<CheckOutcome[]> {
  return Promise.all(
    CHECKS.map(async ([program, ...words]) => {
      const outcome = await runCheck(program, words, signal);
      onEnd(outcome);
      return outcome;
    }),
  );
}

let cpuCounted = 0;

function runCheck(program: string, words: string[], signal: AbortSignal): Promise<CheckOutcome> {
  const startedMs = performance.now();
  // Less garbage collection: twice the memory, half the time.
  const env = { ...process.env, GOGC: '400' };
  const options = { cwd: PROJECT, maxBuffer: 100e6, env, signal };
  return new Promise((resolve) => {
    execFile(join(PROJECT, 'node_modules/.bin', program), words, options, (error, stdout, stderr) =>
      resolve({
        name: [program, ...words].join(' '),
        passed: !error,
        time: (performance.now() - startedMs) / 1_000,
        cpu: takeCpu(),
        output: error ? stdout + stderr || error.message : '',
      }),
    );
  });
}

/** CPU seconds of the children that ended since the last call: the check that just ended, if no other child did. */
function takeCpu(): number {
  const cpu = readEndedChildrenCpu() - cpuCounted;
  cpuCounted += cpu;
  return cpu;
}
