import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { readArguments } from '#platform/command-line/command.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandContext, findLocalCommand } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';

const service = await openService({ demo: false });
await service.db.run(sql`insert into categories (slug, name) values ('moda', 'Moda'), ('casa', 'Casa')`);
const directory = await mkdtemp(join(tmpdir(), 'semana-import-'));
after(() => rm(directory, { recursive: true, force: true }));

type CommandResult = { code: number; output: string; errors: string[] };

/** Writes the file and runs `semana import KIND FILE OPTIONS`. */
async function importFile(
  kind: string,
  name: string,
  content: string | Buffer,
  ...options: string[]
): Promise<CommandResult> {
  const path = join(directory, name);
  await writeFile(path, content);
  return runCommand('import', kind, path, ...options);
}

async function runCommand(
  verb: 'import' | 'export',
  kind: string,
  path: string,
  ...options: string[]
): Promise<CommandResult> {
  const command = findLocalCommand(`${verb} ${kind}`);
  const output: string[] = [];
  const errors: string[] = [];
  const context = createCommandContext(service, {
    print: (text) => void output.push(text),
    printError: (text) => void errors.push(text),
  });
  const code = (await command.run(context, readArguments(command, [path, ...options]))) ?? 0;
  return { code, output: output.join('\n'), errors };
}

const listSlugs = async (): Promise<string[]> => {
  const rows = await service.db.rows<{ slug: string }>(sql`select slug from merchants order by slug`);
  return rows.map(({ slug }) => slug);
};
const deleteMerchants = () => service.db.run(sql`truncate merchants`);

const buildLine = (slug: string) => JSON.stringify({ slug, name: slug, category: 'moda' });
const mixedLines = [
  buildLine('a'),
  '{"slug":"B!"}',
  '',
  buildLine('c'),
  'x',
  buildLine('a'),
  '{"slug":"d","name":"D","category":"e"}',
  buildLine('f'),
];
const invalidLines = [
  "line 2: slug: 'B!' is not a slug: lower-case letters, digits and single hyphens; name: is missing; category: is missing",
  `line 5: is not JSON: Unexpected token 'x', "x" is not valid JSON`,
  "line 6: slug: 'a' is already on line 1",
  "line 7: category: there is no category 'e'",
];

test('every invalid line is reported with its number, and the other lines are imported', async () => {
  const outcome = await importFile('merchants', 'mixed.jsonl', mixedLines.join('\n'));
  assert.deepEqual(outcome, {
    code: 1,
    output: 'Imported 3 merchants; 4 bad lines were left out.',
    errors: invalidLines,
  });
  assert.deepEqual(await listSlugs(), ['a', 'c', 'f']);
  await deleteMerchants();
});

test('--all-or-nothing reports the same lines and imports nothing if any line is invalid', async () => {
  const outcome = await importFile('merchants', 'mixed.jsonl', mixedLines.join('\n'), '--all-or-nothing');
  assert.deepEqual(outcome, {
    code: 1,
    output: 'Nothing was imported (--all-or-nothing): 3 good, 4 bad.',
    errors: invalidLines,
  });
  assert.deepEqual(await listSlugs(), []);

  const validOutcome = await importFile(
    'merchants',
    'clean.jsonl',
    [buildLine('a'), buildLine('b')].join('\n'),
    '--all-or-nothing',
  );
  assert.deepEqual(validOutcome, { code: 0, output: 'Imported 2 merchants.', errors: [] });
  assert.deepEqual(await listSlugs(), ['a', 'b']);
  await deleteMerchants();
});

test('--dry-run reports the same lines and writes nothing', async () => {
  const outcome = await importFile('merchants', 'mixed.jsonl', mixedLines.join('\n'), '--dry-run');
  assert.deepEqual(outcome, {
    code: 1,
    output: 'Checked merchants: 3 good, 4 bad. Nothing was written (--dry-run).',
    errors: invalidLines,
  });
  const validOutcome = await importFile(
    'merchants',
    'clean.jsonl',
    buildLine('a'),
    '--dry-run',
    '--all-or-nothing',
  );
  assert.equal(validOutcome.code, 0);
  assert.deepEqual(await listSlugs(), []);
});

