import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readEndedChildrenCpu, readLostCpu } from './cpu.ts';
import { isBrowserTest } from './find-files.ts';
import { watchProcess } from './watchdog.ts';
import type { Command, Report } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/semana');
/** A file fails if no test starts or ends for this long, and no call to a browser ends. */
const PROGRESS_TIMEOUT_MS = 50_000;
/** The same for tests that start processes or use a cluster. */
export const SLOW_TIMEOUT_MS = 300_000;
/** A test fails after this long whatever it does. */
const MAX_TEST_MS = 300_000;
/** The time in which a hanging worker must report what it waits for. */
const EXPLAIN_TIMEOUT_MS = 5_000;
/** A run of at most this many files lists every test. */
const FEW_FILES = 3;
/** The number of workers that run browser tests first, so that few browsers are launched. */
const BROWSER_WORKERS = 2;
const EXPENSIVE_FILE_COUNT = 10;
const TRACKER_MODULE = join(import.meta.dirname, 'track-tests.ts');
const SEED_MODULE = join(import.meta.dirname, 'seed.ts');

type TestOutcome = Extract<Report, { names: string[] }>;
type FileReport = Omit<Extract<Report, { type: 'ended' }>, 'type'>;
/** `time` and `cpu` are in seconds; `printed` is the output of the file. */
type FileOutcome = FileReport & { file: string; tests: TestOutcome[]; time: number; printed: string };

/** A check that runs beside the tests, such as the linter. `time` and `cpu` are in seconds. */
export type CheckOutcome = { name: string; passed: boolean; time: number; cpu: number; output: string };

export type RunOptions = {
  workers: number;
  env: NodeJS.ProcessEnv;
  print: (text: string) => void;
  signal: AbortSignal;
  progressTimeoutMs?: number;
  explainTimeoutMs?: number;
  /** Runs only the tests whose names match. */
  namePattern?: string;
};

export type RunResult = {
  passed: boolean;
  files: FileOutcome[];
  /** CPU seconds of ended browsers, which no process counts among its children. */
  cpuLost: number;
};

