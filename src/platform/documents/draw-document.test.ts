import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPdfText } from '../../../test/support/pdf.ts';
import { renderDocument } from './document.ts';
import { drawDocument } from './draw-document.ts';

const paper = (rows: string[][]) => ({
  title: 'Contrato',
  createdAt: new Date(0),
  footer: 'Credora Ltda.',
  blocks: [{ heading: 'Itens' }, { head: ['Item', 'Valor'], rows }, { text: 'O fim' }],
});

test('a long table continues on the next page, and later content follows it', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => [
    `Linha ${i}`,
    i % 9 === 0 ? 'palavra '.repeat(40) : 'x',
  ]);
  const text = readPdfText(await renderDocument(paper(rows)));
  assert.deepEqual(
    [...text.matchAll(/Linha \d+|O fim|Página \d+ de \d+/g)]
      .map(([found]) => found)
      .filter((one) => !/^P/.test(one)),
    [...rows.map(([first]) => first), 'O fim'],
  );
  assert.match(text, /Página 1 de [34]/);
});

test('characters that the fonts lack are replaced or removed', async () => {
  const text = readPdfText(await renderDocument(paper([['Łódź, cafe\u0301 😀', '“1”']])));
  assert.match(text, /ódz, café /);
});

test('the same content results in the same bytes, in the first and in later documents of a thread', async () => {
  const first = await drawDocument(paper([['a', 'b']]));
  for (let i = 0; i < 3; i++) assert.deepEqual(await drawDocument(paper([['a', 'b']])), first);
  assert.deepEqual(await renderDocument(paper([['a', 'b']])), first);
});
