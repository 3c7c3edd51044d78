import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.ts';
import { readEndedChildrenCpu } from './cpu.ts';
import {
  findTestFiles,
  isBrowserTest,
  listPropertyTestFiles,
  listTestFiles,
  SLOW_SUFFIX,
  sortByCost,
} from './find-files.ts';
import { PROJECT } from './project.ts';
import {
  abortOnSignals,
  type CheckOutcome,
  COMPILE_CACHE,
  countSecondsSince,
  describeCheck,
  type RunResult,
  readRunCpu,
  runFiles,
  SLOW_TIMEOUT_MS,
  summarize,
} from './runner.ts';

/** The number of workers, which is more than the cores of a small machine, because tests mostly wait. */
const WORKERS = 4;
const SLOW_WORKERS = 3;
/** The free bytes in memory that a run requires, which is more than its databases take. */
const MIN_FREE_BYTES = 4e9;
/** The folder of tests that run without PostgreSQL. */
const FOLDER_WITHOUT_DATABASE = 'src/core/';
const USAGE = `npm test                       format, lint, types and all tests but the slow ones
npm test -- --no-browser       the same without the tests that need a browser
npm test -- FILE...            some test files: paths, folders, patterns, or parts of a name
npm run one -- FILE [-t NAME]  one test file, or its tests with names like NAME
npm run test:slow              the tests that start, kill and restart processes
`;

type RunArguments = {
  /** Paths, folders, patterns or parts of names; none for all tests. */
  files: string[];
  /** Whether the arguments must match exactly one file. */
  isOne: boolean;
  /** Whether the slow tests run instead of the usual ones. */
  isSlow: boolean;
  /** Whether tests that need a browser run, too. */
  includesBrowserTests: boolean;
  /** A part of the names of the tests to run. */
  namePattern?: string;
  /** Options for `node --test`, which then runs the files instead of the workers. */
  nodeOptions: string[];
};

const print = (text: string) => void process.stdout.write(text);

const startedAtMs = performance.now();
process.chdir(PROJECT);
const runArguments = parseArguments(process.argv.slice(2));
const requestedFiles = findRequestedFiles(runArguments);
const files = requestedFiles.filter((file) => runArguments.includesBrowserTests || !isBrowserTest(file));
if (files.length === 0) fail('All of these tests need a browser.');
const interruption = abortOnSignals();
const passed = await runAll();
process.exit(passed ? 0 : 1);