/** Returns a signal that is aborted when the user interrupts the run. */
export function abortOnSignals(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** Runs test files on a cluster that runs already, and prints a summary. Returns whether all passed. */
export async function runOnCluster(url: string, files: string[]): Promise<boolean> {
  const startedAtMs = performance.now();
  const result = await runFiles(files, {
    workers: 2,
    env: { ...process.env, TEST_DATABASE_URL: url, NODE_COMPILE_CACHE: COMPILE_CACHE },
    print: (text) => void process.stdout.write(text),
    signal: abortOnSignals(),
    progressTimeoutMs: SLOW_TIMEOUT_MS,
  });
  const run = {
    checks: [],
    time: countSecondsSince(startedAtMs),
    cpu: readRunCpu(),
    preparationCpu: 0,
    postgresCpu: 0,
  };
  process.stdout.write(summarize(result, run));
  return result.passed;
}

/** Runs test files in a few worker processes, in this order, each once. A file that fails fails the run. */
export async function runFiles(files: string[], options: RunOptions): Promise<RunResult> {
  const { print, signal } = options;
  const queue = [...files];
  const outcomes: FileOutcome[] = [];
  let cpuLost = 0;
  const addOutcome = (outcome: FileOutcome | undefined) => {
    if (!outcome) return;
    outcomes.push(outcome);
    print(describeFile(outcome, { listTests: files.length <= FEW_FILES }));
  };
  /** Removes the next file from the queue: the first one of the preferred kind, otherwise the first one. */
  const takeFile = (prefersBrowser: boolean) => {
    const index = queue.findIndex((file) => isBrowserTest(file) === prefersBrowser);
    const [file] = queue.splice(Math.max(index, 0), 1);
    return file;
  };
  const runQueue = async (prefersBrowser: boolean) => {
    let worker: Worker | undefined;
    const endWorker = async () => {
      const endReport = await worker?.end();
      worker = undefined;
      addOutcome(endReport?.failure);
      cpuLost += endReport?.cpuLost ?? 0;
    };
    for (let file = takeFile(prefersBrowser); file !== undefined; file = takeFile(prefersBrowser)) {
      if (signal.aborted) break;
      worker ??= openWorker(options);
      const outcome = await worker.run(file);
      addOutcome(outcome);
      // A new worker, so that remains of a failed file do not make the next file fail.
      if (!outcome.passed) await endWorker();
    }
    await endWorker();
  };
  await Promise.all(Array.from({ length: options.workers }, (_, index) => runQueue(index < BROWSER_WORKERS)));
  return { passed: !signal.aborted && outcomes.every(({ passed }) => passed), files: outcomes, cpuLost };
}

type Worker = {
  run(file: string): Promise<FileOutcome>;
  /** Ends the process. Returns the failure after its last file, if any. */
  end(): Promise<{ failure?: FileOutcome; cpuLost: number }>;
};

/** The report of a file whose worker ended without one. */
const EMPTY_REPORT = { passed: false, tests: [], time: 0, cpu: 0, browserCpu: 0, detail: '' };

function openWorker({
  env,
  signal,
  progressTimeoutMs = PROGRESS_TIMEOUT_MS,
  explainTimeoutMs = EXPLAIN_TIMEOUT_MS,
  namePattern,
}: RunOptions): Worker {
  // A larger young generation means fewer garbage collections.
  const execArgv = [
    `--import=${TRACKER_MODULE}`,
    `--import=${SEED_MODULE}`,
    `--test-reporter=${WORKER}`,
    '--max-semi-space-size=64',
  ];
  if (namePattern !== undefined) execArgv.push(`--test-name-pattern=${namePattern}`);
  const child = fork(WORKER, { env, stdio: 'pipe', execArgv });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const exitReason = once(child, 'exit').then(([code, killedBy]) => (killedBy ?? code) as string | number);
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  /** Returns what was printed since the last call. */
  const takePrinted = () => {
    const text = printed;
    printed = '';
    return text;
  };
  const sendCommand = (message: Command) => {
    if (child.connected) child.send(message);
  };
  let hasFailed = false;
  let lastFile = '';
  let listener: (report: Report) => void = () => undefined;
  child.on('message', (report: Report) => listener(report));

  /** Requests the list of what a hanging worker waits for, and kills it. Returns the list. */
  const killHangingWorker = async (pendingWork: Promise<string[]>): Promise<string[]> => {
    sendCommand({ type: 'list-pending' });
    const timer = setTimeout(() => child.kill('SIGKILL'), explainTimeoutMs);
    const exitLines = exitReason.then(() => [
      'Its process did not respond: its thread is blocked or computes.',
    ]);
    const lines = await Promise.race([pendingWork, exitLines]);
    clearTimeout(timer);
    child.kill('SIGKILL');
    return lines;
  };

  return {
    async run(file) {
      const startedAtMs = performance.now();
      const tests: TestOutcome[] = [];
      let currentTest = '';
      let lastTestEventMs = startedAtMs;
      let hangLines: Promise<string[]> | undefined;
      const { promise: pendingWork, resolve: resolvePendingWork } = Promise.withResolvers<string[]>();
      const watchdog = watchProcess(child.pid!, progressTimeoutMs, () => {
        hangLines = killHangingWorker(pendingWork);
      });
      const reportOfWorker = new Promise<FileReport>((resolve) => {
        listener = (report) => {
          if (report.type === 'progress') {
            if (performance.now() - lastTestEventMs < MAX_TEST_MS) watchdog.noteProgress();
            return;
          }
          watchdog.noteProgress();
          lastTestEventMs = performance.now();
          if (report.type === 'started') currentTest = report.name;
          else if (report.type === 'pending') resolvePendingWork(report.lines);
          else if (report.type === 'ended') resolve(report);
          else if (report.type !== 'closed') tests.push(report);
        };
      });
      sendCommand({ type: 'run', file });
      const reportOfExit = exitReason.then(async (reason) => {
        const seconds = countSecondsSince(startedAtMs).toFixed(1);
        if (!hangLines)
          return {
            ...EMPTY_REPORT,
            detail: `Its process ended (${reason}) in the test '${currentTest}', after ${seconds} s.`,
          };
        const lines = await hangLines;
        const timeout = `${currentTest ? `'${currentTest}'` : 'The file'} made no progress for ${progressTimeoutMs / 1_000} s. It waited for:`;
        return {
          ...EMPTY_REPORT,
          detail: [timeout, ...(lines.length > 0 ? lines : ['nothing known'])].join('\n  '),
        };
      });
      const fileReport = await Promise.race([reportOfWorker, reportOfExit]);
      watchdog.stop();
      await waitForOutput();
      hasFailed ||= !fileReport.passed;
      lastFile = file;
      return { ...fileReport, file, tests, time: countSecondsSince(startedAtMs), printed: takePrinted() };
    },

    async end() {
      let cpuLost = 0;
      listener = (report) => {
        if (report.type === 'closed') cpuLost = report.cpuLost;
      };
      sendCommand({ type: 'end' });
      const reason = await exitReason;
      await waitForOutput();
      signal.removeEventListener('abort', stop);
      // After a failed test the exit code is never 0.
      if (reason === 0 || hasFailed) return { cpuLost };
      const detail = `The process ended (${reason}) after its last file.`;
      return { cpuLost, failure: { ...EMPTY_REPORT, file: lastFile, detail, printed: takePrinted() } };
    },
  };
}

/** Waits for output, which arrives by another pipe and may be later than the report. */
const waitForOutput = () => new Promise((resolve) => setTimeout(resolve, 5));
export const countSecondsSince = (startedAtMs: number): number => (performance.now() - startedAtMs) / 1_000;
const MARKS = { passed: '✔', failed: '✖', skipped: '﹣' };
const indent = (text: string) => text.trimEnd().replace(/^/gm, '    ');

function describeFile(
  { file, passed, tests, time, cpu, detail, printed }: FileOutcome,
  { listTests }: { listTests: boolean },
): string {
  const count = tests.filter(({ type }) => type !== 'skipped').length;
  const lines = [
    `${passed ? '✔' : '✖'} ${file} (${count} tests, ${time.toFixed(1)} s, ${cpu.toFixed(1)} s CPU)`,
  ];
  for (const test of tests) {
    if (!listTests && test.type === 'passed') continue;
    lines.push(`  ${MARKS[test.type]} ${test.names.join(' › ')} (${test.time.toFixed(2)} s)`);
    if (test.type === 'failed' && test.detail) lines.push(indent(test.detail));
  }
  if (detail) lines.push(indent(detail));
  if (printed && (!passed || listTests)) lines.push(indent(printed));
  return `${lines.join('\n')}\n`;
}

export function describeCheck({ name, passed, time, cpu, output }: CheckOutcome): string {
  const line = `${passed ? '✔' : '✖'} ${name} (${time.toFixed(1)} s, ${cpu.toFixed(1)} s CPU)\n`;
  return passed ? line : `${line}${indent(output)}\n`;
}

/** Summarizes a run. Times are in seconds. `cpu` is that of all processes, which includes those of the preparation and of PostgreSQL. */
export function summarize(
  { files, cpuLost }: RunResult,
  run: { checks: CheckOutcome[]; time: number; cpu: number; preparationCpu: number; postgresCpu: number },
): string {
  const tests = files.flatMap((outcome) => outcome.tests);
  const countTests = (type: TestOutcome['type']) =>
    `${tests.filter((test) => test.type === type).length} ${type}`;
  const failedFiles = files.filter(({ passed }) => !passed);
  const failedChecks = run.checks.filter(({ passed }) => !passed);
  const expensiveFiles = files.toSorted((a, b) => b.cpu - a.cpu).slice(0, EXPENSIVE_FILE_COUNT);
  const browserCpu = files.reduce((sum, file) => sum + file.browserCpu, 0);
  const checksCpu = run.checks.reduce((sum, check) => sum + check.cpu, 0);
  const totalCpu = run.cpu + cpuLost;
  const nodeCpu = totalCpu - run.preparationCpu - run.postgresCpu - browserCpu - checksCpu;
  const formatSeconds = (value: number) => `${value.toFixed(0)} s`;
  return [
    '',
    ...(files.length > FEW_FILES
      ? [
          'Most CPU time:',
          ...expensiveFiles.map(
            ({ file, cpu, time }) => `  ${cpu.toFixed(1)} s CPU, ${time.toFixed(1)} s ${file}`,
          ),
        ]
      : []),
    ...(failedFiles.length + failedChecks.length > 0
      ? [
          'Failed:',
          ...failedChecks.map(describeCheck),
          ...failedFiles.map((outcome) => describeFile(outcome, { listTests: false })),
        ]
      : []),
    `CPU time: ${formatSeconds(totalCpu)} in all (Node ${formatSeconds(nodeCpu)}, PostgreSQL ${formatSeconds(run.postgresCpu)}, ` +
      `Chromium ${formatSeconds(browserCpu)}, checks ${formatSeconds(checksCpu)}, preparation ${formatSeconds(run.preparationCpu)})`,
    `${files.length} files, ${tests.length} tests: ${countTests('passed')}, ${countTests('failed')}, ${countTests('skipped')}; ${formatSeconds(run.time)}`,
    '',
  ].join('\n');
}

/** Returns the CPU seconds of this process, its ended children and the browsers that it closed. */
export function readRunCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedChildrenCpu() + readLostCpu();
}
