import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatInstant } from './command.ts';
import { formatOverview } from './help.ts';

test('half past two at night in UTC is the previous evening in São Paulo', () => {
  assert.equal(formatInstant('2026-11-15T02:30:59.000Z'), '2026-11-14 23:30');
  assert.equal(formatInstant(new Date('2026-11-15T03:00:00.000Z')), '2026-11-15 00:00');
  assert.equal(formatInstant(null), '-');
  assert.match(formatOverview([]), /Times are in São Paulo time/);
});

test('no command formats timestamps itself', async () => {
  const source = join(import.meta.dirname, '../..');
  const own: string[] = [];
  for await (const file of glob('**/commands/*.ts', { cwd: source }))
    if (/\.slice\((0|11), 1[069]\)|\(UTC\)/.test(await readFile(join(source, file), 'utf8'))) own.push(file);
  assert.deepEqual(own, []);
});
