import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPdfText } from '../../../test/support/pdf.ts';
import { renderDocument } from './document.ts';
import { drawDocument } from './draw-document.ts';

const createContent = (rows: string[][]) => ({
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
  const text = readPdfText(await renderDocument(createContent(rows)));
  assert.deepEqual(
    [...text.matchAll(/Linha \d+|O fim/g)].map(([match]) => match),
    [...rows.map(([item]) => item), 'O fim'],
  );
  assert.match(text, /Página 1 de [34]/);
});

test('characters that the fonts lack are replaced or removed', async () => {
  const text = readPdfText(await renderDocument(createContent([['Łódź, cafe\u0301 😀', '“1”']])));
  assert.match(text, /ódz, café /);
});

test('the same content results in the same bytes, in the first and in later documents of a thread', async () => {
  const firstDocument = await drawDocument(createContent([['a', 'b']]));
  for (let i = 0; i < 3; i++)
    assert.deepEqual(await drawDocument(createContent([['a', 'b']])), firstDocument);
  assert.deepEqual(await renderDocument(createContent([['a', 'b']])), firstDocument);
});
