import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  countEdits,
  EXPENSIVE_FILES,
  findTestFiles,
  isBrowserTest,
  listTestFiles,
  sortByCost,
} from './find-files.ts';
import { PROJECT } from './project.ts';
import { type RunOptions, runFiles, summarize } from './runner.ts';
import { startHttpServer } from './servers.ts';
import { createWatchdog } from './watchdog.ts';

const NO_COSTS = { checks: [], time: 0, cpu: 0, preparationCpu: 0, postgresCpu: 0 };
const PASSES = `test('passes', () => undefined);`;
const FAILS = `test('fails', () => { throw new Error('on purpose'); });`;

/** Writes a test file for each source, and runs the files. */
async function runSources(t: TestContext, sources: string[], options: Partial<RunOptions> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'semana-runner-'));
  t.after(() => rm(directory, { recursive: true }));
  const files: string[] = [];
  for (const [index, source] of sources.entries()) {
    const file = join(directory, `${index}.test.mts`);
    await writeFile(file, `import { test } from 'node:test';\n${source}`);
    files.push(file);
  }
  let output = '';
  const result = await runFiles(files, {
    workers: 2,
    env: process.env,
    print: (text) => {
      output += text;
    },
    signal: new AbortController().signal,
    ...options,
  });
  return { ...result, output, summary: summarize(result, NO_COSTS) };
}

test('each file runs once; a file that fails makes the run fail, and is printed again at the end', async (t) => {
  const { passed, files, summary } = await runSources(t, [PASSES, FAILS, PASSES, PASSES, PASSES]);
  assert.equal(passed, false);
  assert.equal(files.length, 5);
  assert.match(
    summary,
    /Failed:\n✖ .*1\.test\.mts[\s\S]*on purpose[\s\S]*5 files, 5 tests: 4 passed, 1 failed/,
  );
});

test('the summary adds the CPU time of all processes, lists the most expensive files, and repeats a failed check', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    file: `${index}.test.ts`,
    passed: true,
    tests: [],
    time: 1,
    cpu: index,
    browserCpu: 1,
    detail: '',
    printed: '',
  }));
  const checks = [{ name: 'linter', passed: false, time: 1, cpu: 5, output: 'a fault' }];
  const summary = summarize(
    { passed: true, files, cpuLost: 12 },
    { checks, time: 1, cpu: 88, preparationCpu: 3, postgresCpu: 20 },
  );
  assert.match(
    summary,
    /CPU time: 100 s in all \(Node 60 s, PostgreSQL 20 s, Chromium 12 s, checks 5 s, preparation 3 s\)/,
  );
  assert.equal(summary.match(/ s CPU, /g)?.length, 10);
  assert.match(summary, /Failed:\n✖ linter [\s\S]*a fault/);
});

test('an error outside the awaited code of a test fails this test, and no other', async (t) => {
  const { passed, output } = await runSources(t, [
    `import { setTimeout as sleep } from 'node:timers/promises';
    await sleep(1);
    test('timer', async () => {
      setTimeout(() => { throw new Error('thrown by a timer'); }, 1);
      await sleep(60_000, undefined, { ref: false });
    });
    test('rejection', async () => {
      await sleep(1);
      void Promise.reject(new Error('rejected'));
      await sleep(60_000, undefined, { ref: false });
    });
    test('neither', () => sleep(1));`,
  ]);
  assert.equal(passed, false);
  assert.match(output, /✖ timer .*\n +Error: thrown by a timer/);
  assert.match(output, /✖ rejection .*\n +Error: rejected/);
  assert.match(output, /✔ neither /);
});

test('a test that hangs fails and names what it waits for, and the other files continue', async (t) => {
  const silentServer = await startHttpServer(createServer(() => undefined));
  const url = `${silentServer.url}/never`;
  const { passed, output } = await runSources(t, [`test('waits', () => fetch('${url}'));`, PASSES], {
    workers: 1,
    progressTimeoutMs: 5_000,
  });
  assert.equal(passed, false);
  assert.match(
    output,
    /'waits' made no progress for 5 s\. It waited for:\n.*Request without a complete response/,
  );
  assert.ok(output.includes(`GET ${url}`), output);
  assert.match(output, /✔ .*1\.test\.mts/);
});

