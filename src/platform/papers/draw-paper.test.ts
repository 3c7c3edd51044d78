import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../test/support/pdf.ts';
import { renderPaper } from './paper.ts';

const paper = (rows: string[][]) => ({
  title: 'Contrato',
  at: new Date(0),
  footer: 'Credora Ltda.',
  blocks: [{ heading: 'Itens' }, { head: ['Item', 'Valor'], rows }, { text: 'O fim' }],
});

test('a long table goes on overleaf, row after row; what follows it comes after it', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => [
    `Linha ${i}`,
    i % 9 === 0 ? 'palavra '.repeat(40) : 'x',
  ]);
  const text = textOf(await renderPaper(paper(rows)));
  assert.deepEqual(
    [...text.matchAll(/Linha \d+|O fim|Página \d+ de \d+/g)]
      .map(([found]) => found)
      .filter((one) => !/^P/.test(one)),
    [...rows.map(([first]) => first), 'O fim'],
  );
  assert.match(text, /Página 1 de [34]/);
});

test('letters that the fonts lack become plain ones, or go', async () => {
  const text = textOf(await renderPaper(paper([['Łódź, cafe\u0301 😀', '“1”']])));
  assert.match(text, /ódz, café /);
});

test('the same paper has the same bytes', async () => {
  const [one, other] = await Promise.all([paper([['a', 'b']]), paper([['a', 'b']])].map(renderPaper));
  assert.deepEqual(one, other);
});