test('a CSV file of a Brazilian spreadsheet is imported: semicolons, decimal comma, latin1, line breaks in cells', async () => {
  const table =
    'slug;name;category;cashback_percent;listed;description\r\n' +
    'otica;Ótica "Visão";moda;2,5;sim;"Óculos\r\ne lentes; sob medida"\r\n' +
    'errada;Errada;moda;250;sim;x\r\n' +
    'fechada;Fechada;casa;;não;\r\n';
  const outcome = await importFile(
    'merchants',
    'planilha.CSV',
    Buffer.from(table, 'latin1'),
    '--encoding',
    'latin1',
  );
  assert.deepEqual(outcome.errors, [
    "line 4: cashback_percent: '250' is not a percentage from 0 to 100 with at most four decimals",
  ]);
  const storedMerchants = await service.db.rows(
    sql`select slug, name, cashback_percent, listed, description from merchants order by slug`,
  );
  assert.deepEqual(storedMerchants, [
    { slug: 'fechada', name: 'Fechada', cashback_percent: '0.0000', listed: false, description: null },
    {
      slug: 'otica',
      name: 'Ótica "Visão"',
      cashback_percent: '2.5000',
      listed: true,
      description: 'Óculos\ne lentes; sob medida',
    },
  ]);
  await deleteMerchants();
});

test('exit code 2 and no import for a file that cannot be read: missing, a directory, not UTF-8, no heading', async () => {
  const readSingleError = async (outcome: Promise<CommandResult>) => {
    const { code, errors, output } = await outcome;
    assert.equal(code, 2, output);
    assert.equal(errors.length, 1);
    return errors[0]!;
  };
  await mkdir(join(directory, 'folder.csv'));
  assert.match(
    await readSingleError(runCommand('import', 'merchants', join(directory, 'nowhere.csv'))),
    /^'.*nowhere.csv' cannot be read: ENOENT/,
  );
  assert.match(
    await readSingleError(runCommand('import', 'merchants', join(directory, 'folder.csv'))),
    /cannot be read: EISDIR/,
  );
  assert.match(
    await readSingleError(importFile('merchants', 'empty.csv', '')),
    /^The file is empty. A CSV file begins with a heading/,
  );
  assert.match(
    await readSingleError(importFile('merchants', 'data.csv', 'a,b,c\n')),
    /^The first line names unknown columns: 'a', 'b', 'c'/,
  );
  assert.match(
    await readSingleError(importFile('merchants', 'lack.csv', 'name,city\na,b\n')),
    /^The first line lacks the column 'slug'/,
  );
  assert.deepEqual(await listSlugs(), []);

  // The invalid byte comes after thousands of valid lines.
  const lines = Array.from({ length: 5_000 }, (_, i) => `s-${i};Loja;moda`).join('\n');
  const latin1 = Buffer.from(`slug;name;category\n${lines}\nlast;\xd3tica;moda\n`, 'latin1');
  assert.match(await readSingleError(importFile('merchants', 'late.csv', latin1)), /^The file is not UTF-8/);
  assert.deepEqual(await listSlugs(), []);
});

test('a file without a known extension requires --format', async () => {
  await assert.rejects(importFile('merchants', 'data.txt', buildLine('a')), /Say with --format/);
  assert.equal((await importFile('merchants', 'data.txt', buildLine('a'), '--format', 'jsonl')).code, 0);
  assert.equal((await importFile('merchants', 'data.NDJSON', buildLine('a'))).code, 0);
  await assert.rejects(importFile('merchants', 'a.csv', 'x', '--format', 'xml'), /Say with --format/);
  await assert.rejects(
    importFile('merchants', 'a.csv', 'x', '--encoding', 'utf-16'),
    /--encoding is 'utf-16'/,
  );
  await deleteMerchants();
});

