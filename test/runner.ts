import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Report } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** A file that takes longer counts as hanging. */
const MOST_MS = 300_000;
/** Runs of at most this many files retry nothing. */
const FEW = 3;

type TestOutcome = Extract<Report, { names: string[] }>;
type Ended = Pick<Extract<Report, { type: 'ended' }>, 'passed' | 'cpu' | 'detail'>;
type FileOutcome = Ended & { file: string; tests: TestOutcome[]; time: number; printed: string };

export type RunOptions = {
  workers: number;
  env: NodeJS.ProcessEnv;
  print: (text: string) => void;
  signal: AbortSignal;
};

/** Options for a cluster that runs already. */
export function onCluster(url: string): RunOptions {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  return {
    workers: 2,
    env: {
      ...process.env,
      TEST_DATABASE_URL: url,
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/semana'),
    },
    print: (text) => void process.stdout.write(text),
    signal: interrupted.signal,
  };
}

/**
 * Runs test files in a few worker processes, in this order. Returns whether all passed. In a run of many files the first that
 * fails is run once more, under load, because on an idle machine a flaky test passes. If it passes then, the last lines
 * report it as unsteady, with how it failed. No other file is run again.
 */
export async function runFiles(files: string[], options: RunOptions): Promise<boolean> {
  const { print, signal } = options;
  const startedMs = performance.now();
  const queue = [...files];
  const outcomes: FileOutcome[] = [];
  /** Files that passed and are run only to keep the machine busy. */
  const load = new Set<string>();
  let again: string | undefined;
  const add = (outcome: FileOutcome | undefined) => {
    if (!outcome || load.has(outcome.file)) return;
    outcomes.push(outcome);
    print(describe(outcome, files.length <= FEW));
    if (outcome.passed || again !== undefined || files.length <= FEW) return;
    again = outcome.file;
    if (queue.length >= options.workers) queue.unshift(again);
  };
  const work = async () => {
    let worker: Worker | undefined;
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      worker ??= openWorker(options);
      const outcome = await worker.run(file);
      add(outcome);
      // A process imports a file only once, so a failed file is run again in another process.
      if (!outcome.passed) add(await worker.end());
      if (worker.hasEnded()) worker = undefined;
    }
    add(await worker?.end());
  };
  const workAll = () => Promise.all(Array.from({ length: options.workers }, work));
  await workAll();
  // It failed among the last files: the files that ended last run again beside it, as load.
  if (again !== undefined && timesRun(outcomes, again) === 1 && !signal.aborted) {
    const passed = outcomes.filter((outcome) => outcome.passed).map(({ file }) => file);
    for (const file of passed.slice(1 - options.workers)) load.add(file);
    queue.push(again, ...load);
    await workAll();
  }
  print(summary(outcomes, since(startedMs)));
  return !signal.aborted && lastOf(outcomes).every(({ passed }) => passed);
}

const timesRun = (outcomes: FileOutcome[], file: string) =>
  outcomes.filter((outcome) => outcome.file === file).length;

type Worker = {
  run(file: string): Promise<FileOutcome>;
  hasEnded(): boolean;
  /** Returns the failure after its last file, if any. */
  end(): Promise<FileOutcome | undefined>;
};

