import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { openDb } from '#platform/db.ts';
import { claimInstallation } from '#platform/installation.ts';
import { migrate } from '#platform/migrate.ts';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { seedDemo } from '#sandbox';
import { eventsOf, readConfiguration } from '../src/modules.ts';

// One PostgreSQL for all test files; each file copies its database from a template in some 30 ms.
// Nothing here has to survive a crash, so it need not wait for the disk.
const dataDir = await mkdtemp(join(tmpdir(), 'semana-test-'));
const postgres = await openEmbeddedPostgres({
  dataDir,
  owner: 'service',
  label: 'npm test',
  log: () => undefined,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' },
});
let exitCode = 1;
try {
  await makeTemplate(postgres.url, 'semana_empty');
  await makeTemplate(postgres.url, 'semana_demo', true);
  exitCode = await runTests(process.argv.slice(2));
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);

async function makeTemplate(url: string, name: string, demo = false): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const target = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await migrate(target, 'sandbox');
  const db = openDb({ url: target, poolSize: 1, label: 'template' });
  await db.transaction(async (tx) => {
    await claimInstallation(tx, 'sandbox');
    if (demo) await seedDemo(tx, systemClock, new Vault(SANDBOX_SECRETS), eventsOf(readConfiguration({})));
  });
  await db.close();
}

function runTests(files: string[]): Promise<number> {
  const patterns = files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts'];
  const child = spawn(process.execPath, ['--test', '--test-concurrency=3', ...patterns], {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_DATABASE_URL: postgres.url,
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/semana'),
    },
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