test('importing the same file again changes no row; one changed line changes one row', async () => {
  const files = {
    categories: [{ slug: 'moda', name: 'Moda' }],
    merchants: [
      { slug: 'a', name: 'Á', category: 'moda', cashback_percent: 2.5, city: 'Olinda' },
      { slug: 'b', name: 'B', category: 'casa' },
    ],
    faq: [{ id: 'q', topic: 't', question: '?', answer: '!', position: 3 }],
    posts: [
      {
        slug: 'p',
        title: 'T',
        summary: 'S',
        author: 'A',
        body: 'B',
        tags: ['x', 'y'],
        published_at: '2026-01-01T00:00:00Z',
      },
    ],
  };
  const importAll = async () => {
    for (const [kind, records] of Object.entries(files)) {
      const outcome = await importFile(
        kind,
        `${kind}.jsonl`,
        records.map((record) => JSON.stringify(record)).join('\n'),
      );
      assert.equal(outcome.code, 0, outcome.errors.join());
      assert.equal(outcome.output, `Imported ${records.length} ${kind}.`);
    }
  };
  // xmin is the transaction that wrote a row last. The first letter of `row` is the kind of the record.
  const readVersions = () =>
    service.db.rows(sql`
      select 'm' || slug as row, xmin::text, revision from merchants
      union all select 'c' || slug, xmin::text, 0 from categories
      union all select 'f' || id, xmin::text, 0 from faq_entries
      union all select 'p' || slug, xmin::text, 0 from posts order by 1`);
  await importAll();
  const versionsBefore = (await readVersions()) as Array<{ row: string }>;
  await importAll();
  assert.deepEqual(await readVersions(), versionsBefore);

  files.merchants[0]!.cashback_percent = 3;
  await importAll();
  const changedRows = (await readVersions()).filter(
    (row, i) => JSON.stringify(row) !== JSON.stringify(versionsBefore[i]),
  );
  assert.deepEqual(
    changedRows.map((row) => (row as { row: string }).row),
    ['ma'],
  );
  await deleteMerchants();
});

test('importing unchanged merchants invalidates no cache', async () => {
  await importFile('merchants', 'a.jsonl', buildLine('a'));
  const listener = new pg.Client({ connectionString: service.databaseUrl });
  await listener.connect();
  const notifications: string[] = [];
  listener.on('notification', ({ payload }) => void notifications.push(payload!));
  await listener.query('listen semana_changes');
  // Earlier notifications arrive with the result of a later query.
  const receiveNotifications = () => listener.query('select 1');
  await importFile('merchants', 'a.jsonl', buildLine('a'));
  await receiveNotifications();
  assert.deepEqual(notifications, []);
  await importFile('merchants', 'a.jsonl', buildLine('a').replace('"name":"a"', '"name":"A"'));
  await receiveNotifications();
  assert.match(notifications.join(), /^merchants from \d+$/);
  await listener.end();
  await deleteMerchants();
});

const findRow = (slug: string) =>
  service.db.row(sql`
    select name, category_slug, city, state, cashback_percent, listed from merchants where slug = ${slug}`);

test('a file with fewer columns changes only those columns; an empty cell clears its field', async () => {
  const record = {
    slug: 'a',
    name: 'A',
    category: 'casa',
    city: 'Olinda',
    state: 'PE',
    cashback_percent: 2.5,
    listed: false,
  };
  const unchangedFields = {
    name: 'A',
    category_slug: 'casa',
    city: 'Olinda',
    state: 'PE',
    cashback_percent: '2.5000',
    listed: false,
  };
  await importFile('merchants', 'a.jsonl', JSON.stringify(record));
  assert.equal((await importFile('merchants', 'a.csv', 'slug;city\na;Recife\n')).code, 0);
  assert.deepEqual(await findRow('a'), { ...unchangedFields, city: 'Recife' });
  assert.equal((await importFile('merchants', 'a.jsonl', '{"slug":"a","name":"Ah"}')).code, 0);
  assert.deepEqual(await findRow('a'), { ...unchangedFields, city: 'Recife', name: 'Ah' });
  await importFile('merchants', 'a.csv', 'slug;city;cashback_percent;listed\na;;;\n');
  assert.deepEqual(await findRow('a'), {
    ...unchangedFields,
    name: 'Ah',
    city: null,
    cashback_percent: '0.0000',
    listed: true,
  });
  await importFile('merchants', 'a.jsonl', '{"slug":"a","state":null}');
  assert.deepEqual((await findRow('a')) as object, {
    ...unchangedFields,
    name: 'Ah',
    city: null,
    state: null,
    cashback_percent: '0.0000',
    listed: true,
  });
  const emptyNameOutcome = await importFile('merchants', 'a.csv', 'slug;name\na;\n');
  assert.deepEqual(emptyNameOutcome.errors, ['line 2: name: is missing']);
  await deleteMerchants();
});

