import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBrowserTest } from './browser-tests.ts';
import { runChecks } from './checks.ts';
import { readEndedChildrenCpu } from './cpu.ts';
import { findTestFiles, listPropertyTestFiles, listTestFiles, SLOW, sortByCost } from './find-files.ts';
import {
  type CheckOutcome,
  COMPILE_CACHE,
  describeCheck,
  type RunResult,
  readRunCpu,
  runFiles,
  summarize,
} from './runner.ts';

const PROJECT = join(import.meta.dirname, '..');
/** More than the cores of a small machine, because tests mostly wait. */
const WORKERS = 4;
const SLOW_WORKERS = 3;
const SLOW_TIMEOUT_MS = 300_000;
/** Bytes; more than the databases of a run need. */
const MIN_ROOM = 4e9;
/** Tests in this folder need no PostgreSQL. */
const NO_DATABASE = 'src/core/';
const USAGE = `npm test                       format, lint, types and all tests but the slow ones
npm test -- --no-browser       the same without the tests that need a browser
npm test -- FILE...            some test files: paths, folders, patterns, or parts of a name
npm run one -- FILE [-t NAME]  one test file, or its tests with names like NAME
npm run test:slow              the tests that start, kill and restart processes
`;

type Words = {
  files: string[];
  isOne: boolean;
  isSlow: boolean;
  hasBrowser: boolean;
  namePattern?: string;
  nodeOptions: string[];
};

const print = (text: string) => void process.stdout.write(text);
const since = (startedMs: number) => (performance.now() - startedMs) / 1_000;

const startedMs = performance.now();
process.chdir(PROJECT);
const words = parseWords(process.argv.slice(2));
const files = chooseFiles(words);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
const passed = await runAll();
process.exit(passed ? 0 : 1);

