import { after, suite } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { endFile } from './after-file.ts';
import { cpuSeconds } from './cpu.ts';

/** A worker's messages about the file it runs. Times are in seconds. */
export type Report =
  | { type: 'begun'; name: string }
  | { type: 'passed' | 'failed' | 'skipped'; names: string[]; time: number; detail: string }
  | { type: 'ended'; passed: boolean; cpu: number; detail: string };

const TIMEOUT_MS = 5_000;

/** Runs test files one after another in this process, as run.ts sends them: shared imports are loaded once. */
if (process.send) {
  process.on('message', (file: string) => {
    cpuBefore = cpuSeconds();
    // A suite starts its tests when the whole file has been evaluated; a test would end too soon if the file awaits between two tests.
    void suite(file, async () => {
      after(endFile);
      await import(pathToFileURL(file).href);
    });
  });
  process.on('disconnect', () => {
    setTimeout(() => {
      process.stderr.write(`Tests left something open: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, TIMEOUT_MS).unref();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endFile().finally(() => process.exit(1)));
}

let cpuBefore = 0;

/** The reporter of node:test in a worker. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') send({ type: 'begun', name: data.name });
    if (type === 'test:start') names.splice(data.nesting, names.length, data.name);
    if (type === 'test:diagnostic' && data.nesting === 0) yield `${data.message}\n`;
    if (type === 'test:pass' || type === 'test:fail') {
      const passed = type === 'test:pass' || data.todo !== undefined;
      const detail = type === 'test:fail' ? detailOf(data.details.error) : '';
      if (data.nesting === 0) {
        // Also set by an error outside of any test, and by failOn in harness.ts.
        const faults = process.exitCode ? 'The exit code was set: see what was printed.' : '';
        send({
          type: 'ended',
          passed: passed && !faults,
          cpu: cpuSeconds() - cpuBefore,
          detail: detail || faults,
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

function detailOf(error: Error & { failureType?: string; cause?: unknown }): string {
  if (error.failureType === 'subtestsFailed') return '';
  return inspect(error.cause ?? error);
}