test('in a file with fewer columns new records take defaults, and only new records must have the required fields', async () => {
  await importFile('merchants', 'a.jsonl', buildLine('a'));
  const outcome = await importFile('merchants', 'b.csv', 'slug;city\nb;Olinda\na;Olinda\n');
  assert.deepEqual(outcome.errors, ['line 2: name: is missing; category: is missing']);
  assert.equal(outcome.output, 'Imported 1 merchants; 1 bad lines were left out.');
  await importFile('merchants', 'c.csv', 'slug;name;category\nc;C;moda\n');
  assert.deepEqual(await findRow('c'), {
    name: 'C',
    category_slug: 'moda',
    city: null,
    state: null,
    cashback_percent: '0.0000',
    listed: true,
  });
  await deleteMerchants();
});

test('an import of any kind leaves fields unchanged that are not in the file', async () => {
  const publishedAt = '2026-01-01T00:00:00.000Z';
  const post = { slug: 'k', title: 'T', summary: 'S', author: 'A', body: 'B', tags: ['x', 'y'] };
  await importFile(
    'posts',
    'p.jsonl',
    JSON.stringify({ ...post, published_at: publishedAt, cover_url: '/media/x.svg' }),
  );
  await importFile('posts', 'p.csv', 'slug,title\nk,Outro\n');
  assert.deepEqual(
    await service.db.row(sql`
      select slug, title, summary, author, body, tags, published_at, cover_url from posts where slug = 'k'`),
    { ...post, title: 'Outro', published_at: new Date(publishedAt), cover_url: '/media/x.svg' },
  );
  const question = { id: 'k', topic: 't', question: '?', answer: '!', position: 3, listed: false };
  await importFile('faq', 'f.jsonl', JSON.stringify(question));
  await importFile('faq', 'f.csv', 'id,answer\nk,Sim\n');
  assert.deepEqual(
    await service.db.row(sql`
      select id, topic, question, answer, position, listed from faq_entries where id = 'k'`),
    { ...question, answer: 'Sim' },
  );
  assert.equal((await importFile('categories', 'c.csv', 'slug\nmoda\n')).code, 0);
  assert.deepEqual(await service.db.row(sql`select name from categories where slug = 'moda'`), {
    name: 'Moda',
  });
});

test('two concurrent imports with different columns of the same new record keep the columns of both', async () => {
  const heading = 'slug;name;category;city\n';
  const outcomes = await Promise.all([
    importFile('merchants', 'one.csv', `${heading}n;N;moda;Olinda\n`),
    importFile('merchants', 'two.csv', 'slug;name;category;state\nn;N;moda;PE\n'),
  ]);
  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [0, 0],
  );
  const { city, state } = (await findRow('n')) as { city: string; state: string };
  assert.deepEqual([city, state], ['Olinda', 'PE']);
  await deleteMerchants();
});

