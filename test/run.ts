import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { bundleProgram } from './bundle.ts';
import { cpuOfChildren } from './cpu.ts';
import { query } from './query.ts';
import { runFiles } from './runner.ts';
import { makeTemplate } from './template.ts';

const PROJECT = join(import.meta.dirname, '..');
/** More than the cores of a small machine, because tests mostly wait. */
const WORKERS = 4;
const SLOW_WORKERS = 3;
/** Bytes; more than the databases of a run need. */
const ROOM = 4e9;
/** The tests that start and end processes by the dozen: `npm run test:slow`. */
const SLOW = '.slow.test.ts';
/** Not ours, or run by commands of their own. */
const APART = ['node_modules', 'test/citus', 'test/medusa', 'test/patroni'];

// One PostgreSQL for all test files; each file copies its database from a template in some 30 ms.
// Nothing has to survive a crash, so fsync is off.
// In memory if there is room: creating and dropping a database touches a thousand files.
const shm = await statfs('/dev/shm').catch(() => undefined);
if (shm && shm.bavail * shm.bsize > ROOM) process.env.TMPDIR ??= '/dev/shm';
const dataDir = await mkdtemp(join(tmpdir(), 'semana-test-'));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
// Passwords are not checked: SCRAM is slow on purpose, and there are thousands of connections.
const hbaFile = join(dataDir, 'pg_hba.conf');
await writeFile(hbaFile, 'host all all 127.0.0.1/32 password\n');
const postgres = await openEmbeddedPostgres({
  dataDir,
  owner: 'service',
  label: 'npm test',
  log: () => undefined,
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_connections: '500',
    autovacuum: 'off',
    jit: 'off',
    hba_file: hbaFile,
  },
});
let passed = false;
let cpuOfTests = 0;
try {
  const { username, password } = new URL(postgres.url);
  await query(postgres.url, `set scram_iterations = 1; alter role ${username} password '${password}'`);
  await makeTemplate(postgres.url, 'semana_empty');
  await makeTemplate(postgres.url, 'semana_demo', true);
  passed = await runTests(process.argv.slice(2));
  cpuOfTests = cpuOfChildren();
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(`PostgreSQL: ${(cpuOfChildren() - cpuOfTests).toFixed(0)} s CPU\n`);
process.exit(passed ? 0 : 1);

/** Runs these files, or all. With an option of node's, such as `--test-name-pattern`, runs them with `node --test`. */
async function runTests(words: string[]): Promise<boolean> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TEST_DATABASE_URL: postgres.url,
    NODE_COMPILE_CACHE: join(PROJECT, 'node_modules/.cache/semana'),
  };
  const patterns = words.length > 0 ? words : ['{examples,packages,src,test}/**/*.test.ts'];
  if (words.some((word) => word.startsWith('-'))) {
    const child = spawn(process.execPath, ['--test', ...patterns], { stdio: 'inherit', env });
    interrupted.signal.addEventListener('abort', () => child.kill());
    const [code] = await once(child, 'exit');
    return code === 0;
  }
  const leftOut = words.length > 0 ? APART : [...APART, SLOW];
  const exclude = (path: string) => leftOut.some((part) => path.includes(part));
  const files = globSync(patterns, { exclude }).toSorted((a, b) => weight(b) - weight(a));
  if (files.length === 0) throw new Error(`There is no test file ${patterns.join(' ')}`);
  const print = (text: string) => void process.stdout.write(text);
  const isSlow = files.some((file) => file.includes(SLOW));
  if (isSlow) env.TEST_PROGRAM = await bundleProgram(join(dataDir, 'program'));
  const workers = isSlow ? SLOW_WORKERS : WORKERS;
  return runFiles(files, { workers, env, print, signal: interrupted.signal });
}

/** Longest first, so that no long file is left at the end. */
function weight(file: string): number {
  return readFileSync(file, 'utf8').length;
}