function openWorker({ env, signal }: RunOptions): Worker {
  // A larger young generation, for fewer collections.
  const execArgv = [`--test-reporter=${WORKER}`, '--max-semi-space-size=64'];
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
  const nothing = { passed: false, tests: [], time: 0, cpu: 0, detail: '' };
  let failed = false;
  let lastFile = '';
  let listener: (report: Report) => void = () => undefined;
  child.on('message', (report: Report) => listener(report));

  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,

    async run(file) {
      const startedMs = performance.now();
      const tests: TestOutcome[] = [];
      let current = '';
      const reported = new Promise<Ended>((resolve) => {
        listener = (report) => {
          if (report.type === 'begun') current = report.name;
          else if (report.type === 'ended') resolve(report);
          else tests.push(report);
        };
      });
      child.send(file);
      const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
      const died = exited.then((how) => ({
        ...nothing,
        detail: `Its process ended (${how}) in the test '${current}', after ${since(startedMs).toFixed(1)} s.`,
      }));
      const ended = await Promise.race([reported, died]);
      clearTimeout(timer);
      await breath();
      failed ||= !ended.passed;
      lastFile = file;
      return { ...ended, file, tests, time: since(startedMs), printed: takePrinted() };
    },

    async end() {
      if (child.connected) child.disconnect();
      const how = await exited;
      await breath();
      signal.removeEventListener('abort', stop);
      // After a failed test the exit code is never 0.
      if (how === 0 || failed) return undefined;
      const detail = `The process ended (${how}) after its last file.`;
      return { ...nothing, file: lastFile, detail, printed: takePrinted() };
    },
  };
}

/** Output comes by another pipe than the report, perhaps a moment later. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 5));
const since = (startedMs: number): number => (performance.now() - startedMs) / 1_000;
const MARKS = { passed: '✔', failed: '✖', skipped: '﹣' };
const indent = (text: string) => text.trimEnd().replace(/^/gm, '    ');

/** The last outcome of each file. */
const lastOf = (outcomes: FileOutcome[]) => [...new Map(outcomes.map((it) => [it.file, it])).values()];

function describe(
  { file, passed, tests, time, cpu, detail, printed }: FileOutcome,
  verbose: boolean,
): string {
  const count = tests.filter(({ type }) => type !== 'skipped').length;
  const lines = [
    `${passed ? '✔' : '✖'} ${file} (${count} tests, ${time.toFixed(1)} s, ${cpu.toFixed(1)} s CPU)`,
  ];
  for (const test of tests) {
    if (!verbose && test.type === 'passed') continue;
    lines.push(`  ${MARKS[test.type]} ${test.names.join(' › ')} (${test.time.toFixed(2)} s)`);
    if (test.type === 'failed' && test.detail) lines.push(indent(test.detail));
  }
  if (detail) lines.push(indent(detail));
  if (printed && (!passed || verbose)) lines.push(indent(printed));
  return `${lines.join('\n')}\n`;
}

function summary(all: FileOutcome[], time: number): string {
  const outcomes = lastOf(all);
  const tests = outcomes.flatMap((outcome) => outcome.tests);
  const count = (type: TestOutcome['type']) => `${tests.filter((test) => test.type === type).length} ${type}`;
  const cpu = all.reduce((sum, outcome) => sum + outcome.cpu, 0);
  const slowest = outcomes.toSorted((a, b) => b.time - a.time).slice(0, 5);
  const failed = outcomes.filter(({ passed }) => !passed);
  const unsteady = all.filter(
    (outcome) => !outcome.passed && !failed.some(({ file }) => file === outcome.file),
  );
  return [
    '',
    ...(outcomes.length > 5
      ? ['Slowest:', ...slowest.map(({ file, time: took }) => `  ${took.toFixed(1)} s ${file}`)]
      : []),
    ...listed('Unsteady (failed, then passed under the same load):', unsteady),
    ...listed('Failed:', failed),
    `${outcomes.length} files, ${tests.length} tests: ${count('passed')}, ${count('failed')}, ${count('skipped')}; ` +
      `${time.toFixed(0)} s, ${cpu.toFixed(0)} s CPU`,
    ...lastOf(all.filter(({ file }) => timesRun(all, file) > 1)).map(
      ({ file, passed }) =>
        `${file} was run twice: it failed, then ${passed ? 'passed under the same load. It is unsteady: mend it.' : 'failed again.'}`,
    ),
    '',
  ].join('\n');
}

const listed = (title: string, outcomes: FileOutcome[]): string[] =>
  outcomes.length > 0 ? [title, ...outcomes.map((outcome) => describe(outcome, false))] : [];
