import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Encoding, FileError, type NumberedRecord } from '#platform/text-file.ts';
import { type Format, readRecords } from './import-records.ts';

const columns = { names: ['slug', 'name', 'note'], key: 'slug', requiredNames: ['slug', 'name'] };

type FileOptions = { format?: Format; encoding?: Encoding; chunkSize?: number };

/** Returns '2 {"a":"b"}' for a record on line 2, and '3 ! message' for an invalid line 3. */
async function readFile(content: string | Buffer, file: FileOptions = {}): Promise<string[]> {
  const { format = 'csv', encoding = 'utf-8' } = file;
  const records: string[] = [];
  for await (const item of readRecords(splitIntoChunks(content, file.chunkSize), {
    format,
    encoding,
    columns,
  })) {
    records.push(formatRecord(item));
  }
  return records;
}

async function* splitIntoChunks(content: string | Buffer, size = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content as string);
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

function formatRecord(item: NumberedRecord): string {
  return 'error' in item ? `${item.line} ! ${item.error.en}` : `${item.line} ${JSON.stringify(item.record)}`;
}

const readError = (content: string | Buffer, file: FileOptions = {}) =>
  readFile(content, file).then(
    () => assert.fail('the file was read'),
    (error: unknown) => {
      assert.ok(error instanceof FileError, String(error));
      return error.message;
    },
  );

test('CSV is read with commas, semicolons and tabs, with and without BOM, with every kind of line break', async () => {
  const expected = ['2 {"slug":"a","name":"São João"}', '3 {"slug":"b","name":"2,5; x"}'];
  for (const separator of [',', ';', '\t']) {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      for (const bom of ['', '\ufeff']) {
        for (const chunkSize of [1, 2, 7, undefined]) {
          const lines = [`slug${separator}name`, `a${separator}São João`, `b${separator}"2,5; x"`];
          const content = bom + lines.join(lineBreak) + lineBreak;
          assert.deepEqual(
            await readFile(content, chunkSize === undefined ? {} : { chunkSize }),
            expected,
            JSON.stringify(content),
          );
        }
      }
    }
  }
});

test('a quoted cell may contain separators, quotes and line breaks; the line numbers after it are correct', async () => {
  const content = 'slug,name\r\na,"one\r\n\r\n""two"", three"\r\nb, "x" \r\nbad\r\nc,"y\r\nz"\r\nbad\r\nd,e';
  assert.deepEqual(await readFile(content), [
    '2 {"slug":"a","name":"one\\n\\n\\"two\\", three"}',
    '5 {"slug":"b","name":"x"}',
    '6 ! the heading has 2 columns, this row has 1',
    '7 {"slug":"c","name":"y\\nz"}',
    '9 ! the heading has 2 columns, this row has 1',
    '10 {"slug":"d","name":"e"}',
  ]);
});

test('blank lines and rows of empty cells are skipped but counted', async () => {
  assert.deepEqual(await readFile('\n\nslug;name\n\n  \na;b\n;\n;;\n"";\nc\n\nd;e\n'), [
    '6 {"slug":"a","name":"b"}',
    '10 ! the heading has 2 columns, this row has 1',
    '12 {"slug":"d","name":"e"}',
  ]);
});

