import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readEndedChildrenCpu } from './cpu.ts';
import { PROJECT } from './project.ts';
import type { CheckOutcome } from './runner.ts';

// oxlint's type check replaces tsc --noEmit: the sources are read only once.
const CHECKS = [
  ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['oxlint', '--type-aware', '--type-check', '--deny-warnings'],
] as const;

/** Runs format, lint and types in parallel. `onEnd` is called as each ends. */
export function runChecks(
  signal: AbortSignal,
  onEnd: (outcome: CheckOutcome) => void,
): Promise<CheckOutcome[]> {
  return Promise.all(
    CHECKS.map(async ([program, ...args]) => {
      const outcome = await runCheck(program, args, signal);
      onEnd(outcome);
      return outcome;
    }),
  );
}

/** The CPU seconds of the children that ended before the last call of `readCpuSinceLastCall`. */
let reportedCpuSeconds = 0;

function runCheck(program: string, args: string[], signal: AbortSignal): Promise<CheckOutcome> {
  const startedAtMs = performance.now();
  // The type checker is written in Go. Less garbage collection halves its time and doubles its memory.
  const env = { ...process.env, GOGC: '400' };
  const options = { cwd: PROJECT, maxBuffer: 100e6, env, signal };
  return new Promise((resolve) => {
    execFile(join(PROJECT, 'node_modules/.bin', program), args, options, (error, stdout, stderr) =>
      resolve({
        name: [program, ...args].join(' '),
        passed: !error,
        time: (performance.now() - startedAtMs) / 1_000,
        cpu: readCpuSinceLastCall(),
        output: error ? stdout + stderr || error.message : '',
      }),
    );
  });
}

/** Returns the CPU seconds of the children that ended since the last call, which normally is one check. */
function readCpuSinceLastCall(): number {
  const cpuSeconds = readEndedChildrenCpu() - reportedCpuSeconds;
  reportedCpuSeconds += cpuSeconds;
  return cpuSeconds;
}
