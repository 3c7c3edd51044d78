import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isBrowserTest } from './browser-tests.ts';
import { readEndedChildrenCpu, readLostCpu } from './cpu.ts';
import { watchProcess } from './watchdog.ts';
import type { Command, Report } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/semana');
/** A file fails if no test starts or ends for this long, and no call to a browser ends. */
const PROGRESS_TIMEOUT_MS = 50_000;
/** A test fails after this long whatever it does. */
const MAX_TEST_MS = 300_000;
/** A worker that hangs has this long to say what it waits for. */
const EXPLAIN_TIMEOUT_MS = 5_000;
/** A run of at most this many files lists every test. */
const FEW_FILES = 3;
/** These workers take browser tests first, so that few browsers are launched. */
const BROWSER_WORKERS = 2;
const EXPENSIVE_FILE_COUNT = 10;
const TEST_TRACKER = join(import.meta.dirname, 'track-tests.ts');
const SEED = join(import.meta.dirname, 'seed.ts');

type TestOutcome = Extract<Report, { names: string[] }>;
type Ended = Omit<Extract<Report, { type: 'ended' }>, 'type'>;
type FileOutcome = Ended & { file: string; tests: TestOutcome[]; time: number; printed: string };

/** A check that runs beside the tests, such as the linter. */
export type CheckOutcome = { name: string; passed: boolean; time: number; cpu: number; output: string };

export type RunOptions = {
  workers: number;
  env: NodeJS.ProcessEnv;
  print: (text: string) => void;
  signal: AbortSignal;
  progressTimeoutMs?: number;
  explainTimeoutMs?: number;
  /** Runs the tests with names like this only. */
  namePattern?: string;
};

export type RunResult = {
  passed: boolean;
  files: FileOutcome[];
  /** CPU seconds of ended browsers, which no process counts among its children. */
  cpuLost: number;
};

/** Runs test files on a cluster that runs already, and prints a summary. Returns whether all passed. */
export async function runOnCluster(url: string, files: string[]): Promise<boolean> {
  const startedMs = performance.now();
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const result = await runFiles(files, {
    workers: 2,
    env: { ...process.env, TEST_DATABASE_URL: url, NODE_COMPILE_CACHE: COMPILE_CACHE },
    print: (text) => void process.stdout.write(text),
    signal: interrupted.signal,
    progressTimeoutMs: 300_000,
  });
  const run = { checks: [], time: since(startedMs), cpu: readRunCpu(), preparationCpu: 0, postgresCpu: 0 };
  process.stdout.write(summarize(result, run));
  return result.passed;
}

/** Runs test files in a few worker processes, in this order, each once. A file that fails fails the run. */
export async function runFiles(files: string[], options: RunOptions): Promise<RunResult> {
  const { print, signal } = options;
  const queue = [...files];
  const outcomes: FileOutcome[] = [];
  let cpuLost = 0;
  const add = (outcome: FileOutcome | undefined) => {
    if (!outcome) return;
    outcomes.push(outcome);
    print(describe(outcome, { listTests: files.length <= FEW_FILES }));
  };
  const takeFile = (prefersBrowser: boolean) => {
    const index = queue.findIndex((file) => isBrowserTest(file) === prefersBrowser);
    return queue.splice(Math.max(index, 0), 1)[0];
  };
  const work = async (prefersBrowser: boolean) => {
    let worker: Worker | undefined;
    const endWorker = async () => {
      const end = await worker?.end();
      worker = undefined;
      add(end?.failure);
      cpuLost += end?.cpuLost ?? 0;
    };
    for (let file = takeFile(prefersBrowser); file !== undefined; file = takeFile(prefersBrowser)) {
      if (signal.aborted) break;
      worker ??= openWorker(options);
      const outcome = await worker.run(file);
      add(outcome);
      // What a failed file left behind must not fail the next one.
      if (!outcome.passed) await endWorker();
    }
    await endWorker();
  };
  await Promise.all(Array.from({ length: options.workers }, (_, index) => work(index < BROWSER_WORKERS)));
  return { passed: !signal.aborted && outcomes.every(({ passed }) => passed), files: outcomes, cpuLost };
}

type Worker = {
  run(file: string): Promise<FileOutcome>;
  /** Returns the failure after its last file, if any. */
  end(): Promise<{ failure?: FileOutcome; cpuLost: number }>;
};

const NOTHING = { passed: false, tests: [], time: 0, cpu: 0, browserCpu: 0, detail: '' };

