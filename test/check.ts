import { execFile } from 'node:child_process';
import { join } from 'node:path';

// Format, lint and types in parallel. oxlint's type check replaces tsc --noEmit: the sources are read only once.
const CHECKS = [
  ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['oxlint', '--type-aware', '--type-check', '--deny-warnings'],
] as const;

const PROJECT = join(import.meta.dirname, '..');

await Promise.all(
  CHECKS.map(async ([program, ...words]) => {
    const startedMs = performance.now();
    const found = await run(join(PROJECT, 'node_modules/.bin', program), words);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    process.stdout.write(
      `${found === undefined ? '✔' : '✖'} ${[program, ...words].join(' ')} (${seconds} s)\n`,
    );
    if (found === undefined) return;
    process.stdout.write(found);
    process.exitCode = 1;
  }),
);

/** Returns the output if the program fails. */
function run(program: string, words: string[]): Promise<string | undefined> {
  // Less garbage collection: twice the memory, half the time.
  const options = { cwd: PROJECT, maxBuffer: 100e6, env: { ...process.env, GOGC: '400' } };
  return new Promise((resolve) => {
    execFile(program, words, options, (error, stdout, stderr) =>
      resolve(error ? stdout + stderr || error.message : undefined),
    );
  });
}
