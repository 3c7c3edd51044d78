import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runFiles } from './runner.ts';

/** A test file that records each start, and fails the given number of times. */
const source = (notes: string, name: string, failures: number) => `
  import { appendFileSync, existsSync, readFileSync } from 'node:fs';
  import { test } from 'node:test';
  const note = (what) => appendFileSync(${JSON.stringify(notes)}, what + ' ${name}\\n');
  const count = (what) => (existsSync(${JSON.stringify(notes)}) ? readFileSync(${JSON.stringify(notes)}, 'utf8') : '')
    .split('\\n').filter((line) => line === what + ' ${name}').length;
  test('${name}', () => {
    const before = count('begin');
    note('begin');
    if (before < ${failures}) throw new Error('${name} fails');
  });`;

async function run(t: TestContext, failures: Record<string, number>, workers = 2) {
  const directory = await mkdtemp(join(tmpdir(), 'semana-runner-'));
  t.after(() => rm(directory, { recursive: true }));
  const notes = join(directory, 'notes');
  const files: string[] = [];
  for (const [name, times] of Object.entries(failures)) {
    const file = join(directory, `${name}.test.mts`);
    await writeFile(file, source(notes, name, times));
    files.push(file);
  }
  let printed = '';
  const passed = await runFiles(files, {
    workers,
    env: process.env,
    print: (text) => {
      printed += text;
    },
    signal: new AbortController().signal,
  });
  const begun = (await readFile(notes, 'utf8')).match(/(?<=begin )\w+/g)!;
  return { passed, lines: printed.trim().split('\n'), begun };
}

const timesOf = (begun: string[], name: string) => begun.filter((one) => one === name).length;

test('the first file that fails runs again while others are left, and the last line says that it is unsteady', async (t) => {
  const { passed, lines, begun } = await run(t, { a: 1, b: 0, c: 0, d: 0, e: 0 }, 1);
  assert.equal(passed, true);
  assert.equal(begun.join(''), 'aabcde', 'not at the end, when the machine is quiet');
  assert.match(lines.at(-1)!, /a\.test\.mts was run twice: it failed, then passed under the same load\./);
  assert.match(lines.at(-2)!, /5 files, 5 tests: 5 passed, 0 failed/);
  assert.ok(lines.includes('Unsteady (failed, then passed under the same load):'));
});

test('one that fails among the last runs again with others beside it', async (t) => {
  const { passed, lines, begun } = await run(t, { a: 0, b: 0, c: 0, d: 0, e: 1 });
  assert.equal(passed, true);
  assert.equal(timesOf(begun, 'e'), 2);
  assert.equal(begun.length, 7, 'one of those that passed kept the other process busy');
  assert.match(lines.at(-2)!, /5 files, 5 tests: 5 passed, 0 failed/, 'and is counted once');
});

test('of several that fail one runs again, and the run has failed', async (t) => {
  const { passed, lines, begun } = await run(t, { a: 1, b: 1, c: 0, d: 0, e: 0 });
  assert.equal(passed, false);
  assert.equal(timesOf(begun, 'a') + timesOf(begun, 'b'), 3);
  assert.match(lines.at(-1)!, /was run twice/);
});

test('a file that fails twice has failed', async (t) => {
  const { passed, lines, begun } = await run(t, { a: 9, b: 0, c: 0, d: 0, e: 0 });
  assert.equal(passed, false);
  assert.equal(timesOf(begun, 'a'), 2);
  assert.match(lines.at(-1)!, /a\.test\.mts was run twice: it failed, then failed again\./);
});

test('a run of few files runs none again', async (t) => {
  const { passed, begun } = await run(t, { a: 1, b: 0, c: 0 });
  assert.equal(passed, false);
  assert.equal(begun.length, 3);
});