async function runAll(): Promise<boolean> {
  const needsBrowser = files.some(isBrowserTest) || files.includes('src/apps/tests/pictures.ts');
  const browser = needsBrowser ? await findBrowser() : undefined;
  const preparationCpu = readRunCpu();
  const isWhole = words.files.length === 0 && !words.isSlow;
  const checks = isWhole ? runChecks(interrupted.signal, (outcome) => print(describeCheck(outcome))) : [];
  if (words.isSlow) print(describeSlowRun());
  const folder = await makeFolder();
  const run = (env: Record<string, string>) =>
    runTests({ ...env, ...(browser && { TEST_BROWSER: JSON.stringify(browser) }) }, folder);
  const needsDatabase = files.some((file) => !file.startsWith(NO_DATABASE));
  let outcome: { result: RunResult | boolean; postgresCpu: number };
  try {
    outcome = needsDatabase ? await withPostgres(folder, run) : { result: await run({}), postgresCpu: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { result, postgresCpu } = outcome;
  const checkOutcomes: CheckOutcome[] = await checks;
  if (typeof result === 'boolean') return result;
  const time = since(startedMs);
  print(summarize(result, { checks: checkOutcomes, time, cpu: readRunCpu(), preparationCpu, postgresCpu }));
  if (!words.hasBrowser) print(describeLeftOut());
  const hasRunNothing =
    words.namePattern !== undefined && result.files.every(({ tests }) => tests.length === 0);
  if (hasRunNothing) print(`No test of ${files.join(' ')} has a name like '${words.namePattern}'.\n`);
  return result.passed && !hasRunNothing && checkOutcomes.every((outcome) => outcome.passed);
}

function parseWords(given: string[]): Words {
  const parsed: Words = { files: [], isOne: false, isSlow: false, hasBrowser: true, nodeOptions: [] };
  const queue = [...given];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--one') parsed.isOne = true;
    else if (word === '--slow') parsed.isSlow = true;
    else if (word === '--no-browser') parsed.hasBrowser = false;
    else if (word === '--help' || word === '-h') fail(USAGE, 0);
    else if (word === '-t')
      parsed.namePattern = queue.shift() ?? fail('-t needs a part of the name of a test.');
    else if (word.startsWith('--test-name-pattern=')) parsed.namePattern = word.slice(word.indexOf('=') + 1);
    else if (word.startsWith('-')) parsed.nodeOptions.push(word);
    else parsed.files.push(word);
  }
  if (parsed.isOne && parsed.files.length !== 1) fail(`Usage: npm run one -- FILE [-t NAME]`);
  return parsed;
}

function chooseFiles({ files: named, isOne, isSlow, hasBrowser }: Words): string[] {
  try {
    const all =
      named.length > 0
        ? named.flatMap((word) => findTestFiles(PROJECT, word))
        : isSlow
          ? [...listTestFiles(PROJECT, 'slow'), ...listPropertyTestFiles(PROJECT)]
          : listTestFiles(PROJECT, 'usual');
    const chosen = [...new Set(all)].filter((file) => hasBrowser || !isBrowserTest(file));
    if (chosen.length === 0) fail('All of these tests need a browser.');
    if (isOne && chosen.length > 1) fail(`Several test files match: ${chosen.join(' ')}`);
    return sortByCost(chosen);
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(message: string, code = 2): never {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(code);
}

/** Before the first test: without a browser a run must end in its first seconds. */
async function findBrowser() {
  // Playwright takes a moment to load, and most runs of one file need no browser.
  const { currentMachine, prepareBrowser } = await import('./prepare-browser.ts');
  try {
    const browser = await prepareBrowser(currentMachine((line) => print(`Browser: ${line}\n`)));
    print(`Browser: ${browser.executablePath} (${browser.source})\n`);
    return browser;
  } catch (error) {
    return fail((error as Error).message, 1);
  }
}

function describeSlowRun(): string {
  return `${files.length} files: tests that start, kill and restart the service, its database and its command line, and property tests with new
random values. They take about five minutes on two cores. A few install packages of npm: the client, and Node 20 if this machine has none.
`;
}

function describeLeftOut(): string {
  const leftOut = listTestFiles(PROJECT, words.isSlow ? 'slow' : 'usual').filter(isBrowserTest);
  const tests = leftOut.reduce(
    (sum, file) => sum + (readFileSync(file, 'utf8').match(/^ *(?:void )?test\(/gm)?.length ?? 0),
    0,
  );
  return `Left out because of --no-browser: ${tests} tests in ${leftOut.length} files.\n`;
}

/** In memory if there is room: creating and dropping a database touches a thousand files. */
async function makeFolder(): Promise<string> {
  const shm = await statfs('/dev/shm').catch(() => undefined);
  if (shm && shm.bavail * shm.bsize > MIN_ROOM) process.env.TMPDIR ??= '/dev/shm';
  return mkdtemp(join(tmpdir(), 'semana-test-'));
}

/**
 * One PostgreSQL for all test files; each file copies its database from a template in some 30 ms. Nothing has to survive a crash, so
 * fsync is off.
 */
async function withPostgres<T>(
  dataDir: string,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<{ result: T; postgresCpu: number }> {
  // Loaded here, because tests of plain arithmetic need none of it.
  const { openEmbeddedPostgres } = await import('#platform/postgres/embedded.ts');
  const { query } = await import('./query.ts');
  const { createTemplate } = await import('./template.ts');
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
  let cpuBeforeStop = 0;
  let result: T;
  try {
    const { username, password } = new URL(postgres.url);
    await query(postgres.url, `set scram_iterations = 1; alter role ${username} password '${password}'`);
    await createTemplate(postgres.url, 'semana_empty');
    await createTemplate(postgres.url, 'semana_demo', true);
    result = await use({ TEST_DATABASE_URL: postgres.url });
  } finally {
    cpuBeforeStop = readEndedChildrenCpu();
    await postgres.stop();
  }
  return { result, postgresCpu: readEndedChildrenCpu() - cpuBeforeStop };
}

/** With an option of Node, such as `--test-force-exit`, runs the files with `node --test` and returns whether they passed. */
async function runTests(testEnv: Record<string, string>, folder: string): Promise<RunResult | boolean> {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...testEnv };
  if (words.nodeOptions.length > 0) {
    const child = spawn(process.execPath, ['--test', ...words.nodeOptions, ...files], {
      stdio: 'inherit',
      env,
    });
    interrupted.signal.addEventListener('abort', () => child.kill());
    const [code] = await once(child, 'exit');
    return code === 0;
  }
  const isSlow = files.some((file) => file.endsWith(SLOW));
  if (isSlow) {
    const { bundleProgram } = await import('./bundle.ts');
    env.TEST_PROGRAM = await bundleProgram(join(folder, 'program'));
    env.TEST_SEED ??= 'random';
  }
  return runFiles(files, {
    workers: isSlow ? SLOW_WORKERS : WORKERS,
    env,
    print,
    signal: interrupted.signal,
    ...(isSlow && { progressTimeoutMs: SLOW_TIMEOUT_MS }),
    ...(words.namePattern !== undefined && { namePattern: words.namePattern }),
  });
}
