import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { overview } from './help.ts';
import { shownDay, shownInstant } from './times.ts';

test('half past two at night in UTC is the evening before in São Paulo', () => {
  assert.equal(shownInstant('2026-11-15T02:30:59.000Z'), '2026-11-14 23:30');
  assert.equal(shownInstant(new Date('2026-11-15T03:00:00.000Z')), '2026-11-15 00:00');
  assert.equal(shownDay('2026-11-15T02:59:59.000Z'), '2026-11-14');
  assert.deepEqual([shownInstant(null), shownInstant(null, 'never'), shownDay(null)], ['-', 'never', '-']);
  assert.match(overview([]), /Times are those of São Paulo/);
});

test('no command cuts an instant into a time of its own', async () => {
  const source = join(import.meta.dirname, '../..');
  const own: string[] = [];
  for await (const file of glob('**/commands/*.ts', { cwd: source }))
    if (/\.slice\((0|11), 1[069]\)|\(UTC\)/.test(await readFile(join(source, file), 'utf8'))) own.push(file);
  assert.deepEqual(own, []);
});
