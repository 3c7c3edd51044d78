import { after, afterEach, suite, type TestContext } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { endFile, endWorker } from './after-file.ts';
import { readDescendantsCpu, readLostCpu, readTotalCpu } from './cpu.ts';
import { explainFetches, listPendingWork, onProgress } from './hang.ts';

/** A message from the runner to a worker. */
export type Command = { type: 'run'; file: string } | { type: 'list-pending' } | { type: 'end' };

/** A message from a worker to the runner. Times are in seconds. */
export type Report =
  | { type: 'started'; name: string }
  | { type: 'passed' | 'failed' | 'skipped'; names: string[]; time: number; detail: string }
  | { type: 'ended'; passed: boolean; cpu: number; browserCpu: number; detail: string }
  | { type: 'progress' }
  | { type: 'pending'; lines: string[] }
  /** CPU time that the runner cannot see in its ended children. */
  | { type: 'closed'; cpuLost: number };

/** The time in which the process must end after its last file. */
const EXIT_TIMEOUT_MS = 5_000;

/** The CPU seconds before the current file. */
let cpuBefore = 0;
let browserCpuBefore = 0;

// Runs the test files that the runner sends one after another in this process, so that shared imports are loaded once.
if (process.send) {
  explainFetches();
  onProgress(() => send({ type: 'progress' }));
  process.on('message', (command: Command) => void handleCommand(command));
  process.on('disconnect', () => {
    setTimeout(() => {
      process.stderr.write(`Tests left resources open: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, EXIT_TIMEOUT_MS).unref();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(
      signal,
      () =>
        void endFile()
          .then(endWorker)
          .finally(() => process.exit(1)),
    );
}

async function handleCommand(command: Command): Promise<void> {
  if (command.type === 'run') runFile(command.file);
  else if (command.type === 'list-pending') send({ type: 'pending', lines: await listPendingWork() });
  else {
    try {
      await endWorker();
    } finally {
      send({ type: 'closed', cpuLost: readLostCpu() });
      process.disconnect();
    }
  }
}

function runFile(file: string): void {
  cpuBefore = readTotalCpu();
  browserCpuBefore = readBrowserCpu();
  // A suite starts its tests when the whole file has been evaluated; a test would end too soon if the file awaits between two tests.
  void suite(file, async () => {
    after(endFile);
    // Runs before the test's own hooks, which close its pages.
    afterEach(async (t) => {
      // `passed` is missing in the types of Node 24.
      if ((t as TestContext & { passed: boolean }).passed) return;
      const lines = await listPendingWork();
      if (lines.length > 0)
        process.stderr.write(`When '${t.name}' failed:\n${lines.map((line) => `  ${line}\n`).join('')}`);
    });
    await import(pathToFileURL(file).href);
  });
}

/** Returns the CPU seconds of Chromium, the only program that tests leave running. */
const readBrowserCpu = () => readDescendantsCpu() + readLostCpu();

/** The reporter of node:test in a worker. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') send({ type: 'started', name: data.name });
    // The nesting of the file's suite is 0. The names of the enclosing suites are stored by their nesting.
    if (type === 'test:start') names.splice(data.nesting, names.length, data.name);
    if (type === 'test:diagnostic' && data.nesting === 0) yield `${data.message}\n`;
    if (type === 'test:pass' || type === 'test:fail') {
      const passed = type === 'test:pass' || data.todo !== undefined;
      const detail = type === 'test:fail' ? describeError(data.details.error) : '';
      if (data.nesting === 0) {
        // The exit code is also set by an error outside of any test, and by reportDifferences in harness.ts.
        const exitCodeError = process.exitCode ? 'The exit code was set: see the output.' : '';
        send({
          type: 'ended',
          passed: passed && !exitCodeError,
          cpu: readTotalCpu() - cpuBefore,
          browserCpu: readBrowserCpu() - browserCpuBefore,
          detail: detail || exitCodeError,
        });
        process.exitCode = undefined;
      } else {
        const outcome = data.skip !== undefined ? 'skipped' : passed ? 'passed' : 'failed';
        send({
          type: outcome,
          names: [...names.slice(1, data.nesting), data.name],
          time: data.details.duration_ms / 1_000,
          detail,
        });
      }
    }
  }
}

const send = (report: Report) => void process.send?.(report);

function describeError(error: Error & { failureType?: string; cause?: unknown }): string {
  if (error.failureType === 'subtestsFailed') return '';
  return inspect(error.cause ?? error);
}