test('a wrongly quoted row invalidates no other row', async () => {
  assert.deepEqual(await readFile('slug,name\na,TV 32"\nb,"x"y\nc,d\n'), [
    '2 {"slug":"a","name":"TV 32\\""}',
    '3 ! has text after a closing quote',
    '4 {"slug":"c","name":"d"}',
  ]);
  assert.deepEqual(await readFile('slug,name\na,b\nc,"d\ne,f\ng,h\n'), [
    '2 {"slug":"a","name":"b"}',
    '3 ! has a quote that is not closed',
    '4 {"slug":"e","name":"f"}',
    '5 {"slug":"g","name":"h"}',
  ]);
  assert.deepEqual(await readFile('slug,name\na,"b\nc,d\ne,f "x" g\nh,i\n'), [
    '2 ! has text after a closing quote',
    '3 {"slug":"c","name":"d"}',
    '4 {"slug":"e","name":"f \\"x\\" g"}',
    '5 {"slug":"h","name":"i"}',
  ]);
  const validRows = Array.from({ length: 20_000 }, (_, i) => `s${i},${'x'.repeat(100)}`).join('\n');
  const records = await readFile(`slug,name\nbad,"open\n${validRows}\n`);
  assert.equal(records.length, 20_001);
  assert.equal(records[0], '2 ! has a quote that is not closed');
  assert.match(records.at(-1)!, /^20002 {"slug":"s19999"/);
});

test('any table is read as it was written, with the line of each row, with any quotes and any chunk size', async () => {
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
      async (rows, separator, lineBreak, quoteAll, chunkSize) => {
        const needsQuotes = (text: string) => quoteAll || /[",;\t\n]/.test(text) || text.trim() !== text;
        const toCell = (text: string) =>
          needsQuotes(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', lineBreak)}"` : text;
        let line = 2;
        const expected: string[] = [];
        for (const [slug, name, note] of rows) {
          if (slug + name + note !== '') expected.push(`${line} ${JSON.stringify({ slug, name, note })}`);
          line += (slug + name + note).split('\n').length;
        }
        const content = [['slug', 'name', 'note'], ...rows]
          .map((row) => row.map(toCell).join(separator))
          .join(lineBreak);
        assert.deepEqual(await readFile(content, { chunkSize }), expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('a CSV file without a usable heading is refused, with an explanation of headings', async () => {
  const hint =
    'A CSV file begins with a heading, the names of its columns: slug; name (for new records); optional: note.';
  for (const content of ['', '\n', '\ufeff', '\r\n \r\n']) {
    assert.equal(await readError(content), `The file is empty. ${hint}`);
  }
  assert.equal(
    await readError('padaria-x,Padaria X\npadaria-y,Padaria Y\n'),
    `The first line names unknown columns: 'padaria-x', 'Padaria X'. ${hint}`,
  );
  assert.equal(await readError('slug;name;\na;b;\n'), `The first line names unknown columns: ''. ${hint}`);
  assert.equal(await readError('name,note\na,b\n'), `The first line lacks the column 'slug'. ${hint}`);
  assert.equal(await readError('slug,name,slug\n'), `The first line contains 'slug' more than once.`);
  assert.equal(await readError('"slug,name\na,b\n'), 'The heading has a quote that is not closed.');
  assert.deepEqual(await readFile('slug,name\n'), [], 'a heading alone is an empty table');
});

test('a file that is not UTF-8 is refused; latin1 is read with that option', async () => {
  const latin1 = Buffer.from('slug,name\na,Pão de açúcar\n', 'latin1');
  const message = 'The file is not UTF-8. Save it as UTF-8, or set the encoding to latin1.';
  assert.equal(await readError(latin1), message);
  assert.equal(await readError(Buffer.from('\ufeffslug,name\na,b\n', 'utf16le')), message);
  assert.equal(await readError(Buffer.from('{"slug":"\xe7"}\n', 'latin1'), { format: 'jsonl' }), message);
  assert.equal(
    await readError(Buffer.from([0x61, 0xc3])),
    message,
    'also when it ends in the middle of a letter',
  );
  assert.deepEqual(await readFile(latin1, { encoding: 'latin1' }), ['2 {"slug":"a","name":"Pão de açúcar"}']);
});

test('JSON Lines: blank lines are counted, the last line needs no line break, every invalid line is reported', async () => {
  const content = '\ufeff{"slug":"a"}\r\n\r\n[1]\nnull\n{bad\n"x"\n   \n42\n{"slug":"b","n":{"x":[1]}}';
  for (const chunkSize of [1, 3, undefined]) {
    const file: FileOptions = { format: 'jsonl', ...(chunkSize !== undefined && { chunkSize }) };
    assert.deepEqual(await readFile(content, file), [
      '1 {"slug":"a"}',
      '3 ! is not a JSON object',
      '4 ! is not a JSON object',
      "5 ! is not JSON: Expected property name or '}' in JSON at position 1",
      '6 ! is not a JSON object',
      '8 ! is not a JSON object',
      '9 {"slug":"b","n":{"x":[1]}}',
    ]);
  }
  assert.deepEqual(await readFile('', { format: 'jsonl' }), []);
});

test('a file without line breaks does not fill the memory', async () => {
  async function* yieldEndlessly(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.alloc(65_536, 'x');
  }
  for (const format of ['csv', 'jsonl'] as const) {
    await assert.rejects(
      async () => {
        for await (const _ of readRecords(yieldEndlessly(), { format, encoding: 'utf-8', columns }));
      },
      { message: 'A line has more than two million characters.' },
    );
  }
});

/** Counts the characters that are scanned for quotes while a file is read. */
async function countScannedCharacters(content: string): Promise<number> {
  const { indexOf } = String.prototype;
  let scannedCount = 0;
  String.prototype.indexOf = function (this: string, search: string, from = 0) {
    const foundIndex = indexOf.call(this, search, from);
    scannedCount += (foundIndex < 0 ? this.length : foundIndex) - from;
    return foundIndex;
  };
  try {
    await readFile(content);
  } finally {
    String.prototype.indexOf = indexOf;
  }
  return scannedCount;
}

test('the work for a file grows linearly with its size, whatever its quotes', async () => {
  for (const lines of ['x";"\n', 'a;"b\n', 'a;"b\nc;d\n', '"\n', 'a;"b"c\n', ' ";\n']) {
    const buildFile = (count: number) => `slug;name\n${lines.repeat(count)}`;
    const [small, large] = [
      await countScannedCharacters(buildFile(100)),
      await countScannedCharacters(buildFile(1_000)),
    ];
    assert.ok(large <= small * 11, `${JSON.stringify(lines)}: ${small}, ten times as many lines: ${large}`);
  }
});

test('reading a large file does not block the event loop', async () => {
  let timerCalls = 0;
  const timer = setInterval(() => timerCalls++, 0);
  await readFile(`slug;name\n${'x";"\n'.repeat(20_000)}`);
  clearInterval(timer);
  assert.ok(timerCalls > 2, String(timerCalls));
});

test('after a row whose quote is not closed, the next line may be such a row, too', async () => {
  assert.deepEqual(await readFile('slug;name\n"\na";"'), [
    '2 ! has a quote that is not closed',
    '3 ! has a quote that is not closed',
  ]);
});

test('after an invalid row, reading continues at the next line, as in the reference implementation', async () => {
  const line = fc
    .array(fc.constantFrom('a', '"', ';', ' ', '""'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      assert.deepEqual(await readFile(`slug;name\n${lines.join('\n')}`), buildExpectedRows(lines));
    }),
    { numRuns: 500 },
  );
});

/** A slow reference implementation: tries to read a row at each line, and skips one line if that fails. `lines[i]` is line `i + 2` of the file. */
function buildExpectedRows(lines: readonly string[]): string[] {
  const expectedRows: string[] = [];
  for (let i = 0; i < lines.length; ) {
    if (lines[i]!.trim() === '') {
      i++;
      continue;
    }
    const row = readRow(lines, i);
    if ('error' in row) expectedRows.push(`${i + 2} ! ${row.error}`);
    else if (row.cells.some((cell) => cell !== '')) {
      const [slug, name] = row.cells;
      const cellCount = row.cells.length;
      expectedRows.push(
        cellCount === 2
          ? `${i + 2} ${JSON.stringify({ slug, name })}`
          : `${i + 2} ! the heading has 2 columns, this row has ${cellCount}`,
      );
    }
    i = 'error' in row ? i + 1 : row.nextIndex;
  }
  return expectedRows;
}

function readRow(
  lines: readonly string[],
  firstIndex: number,
): { error: string } | { cells: string[]; nextIndex: number } {
  let remaining = lines.slice(firstIndex).join('\n');
  const cells: string[] = [];
  for (;;) {
    const quotedCell = /^ *"(?<text>(?:[^"]|"")*)"(?!")(?<textAfterQuote>[^;\n]*)(?<end>;|\n|$)/.exec(
      remaining,
    );
    const cell = quotedCell ?? /^(?! *")(?<text>[^;\n]*)(?<end>;|\n|$)/.exec(remaining);
    if (!cell) return { error: 'has a quote that is not closed' };
    const { text = '', textAfterQuote = '', end } = cell.groups!;
    if (textAfterQuote.trim() !== '') return { error: 'has text after a closing quote' };
    cells.push(quotedCell ? text.replaceAll('""', '"') : text.trim());
    remaining = remaining.slice(cell[0].length);
    const readLength = lines.slice(firstIndex).join('\n').length - remaining.length;
    if (end !== ';')
      return {
        cells,
        nextIndex: end === '' ? lines.length : firstIndex + countLineBreaks(lines, firstIndex, readLength),
      };
  }
}

const countLineBreaks = (lines: readonly string[], firstIndex: number, length: number): number =>
  lines.slice(firstIndex).join('\n').slice(0, length).split('\n').length - 1;