test('importing an export changes nothing in the same database, and restores the same records in an empty one', async () => {
  await service.db.run(sql`truncate merchants, categories, faq_entries, posts`);
  const trickyText = 'Uma "aspa", uma; outra\n=SOMA(A1)\t| São João 💊';
  const plan = { weekly_rate_percent: 2.5, max_installments: 6, min_amount: 20.5, max_amount: 999.99 };
  const content: Record<string, object[]> = {
    categories: [
      { slug: 'moda', name: trickyText },
      { slug: 'a-1', name: '-1' },
    ],
    merchants: [
      { slug: 'z', name: trickyText, category: 'moda', listed: false },
      {
        slug: 'a',
        name: 'A',
        category: 'a-1',
        description: trickyText,
        logo_url: '/media/a.svg',
        city: 'Recife',
        state: 'PE',
        website: 'https://a.example',
        cashback_percent: 0.05,
        ...plan,
        merchant_fee_percent: 3.33,
        payout_days: 0,
        listed: true,
      },
    ],
    faq: [
      { id: 'q', topic: 'pix', question: trickyText, answer: 'linha\r\nlinha', position: -3, listed: false },
    ],
    posts: [
      { slug: 'rascunho', title: trickyText, summary: 's', author: 'A', body: '# a\n\nb' },
      {
        slug: 'post',
        title: 't',
        summary: 's',
        author: 'A',
        tags: ['pix', 'São João'],
        body: trickyText,
        cover_url: '/media/c.svg',
        published_at: '2026-11-15T09:00:00.123-03:00',
      },
    ],
  };
  const toJsonLines = (records: object[]) => records.map((record) => JSON.stringify(record)).join('\n');
  for (const [kind, records] of Object.entries(content))
    assert.equal((await importFile(kind, 'first.jsonl', toJsonLines(records))).code, 0, kind);
  const exportFile = async (kind: string, extension: string) => {
    const path = join(directory, `${kind}.${extension}`);
    assert.equal((await runCommand('export', kind, path)).code, 0);
    return readFile(path, 'utf8');
  };
  const countAuditEntries = async () =>
    (await service.db.row<{ count: number }>(sql`select count(*) from audit_trail`))!.count;
  for (const extension of ['csv', 'jsonl']) {
    const exportedFiles = new Map<string, string>();
    for (const kind of Object.keys(content)) exportedFiles.set(kind, await exportFile(kind, extension));
    const entryCount = await countAuditEntries();
    for (const [kind, text] of exportedFiles)
      assert.equal((await importFile(kind, `again.${extension}`, text)).code, 0);
    assert.equal(await countAuditEntries(), entryCount, 'nothing changed');
    await service.db.run(sql`truncate merchants, categories, faq_entries, posts`);
    for (const [kind, text] of exportedFiles)
      assert.equal((await importFile(kind, `new.${extension}`, text)).code, 0);
    for (const [kind, text] of exportedFiles) assert.equal(await exportFile(kind, extension), text, kind);
    assert.ok((await countAuditEntries()) > entryCount, 'new records are in the audit trail');
  }
  const exportedRecord = JSON.parse((await exportFile('merchants', 'jsonl')).split('\n')[0]!);
  assert.deepEqual(exportedRecord, content.merchants![1]);
  await service.db.run(sql`update categories set name = ${'um\rdois'} where slug = 'moda'`);
  const lineBreakFile = await exportFile('categories', 'csv');
  assert.equal((await importFile('categories', 'return.csv', lineBreakFile)).code, 0, 'a lone \\r is quoted');
  const outcome = await runCommand('export', 'merchants', '-', '--format', 'csv');
  assert.match(outcome.output, /^slug,name,category,/);
  assert.deepEqual(outcome.errors, ['Exported 2 merchants.']);
});

test('the audit trail has the changed fields of every imported record, and no entry of a dry run', async () => {
  const listAuditEntries = async (slug: string) =>
    service.db.rows<{ action: string; before: unknown; after: Record<string, unknown> }>(sql`
      select action, before, after from audit_trail
      where subject_kind = 'merchant' and subject_id = ${slug} order by id desc`);
  await importFile('categories', 'c.jsonl', '{"slug":"moda","name":"Moda"}');
  await importFile('merchants', 'm.jsonl', buildLine('trilha'));
  await importFile('merchants', 'm.csv', 'slug,city,cashback_percent\ntrilha,Olinda,0.00');
  await importFile('merchants', 'm.csv', 'slug,city\ntrilha,Natal', '--dry-run');
  const [changeEntry, createEntry, ...otherEntries] = await listAuditEntries('trilha');
  assert.deepEqual(otherEntries, []);
  const { action, before, after } = changeEntry!;
  assert.deepEqual([action, before, after], ['import merchants', { city: null }, { city: 'Olinda' }]);
  assert.deepEqual([createEntry!.before, createEntry!.after.name], [null, 'trilha']);
});