function openWorker({
  env,
  signal,
  progressTimeoutMs = PROGRESS_TIMEOUT_MS,
  explainTimeoutMs = EXPLAIN_TIMEOUT_MS,
  namePattern,
}: RunOptions): Worker {
  // A larger young generation, for fewer collections.
  const execArgv = [
    `--import=${TEST_TRACKER}`,
    `--import=${SEED}`,
    `--test-reporter=${WORKER}`,
    '--max-semi-space-size=64',
  ];
  if (namePattern !== undefined) execArgv.push(`--test-name-pattern=${namePattern}`);
  const child = fork(WORKER, { env, stdio: 'pipe', execArgv });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const exited = once(child, 'exit').then(([code, killedBy]) => (killedBy ?? code) as string | number);
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const takePrinted = () => {
    const text = printed;
    printed = '';
    return text;
  };
  const sendCommand = (message: Command) => {
    if (child.connected) child.send(message);
  };
  let failed = false;
  let lastFile = '';
  let listener: (report: Report) => void = () => undefined;
  child.on('message', (report: Report) => listener(report));

  /** Requests what a hanging worker is waiting for, and kills it. */
  const killHanging = async (pending: Promise<string[]>): Promise<string[]> => {
    sendCommand({ type: 'list-pending' });
    const timer = setTimeout(() => child.kill('SIGKILL'), explainTimeoutMs);
    const busy = exited.then(() => ['Its process did not respond: its thread is blocked or computes.']);
    const lines = await Promise.race([pending, busy]);
    clearTimeout(timer);
    child.kill('SIGKILL');
    return lines;
  };

  return {
    async run(file) {
      const startedMs = performance.now();
      const tests: TestOutcome[] = [];
      let current = '';
      let testEventMs = startedMs;
      let hanging: Promise<string[]> | undefined;
      const { promise: pending, resolve: resolvePending } = Promise.withResolvers<string[]>();
      const watchdog = watchProcess(child.pid!, progressTimeoutMs, () => {
        hanging = killHanging(pending);
      });
      const reported = new Promise<Ended>((resolve) => {
        listener = (report) => {
          if (report.type === 'progress') {
            if (performance.now() - testEventMs < MAX_TEST_MS) watchdog.noteProgress();
            return;
          }
          watchdog.noteProgress();
          testEventMs = performance.now();
          if (report.type === 'started') current = report.name;
          else if (report.type === 'pending') resolvePending(report.lines);
          else if (report.type === 'ended') resolve(report);
          else if (report.type !== 'closed') tests.push(report);
        };
      });
      sendCommand({ type: 'run', file });
      const died = exited.then(async (how) => {
        const seconds = since(startedMs).toFixed(1);
        if (!hanging)
          return {
            ...NOTHING,
            detail: `Its process ended (${how}) in the test '${current}', after ${seconds} s.`,
          };
        const lines = await hanging;
        const timeout = `${current ? `'${current}'` : 'The file'} made no progress for ${progressTimeoutMs / 1_000} s. It waited for:`;
        return {
          ...NOTHING,
          detail: [timeout, ...(lines.length > 0 ? lines : ['nothing known'])].join('\n  '),
        };
      });
      const ended = await Promise.race([reported, died]);
      watchdog.stop();
      await waitForOutput();
      failed ||= !ended.passed;
      lastFile = file;
      return { ...ended, file, tests, time: since(startedMs), printed: takePrinted() };
    },

    async end() {
      let cpuLost = 0;
      listener = (report) => {
        if (report.type === 'closed') cpuLost = report.cpuLost;
      };
      sendCommand({ type: 'end' });
      const how = await exited;
      await waitForOutput();
      signal.removeEventListener('abort', stop);
      // After a failed test the exit code is never 0.
      if (how === 0 || failed) return { cpuLost };
      const detail = `The process ended (${how}) after its last file.`;
      return { cpuLost, failure: { ...NOTHING, file: lastFile, detail, printed: takePrinted() } };
    },
  };
}

/** Output comes by another pipe than the report, perhaps a moment later. */
const waitForOutput = () => new Promise((resolve) => setTimeout(resolve, 5));
const since = (startedMs: number): number => (performance.now() - startedMs) / 1_000;
const MARKS = { passed: '✔', failed: '✖', skipped: '﹣' };
const indent = (text: string) => text.trimEnd().replace(/^/gm, '    ');

function describe(
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

/** The end of a run. `cpu` is the CPU time of all its processes together; that of the preparation and of PostgreSQL are parts of it. */
export function summarize(
  { files, cpuLost }: RunResult,
  run: { checks: CheckOutcome[]; time: number; cpu: number; preparationCpu: number; postgresCpu: number },
): string {
  const tests = files.flatMap((outcome) => outcome.tests);
  const count = (type: TestOutcome['type']) => `${tests.filter((test) => test.type === type).length} ${type}`;
  const failedFiles = files.filter(({ passed }) => !passed);
  const failedChecks = run.checks.filter(({ passed }) => !passed);
  const expensive = files.toSorted((a, b) => b.cpu - a.cpu).slice(0, EXPENSIVE_FILE_COUNT);
  const browserCpu = files.reduce((sum, file) => sum + file.browserCpu, 0);
  const checksCpu = run.checks.reduce((sum, check) => sum + check.cpu, 0);
  const total = run.cpu + cpuLost;
  const nodeCpu = total - run.preparationCpu - run.postgresCpu - browserCpu - checksCpu;
  const seconds = (value: number) => `${value.toFixed(0)} s`;
  return [
    '',
    ...(files.length > FEW_FILES
      ? [
          'Most CPU time:',
          ...expensive.map(
            ({ file, cpu, time }) => `  ${cpu.toFixed(1)} s CPU, ${time.toFixed(1)} s ${file}`,
          ),
        ]
      : []),
    ...(failedFiles.length + failedChecks.length > 0
      ? [
          'Failed:',
          ...failedChecks.map(describeCheck),
          ...failedFiles.map((outcome) => describe(outcome, { listTests: false })),
        ]
      : []),
    `CPU time: ${seconds(total)} in all (Node ${seconds(nodeCpu)}, PostgreSQL ${seconds(run.postgresCpu)}, ` +
      `Chromium ${seconds(browserCpu)}, checks ${seconds(checksCpu)}, preparation ${seconds(run.preparationCpu)})`,
    `${files.length} files, ${tests.length} tests: ${count('passed')}, ${count('failed')}, ${count('skipped')}; ${seconds(run.time)}`,
    '',
  ].join('\n');
}

/** CPU seconds of this process, its ended children and the browsers it closed. */
export function readRunCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedChildrenCpu() + readLostCpu();
}
