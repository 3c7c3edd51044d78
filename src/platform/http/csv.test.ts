import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { buildColumns, toCsv } from './csv.ts';
import { Reais } from './schemas.ts';

const writeCells = async (...values: string[]) => {
  async function* createBatches() {
    yield values;
  }
  return (await toCsv({ text: { getValue: (value: string) => value } }, createBatches()).toArray()).join('');
};

test('no cell is a formula, whether a spreadsheet splits at commas or at semicolons', async () => {
  const cells = ['=1', '+1', '-1', '@a', 'x;=1', 'x\n=1;+2', 'a-b', 'x; 1'];
  assert.equal(
    await writeCells(...cells),
    `text\r\n'=1\r\n'+1\r\n'-1\r\n'@a\r\nx;'=1\r\n"x\n'=1;'+2"\r\na-b\r\nx; 1\r\n`,
  );
});

test('the Brazilian style has semicolons, decimal commas and a byte order mark; amounts always have two decimals', async () => {
  const item = Type.Object({
    name: Type.String(),
    amount: Reais('What it is'),
    percent: Type.Number(),
    count: Type.Integer(),
  });
  async function* createBatches() {
    yield [{ name: 'Pão; queijo', amount: -1234.5, percent: 2.5, count: 3 }];
  }
  const writeCsv = async (style: 'plain' | 'br') =>
    (await toCsv(buildColumns(item), createBatches(), style).toArray()).join('');
  assert.equal(await writeCsv('plain'), 'name,amount,percent,count\r\nPão; queijo,-1234.50,2.5,3\r\n');
  assert.equal(await writeCsv('br'), '\ufeffname;amount;percent;count\r\n"Pão; queijo";-1234,50;2,5;3\r\n');
});
