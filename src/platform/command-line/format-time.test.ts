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

/** Matches a day or a time that is cut out of an ISO timestamp, or the label of a time in UTC. */
const OWN_TIME_FORMAT = /\.slice\((0|11), 1[069]\)|\(UTC\)/;

test('no command formats timestamps itself', async () => {
  const sourceFolder = join(import.meta.dirname, '../..');
  const formattingFiles: string[] = [];
  for await (const file of glob('**/commands/*.ts', { cwd: sourceFolder }))
    if (OWN_TIME_FORMAT.test(await readFile(join(sourceFolder, file), 'utf8'))) formattingFiles.push(file);
  assert.deepEqual(formattingFiles, []);
});
