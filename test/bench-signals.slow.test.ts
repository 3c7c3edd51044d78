import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { isAlive } from './processes.ts';

const BENCH = join(import.meta.dirname, '../bench');

/** A bench that starts PostgreSQL and a process, prints a line, and does not end on its own. */
const PROGRAM = `
  import { cleanUpOnSignals } from '${BENCH}/interruption.ts';
  import { startBareServer } from '${BENCH}/processes.ts';
  import { withBenchDatabase } from '${BENCH}/environment.ts';
  cleanUpOnSignals();
  await withBenchDatabase(async ({ directory }) => {
    const headers = [];
    const { pid } = await startBareServer(Buffer.from('body'), headers, directory);
    process.stdout.write(JSON.stringify({ pid, directory }) + '\\n');
    await new Promise(() => setInterval(() => undefined, 60_000));
  });`;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`a bench that is stopped by ${signal} stops its PostgreSQL and its processes, and leaves no files`, async () => {
    const home = await mkdtemp(join(tmpdir(), 'semana-bench-test-'));
    await chmod(home, 0o755);
    const program = join(home, 'bench.mts');
    await writeFile(program, PROGRAM);
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, TMPDIR: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { pid, directory } = JSON.parse(line);
    const [pidFile] = globSync(`${directory}/data/**/postmaster.pid`);
    const postmasterPid = Number.parseInt(readFileSync(pidFile!, 'utf8'), 10); // its first line
    assert.deepEqual([isAlive(pid), isAlive(postmasterPid)], [true, true]);
    child.kill(signal);
    const [code] = await exited;
    assert.equal(code, 128 + constants.signals[signal], 'the exit code that shells expect after a signal');
    assert.deepEqual([isAlive(pid), isAlive(postmasterPid), existsSync(directory)], [false, false, false]);
    await rm(home, { recursive: true });
  });
}
