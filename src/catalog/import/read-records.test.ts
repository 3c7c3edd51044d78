import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NumberedRecord } from '#platform/files/read-csv.ts';
import { type Encoding, FileFault } from '#platform/files/read-lines.ts';
import { type Format, readRecords } from './read-records.ts';

const columns = { known: ['slug', 'name', 'note'], key: 'slug', required: ['slug', 'name'] };

type File = { format?: Format; encoding?: Encoding; chunk?: number };

/** '2 {"a":"b"}' for a record, '3 ! why' for a fault. */
async function read(content: string | Buffer, file: File = {}): Promise<string[]> {
  const { format = 'csv', encoding = 'utf-8' } = file;
  const records: string[] = [];
  for await (const numbered of readRecords(inChunks(content, file.chunk), { format, encoding, columns })) {
    records.push(tell(numbered));
  }
  return records;
}

async function* inChunks(content: string | Buffer, size = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function tell(numbered: NumberedRecord): string {
  return 'fault' in numbered
    ? `${numbered.line} ! ${numbered.fault.en}`
    : `${numbered.line} ${JSON.stringify(numbered.record)}`;
}

const refused = (content: string | Buffer, file: File = {}) =>
  read(content, file).then(
    () => assert.fail('it was read'),
    (error: unknown) => {
      assert.ok(error instanceof FileFault, String(error));
      return error.message;
    },
  );

test('CSV is read with commas, semicolons and tabs, with and without BOM, with every kind of line end', async () => {
  const expected = ['2 {"slug":"a","name":"São João"}', '3 {"slug":"b","name":"2,5; x"}'];
  for (const mark of [',', ';', '\t']) {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const bom of ['', '\ufeff']) {
        for (const chunk of [1, 2, 7, undefined]) {
          const lines = [`slug${mark}name`, `a${mark}São João`, `b${mark}"2,5; x"`];
          const content = bom + lines.join(end) + end;
          assert.deepEqual(
            await read(content, chunk === undefined ? {} : { chunk }),
            expected,
            JSON.stringify(content),
          );
        }
      }
    }
  }
});

test('a quoted cell may hold marks, quotes and line ends; the lines after it are counted right', async () => {
  const content = 'slug,name\r\na,"one\r\n\r\n""two"", three"\r\nb, "x" \r\nbad\r\nc,"y\r\nz"\r\nbad\r\nd,e';
  assert.deepEqual(await read(content), [
    '2 {"slug":"a","name":"one\\n\\n\\"two\\", three"}',
    '5 {"slug":"b","name":"x"}',
    '6 ! the heading names 2 columns, this row has 1',
    '7 {"slug":"c","name":"y\\nz"}',
    '9 ! the heading names 2 columns, this row has 1',
    '10 {"slug":"d","name":"e"}',
  ]);
});

test('blank lines, and rows of empty cells as spreadsheets write them, are left out but counted', async () => {
  assert.deepEqual(await read('\n\nslug;name\n\n  \na;b\n;\n;;\n"";\nc\n\nd;e\n'), [
    '6 {"slug":"a","name":"b"}',
    '10 ! the heading names 2 columns, this row has 1',
    '12 {"slug":"d","name":"e"}',
  ]);
});

