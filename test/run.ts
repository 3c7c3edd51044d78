import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { openDb } from '#platform/db.ts';
import { claimInstallation } from '#platform/installation.ts';
import { migrate } from '#platform/migrate.ts';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { seedDemo } from '#sandbox';
import { eventsOf, readConfiguration } from '../src/modules.ts';
import { bundleProgram } from './bundle.ts';
import { cpuOfChildren } from './cpu.ts';
import { query } from './query.ts';
import { runFiles } from './runner.ts';

const PROJECT = join(import.meta.dirname, '..');
/** More than a machine of two cores has, because tests wait a good deal. */
const WORKERS = 3;

// One PostgreSQL for all test files; each file copies its database from a template in some 30 ms.
// Nothing here has to survive a crash, so it need not wait for the disk.
const dataDir = await mkdtemp(join(tmpdir(), 'semana-test-'));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
// Nor need thousands of connections prove that they know the password in the way that is slow on purpose, on both sides.
const hbaFile = join(dataDir, 'pg_hba.conf');
await writeFile(hbaFile, 'host all all 127.0.0.1/32 password\n');
const postgres = await openEmbeddedPostgres({
  dataDir,
  owner: 'service',
  label: 'npm test',
  log: () => undefined,
  settings: {
    ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal' },
    ...{ max_wal_senders: '0', max_connections: '500', autovacuum: 'off', jit: 'off' },
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

async function makeTemplate(url: string, name: string, demo = false): Promise<void> {
  await query(url, `create database ${name}`);
  const target = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await migrate(target, 'sandbox');
  const vault = new Vault(SANDBOX_SECRETS);
  const db = openDb({ url: target, poolSize: 1, label: 'template', vault });
  await db.transaction(async (tx) => {
    await claimInstallation(tx, 'sandbox');
    if (demo) await seedDemo(tx, systemClock, vault, eventsOf(readConfiguration({})));
  });
  await db.close();
}

/** Files, or all of them. With an option of node's, such as `--test-name-pattern`, as `node --test` runs them. */
async function runTests(words: string[]): Promise<boolean> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TEST_DATABASE_URL: postgres.url,
    NODE_COMPILE_CACHE: join(PROJECT, 'node_modules/.cache/semana'),
  };
  const patterns = words.length > 0 ? words : ['src/**/*.test.ts', 'test/**/*.test.ts'];
  if (words.some((word) => word.startsWith('-'))) {
    const child = spawn(process.execPath, ['--test', ...patterns], { stdio: 'inherit', env });
    interrupted.signal.addEventListener('abort', () => child.kill());
    const [code] = await once(child, 'exit');
    return code === 0;
  }
  const exclude = (path: string) => /node_modules|test\/citus/.test(path);
  const files = globSync(patterns, { exclude }).toSorted((a, b) => weight(b) - weight(a));
  if (files.length === 0) throw new Error(`There is no test file ${patterns.join(' ')}`);
  const print = (text: string) => void process.stdout.write(text);
  if (files.some(startsProcesses)) env.TEST_PROGRAM = await bundleProgram(join(dataDir, 'program'));
  return runFiles(files, { workers: WORKERS, env, print, signal: interrupted.signal });
}

/** The longest first, so that none is left over at the end: those that start processes, then by size. */
function weight(file: string): number {
  return readFileSync(file, 'utf8').length + (startsProcesses(file) ? 1e6 : 0);
}

function startsProcesses(file: string): boolean {
  return /process(es)?\.ts|child_process/.test(readFileSync(file, 'utf8'));
}
