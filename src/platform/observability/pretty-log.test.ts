import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createLog, formatLogLine } from './log.ts';

/** Returns the terminal output without colours. */
function renderLog(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => void lines.push(formatLogLine(line)) }));
  return stripVTControlCharacters(lines.join(''));
}

test('a line on a terminal has time, level, message and details', () => {
  const text = renderLog((log) =>
    log.info({ method: 'GET', status: 404, key: undefined, nodes: ['a'] }, 'request'),
  );
  assert.match(text, /^\d\d:\d\d:\d\d info {2}request method=GET status=404 nodes=\["a"\]\n$/);
});

test('an error includes its stack and cause', () => {
  const cause = new TypeError('inner');
  const text = renderLog((log) => log.error({ err: new Error('outer', { cause }) }, 'request failed'));
  assert.match(text, /^\d\d:\d\d:\d\d error request failed\n {2}Error: outer\n {6}at /);
  assert.match(text, /\n {2}because of\n {2}TypeError: inner\n/);
});