test('quotes that do not match cost their own row only', async () => {
  assert.deepEqual(await read('slug,name\na,TV 32"\nb,"x"y\nc,d\n'), [
    '2 {"slug":"a","name":"TV 32\\""}',
    '3 ! has text after a closing quote',
    '4 {"slug":"c","name":"d"}',
  ]);
  assert.deepEqual(await read('slug,name\na,b\nc,"d\ne,f\ng,h\n'), [
    '2 {"slug":"a","name":"b"}',
    '3 ! has a quote that is not closed',
    '4 {"slug":"e","name":"f"}',
    '5 {"slug":"g","name":"h"}',
  ]);
  assert.deepEqual(await read('slug,name\na,"b\nc,d\ne,f "x" g\nh,i\n'), [
    '2 ! has text after a closing quote',
    '3 {"slug":"c","name":"d"}',
    '4 {"slug":"e","name":"f \\"x\\" g"}',
    '5 {"slug":"h","name":"i"}',
  ]);
  const many = Array.from({ length: 20_000 }, (_, i) => `s${i},${'x'.repeat(100)}`).join('\n');
  const records = await read(`slug,name\nbad,"open\n${many}\n`);
  assert.equal(records.length, 20_001);
  assert.equal(records[0], '2 ! has a quote that is not closed');
  assert.match(records.at(-1)!, /^20002 {"slug":"s19999"/);
});

test('any table comes back as it was written, each row with its line, however it is quoted and cut into chunks', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'Ç', '😀', ' ', ',', ';', '\t', '"', '\n', "'", '\\'),
    maxLength: 8,
  });
  const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (rows, mark, end, quoteAll, chunk) => {
        const needsQuotes = (text: string) => quoteAll || /[",;\t\n]/.test(text) || text.trim() !== text;
        const written = (text: string) =>
          needsQuotes(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', end)}"` : text;
        let line = 2;
        const expected: string[] = [];
        for (const [slug, name, note] of rows) {
          if (slug + name + note !== '') expected.push(`${line} ${JSON.stringify({ slug, name, note })}`);
          line += 1 + (slug + name + note).split('\n').length - 1;
        }
        const content = [['slug', 'name', 'note'], ...rows]
          .map((row) => row.map(written).join(mark))
          .join(end);
        assert.deepEqual(await read(content, { chunk }), expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('a CSV file without a usable heading is refused as a whole, and told what a heading is', async () => {
  const hint =
    'A CSV file begins with a heading, the names of its columns: slug, for new records name and, as you like, note.';
  for (const empty of ['', '\n', '\ufeff', '\r\n \r\n']) {
    assert.equal(await refused(empty), `The file is empty. ${hint}`);
  }
  assert.equal(
    await refused('padaria-x,Padaria X\npadaria-y,Padaria Y\n'),
    `The first line names unknown columns: 'padaria-x', 'Padaria X'. ${hint}`,
  );
  assert.equal(await refused('slug;name;\na;b;\n'), `The first line names unknown columns: ''. ${hint}`);
  assert.equal(await refused('name,note\na,b\n'), `The first line lacks the column 'slug'. ${hint}`);
  assert.equal(await refused('slug,name,slug\n'), `The first line names 'slug' more than once.`);
  assert.equal(await refused('"slug,name\na,b\n'), 'The heading has a quote that is not closed.');
  assert.deepEqual(await read('slug,name\n'), [], 'a heading alone is a table of no rows');
});

test('a file in another encoding is refused with the reason; latin1 is read with that option', async () => {
  const latin1 = Buffer.from('slug,name\na,Pão de açúcar\n', 'latin1');
  const fault = 'The file is not UTF-8. Save it as UTF-8, or name its encoding: latin1.';
  assert.equal(await refused(latin1), fault);
  assert.equal(await refused(Buffer.from('\ufeffslug,name\na,b\n', 'utf16le')), fault);
  assert.equal(await refused(Buffer.from('{"slug":"\xe7"}\n', 'latin1'), { format: 'jsonl' }), fault);
  assert.equal(
    await refused(Buffer.from([0x61, 0xc3])),
    fault,
    'also when it ends in the middle of a letter',
  );
  assert.deepEqual(await read(latin1, { encoding: 'latin1' }), ['2 {"slug":"a","name":"Pão de açúcar"}']);
});

test('JSON Lines: blank lines are counted, the last line needs no end, every bad line is reported', async () => {
  const content = '\ufeff{"slug":"a"}\r\n\r\n[1]\nnull\n{bad\n"x"\n   \n42\n{"slug":"b","n":{"x":[1]}}';
  for (const chunk of [1, 3, undefined]) {
    const file: File = { format: 'jsonl', ...(chunk !== undefined && { chunk }) };
    assert.deepEqual(await read(content, file), [
      '1 {"slug":"a"}',
      '3 ! is not a JSON object',
      '4 ! is not a JSON object',
      "5 ! is not JSON: Expected property name or '}' in JSON at position 1",
      '6 ! is not a JSON object',
      '8 ! is not a JSON object',
      '9 {"slug":"b","n":{"x":[1]}}',
    ]);
  }
  assert.deepEqual(await read('', { format: 'jsonl' }), []);
});

test('a file without line ends does not fill the memory', async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.alloc(65_536, 'x');
  }
  for (const format of ['csv', 'jsonl'] as const) {
    await assert.rejects(
      async () => {
        for await (const _ of readRecords(endless(), { format, encoding: 'utf-8', columns }));
      },
      { message: 'A line has over two million characters.' },
    );
  }
});