async function runAll(): Promise<boolean> {
  const needsBrowser = files.some(isBrowserTest) || files.includes('src/apps/tests/pictures.ts');
  const browser = needsBrowser ? await findBrowser() : undefined;
  const preparationCpu = readRunCpu();
  const isFullRun = runArguments.files.length === 0 && !runArguments.isSlow;
  const checks = isFullRun ? runChecks(interruption, (outcome) => print(describeCheck(outcome))) : [];
  if (runArguments.isSlow) print(describeSlowRun());
  const folder = await createFolder();
  const runInFolder = (env: Record<string, string>) =>
    runTests({ ...env, ...(browser && { TEST_BROWSER: JSON.stringify(browser) }) }, folder);
  const needsDatabase = files.some((file) => !file.startsWith(FOLDER_WITHOUT_DATABASE));
  let outcome: { result: RunResult | boolean; postgresCpu: number };
  try {
    outcome = needsDatabase
      ? await withPostgres(folder, runInFolder)
      : { result: await runInFolder({}), postgresCpu: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { result, postgresCpu } = outcome;
  const checkOutcomes: CheckOutcome[] = await checks;
  if (typeof result === 'boolean') return result;
  const time = countSecondsSince(startedAtMs);
  print(summarize(result, { checks: checkOutcomes, time, cpu: readRunCpu(), preparationCpu, postgresCpu }));
  if (files.length < requestedFiles.length) print(describeSkippedTests());
  const hasRunNothing =
    runArguments.namePattern !== undefined && result.files.every(({ tests }) => tests.length === 0);
  if (hasRunNothing) print(`No test of ${files.join(' ')} has a name like '${runArguments.namePattern}'.\n`);
  return result.passed && !hasRunNothing && checkOutcomes.every((check) => check.passed);
}

function parseArguments(args: string[]): RunArguments {
  const parsed: RunArguments = {
    files: [],
    isOne: false,
    isSlow: false,
    includesBrowserTests: true,
    nodeOptions: [],
  };
  const remainingArgs = [...args];
  for (let argument = remainingArgs.shift(); argument !== undefined; argument = remainingArgs.shift()) {
    if (argument === '--one') parsed.isOne = true;
    else if (argument === '--slow') parsed.isSlow = true;
    else if (argument === '--no-browser') parsed.includesBrowserTests = false;
    else if (argument === '--help' || argument === '-h') fail(USAGE, { exitCode: 0 });
    else if (argument === '-t')
      parsed.namePattern = remainingArgs.shift() ?? fail('-t needs a part of the name of a test.');
    else if (argument.startsWith('--test-name-pattern='))
      parsed.namePattern = argument.slice(argument.indexOf('=') + 1);
    else if (argument.startsWith('-')) parsed.nodeOptions.push(argument);
    else parsed.files.push(argument);
  }
  if (parsed.isOne && parsed.files.length !== 1) fail(`Usage: npm run one -- FILE [-t NAME]`);
  return parsed;
}

/** Finds the files of the arguments, or all usual or slow ones, in the order in which they start. */
function findRequestedFiles({ files: fileArguments, isOne, isSlow }: RunArguments): string[] {
  try {
    const matchedFiles =
      fileArguments.length > 0
        ? fileArguments.flatMap((argument) => findTestFiles(PROJECT, argument))
        : isSlow
          ? [...listTestFiles(PROJECT, 'slow'), ...listPropertyTestFiles(PROJECT)]
          : listTestFiles(PROJECT, 'usual');
    const uniqueFiles = [...new Set(matchedFiles)];
    if (isOne && uniqueFiles.length > 1) fail(`Several test files match: ${uniqueFiles.join(' ')}`);
    return sortByCost(uniqueFiles);
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Prints the message and ends this process, by default with the exit code of a usage error. */
function fail(message: string, { exitCode = 2 } = {}): never {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(exitCode);
}

/** Finds a browser before the first test, so that a run without one ends in its first seconds. */
async function findBrowser() {
  // Loaded here, because Playwright takes a moment to load, and most runs of one file use no browser.
  const { currentMachine, prepareBrowser } = await import('./prepare-browser.ts');
  try {
    const browser = await prepareBrowser(currentMachine((line) => print(`Browser: ${line}\n`)));
    print(`Browser: ${browser.executablePath} (${browser.source})\n`);
    return browser;
  } catch (error) {
    return fail((error as Error).message, { exitCode: 1 });
  }
}

function describeSlowRun(): string {
  return `${files.length} files: tests that start, kill and restart the service, its database and its command line, and property tests with new
random values. They take about five minutes on two cores. A few install packages of npm: the client, and Node 20 if this machine has none.
`;
}

function describeSkippedTests(): string {
  const skippedFiles = requestedFiles.filter(isBrowserTest);
  const tests = skippedFiles.reduce(
    (sum, file) => sum + (readFileSync(file, 'utf8').match(/^ *(?:void )?test\(/gm)?.length ?? 0),
    0,
  );
  return `Left out because of --no-browser: ${tests} tests in ${skippedFiles.length} files.\n`;
}

/** Creates a folder, in memory if enough is free: creating and dropping a database touches a thousand files. */
async function createFolder(): Promise<string> {
  const shm = await statfs('/dev/shm').catch(() => undefined);
  if (shm && shm.bavail * shm.bsize > MIN_FREE_BYTES) process.env.TMPDIR ??= '/dev/shm';
  return mkdtemp(join(tmpdir(), 'semana-test-'));
}

/**
 * Starts one PostgreSQL for all test files. Each file copies its database from a template, which takes about 30 ms. No data has to
 * survive a crash, so fsync is off.
 */
async function withPostgres<T>(
  dataDir: string,
  runWithDatabase: (env: Record<string, string>) => Promise<T>,
): Promise<{ result: T; postgresCpu: number }> {
  // Loaded here, because tests of plain arithmetic do not use these modules.
  const { openEmbeddedPostgres } = await import('#platform/postgres/embedded.ts');
  const { query } = await import('./query.ts');
  const { createTemplate } = await import('./template.ts');
  // The method password is used, because SCRAM is slow on purpose, and there are thousands of connections.
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
      // Tables are small: planning a statement again for its parameters costs more than it saves.
      plan_cache_mode: 'force_generic_plan',
      hba_file: hbaFile,
    },
  });
  let cpuBeforeStop = 0;
  let result: T;
  try {
    const { username, password } = new URL(postgres.url);
    await query(postgres.url, `set scram_iterations = 1; alter role ${username} password '${password}'`);
    await createTemplate(postgres.url, 'semana_empty', { demo: false });
    await createTemplate(postgres.url, 'semana_demo', { demo: true });
    result = await runWithDatabase({ TEST_DATABASE_URL: postgres.url });
  } finally {
    cpuBeforeStop = readEndedChildrenCpu();
    await postgres.stop();
  }
  return { result, postgresCpu: readEndedChildrenCpu() - cpuBeforeStop };
}

/** Runs the test files. With an option of Node, such as `--test-force-exit`, uses `node --test` and returns whether they passed. */
async function runTests(testEnv: Record<string, string>, folder: string): Promise<RunResult | boolean> {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...testEnv };
  if (runArguments.nodeOptions.length > 0) {
    const child = spawn(process.execPath, ['--test', ...runArguments.nodeOptions, ...files], {
      stdio: 'inherit',
      env,
    });
    interruption.addEventListener('abort', () => child.kill());
    const [code] = await once(child, 'exit');
    return code === 0;
  }
  const isSlow = files.some((file) => file.endsWith(SLOW_SUFFIX));
  if (isSlow) {
    const { bundleProgram } = await import('./bundle.ts');
    env.TEST_PROGRAM = await bundleProgram(join(folder, 'program'));
    env.TEST_SEED ??= 'random';
  }
  return runFiles(files, {
    workers: isSlow ? SLOW_WORKERS : WORKERS,
    env,
    print,
    signal: interruption,
    ...(isSlow && { progressTimeoutMs: SLOW_TIMEOUT_MS }),
    ...(runArguments.namePattern !== undefined && { namePattern: runArguments.namePattern }),
  });
}
