import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

const written = async (...values: string[]) => {
  async function* batches() {
    yield values;
  }
  return (await csvOf({ text: (value: string) => value }, batches()).toArray()).join('');
};

test('nothing is a formula, whether a spreadsheet ends cells at commas or at semicolons', async () => {
  const cells = ['=1', '+1', '-1', '@a', 'x;=1', 'x\n=1;+2', 'a-b', 'x; 1'];
  assert.equal(
    await written(...cells),
    `text\r\n'=1\r\n'+1\r\n'-1\r\n'@a\r\nx;'=1\r\n"x\n'=1;'+2"\r\na-b\r\nx; 1\r\n`,
  );
});