test('a test that blocks its process is killed as well', async (t) => {
  const { output } = await runSources(
    t,
    [`test('blocks', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`],
    {
      progressTimeoutMs: 5_000,
      explainTimeoutMs: 200,
    },
  );
  assert.match(output, /made no progress for 5 s[\s\S]*Its process did not respond/);
});

test('time in which a process waits for a core does not count as a hang', () => {
  let nowMs = 0;
  let coreWaitMs = 0;
  const watchdog = createWatchdog(50, { nowMs: () => nowMs, coreWaitMs: () => coreWaitMs });
  const letTimePass = (ms: number, waitedForCoreMs = 0) => {
    nowMs += ms;
    coreWaitMs += waitedForCoreMs;
    return watchdog.isHanging();
  };
  // The watchdog's timeout is 50 ms. Only time in which the process does not wait for a core counts.
  assert.deepEqual([letTimePass(49), letTimePass(1)], [false, true]);
  watchdog.noteProgress();
  assert.deepEqual(
    [letTimePass(49), letTimePass(100, 99), letTimePass(1_000, 1_000), letTimePass(1)],
    [false, true, true, true],
  );
  watchdog.noteProgress();
  assert.deepEqual([letTimePass(1_000, 951), letTimePass(500, 500), letTimePass(1)], [false, false, true]);
});

test('a name pattern runs the tests that it matches', async (t) => {
  const { passed, files } = await runSources(t, [PASSES + FAILS], { namePattern: 'pass' });
  assert.deepEqual([passed, files[0]!.tests.map(({ names }) => names)], [true, [['passes']]]);
});

test('a file is found by its path, a pattern or a part of its name; for a typo the nearest name is suggested', () => {
  const find = (argument: string) => findTestFiles(PROJECT, argument);
  assert.deepEqual(find('test/runner.test.ts'), ['test/runner.test.ts']);
  assert.deepEqual(find('test/runn*.test.ts'), ['test/runner.test.ts']);
  assert.deepEqual(find('http-fuz'), ['test/http-fuzz.test.ts']);
  assert.deepEqual(find('runner'), ['test/runner.test.ts']);
  assert.throws(
    () => find('http-'),
    /Several test files have 'http-' in their path:\n[\s\S]*http-fuzz[\s\S]*http-headers/,
  );
  assert.throws(
    () => find('http-fuss.test.ts'),
    /no test file 'http-fuss\.test\.ts'\. The nearest is test\/http-fuzz\.test\.ts\./,
  );
  assert.throws(() => find('test/runer.test.ts'), /The nearest is test\/runner\.test\.ts\./);
  assert.deepEqual(
    ['', 'kitten', 'abc'].map((word) => countEdits(word, 'sitting')),
    [7, 3, 7],
  );
});

test('the files that launch a browser are those that --no-browser leaves out', () => {
  const launchesBrowser = (file: string) =>
    /\b(?:launchBrowser|openBrowser)\(/.test(readFileSync(join(PROJECT, file), 'utf8'));
  const files = (['usual', 'slow'] as const)
    .flatMap((kind) => listTestFiles(PROJECT, kind))
    .filter((file) => file !== 'test/runner.test.ts');
  assert.deepEqual(files.filter(launchesBrowser), files.filter(isBrowserTest));
});

test('every file is either slow or not', () => {
  const slowFiles = listTestFiles(PROJECT, 'slow');
  const usualFiles = listTestFiles(PROJECT, 'usual');
  assert.ok(slowFiles.includes('test/modes.slow.test.ts') && usualFiles.includes('test/runner.test.ts'));
  assert.deepEqual(
    usualFiles.filter((file) => slowFiles.includes(file) || file.startsWith('test/citus')),
    [],
  );
});

test('files start in the order of their length, after those that are known to be expensive', () => {
  const testFiles = listTestFiles(PROJECT, 'usual');
  assert.deepEqual(
    EXPENSIVE_FILES.filter((file) => !testFiles.includes(file)),
    [],
    'files that no longer exist',
  );
  const [shortFile, longFile] = ['test/imports.test.ts', 'src/payouts/payouts.test.ts'];
  assert.deepEqual(sortByCost([shortFile, EXPENSIVE_FILES[0]!, longFile]), [
    EXPENSIVE_FILES[0],
    longFile,
    shortFile,
  ]);
});
