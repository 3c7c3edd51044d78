import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import PDFDocument from 'pdfkit';
import pg from 'pg';
import { sql } from '#platform/database/db.ts';
import { NEWEST_WORKER_MIGRATION } from '#platform/database/graphile-worker-tables.ts';
import { openService } from './harness.ts';
import { PROJECT } from './project.ts';
import { readSources } from './source.ts';

// docs/decisions/0009-private-parts.md names the private parts of libraries that we use. An update of such a library fails here: read
// what changed in these parts, run the tests and the bench named in that document, then set the version below.

const service = await openService({ demo: false });
const ADVICE = 'is private to another library: read docs/decisions/0009-private-parts.md before you continue';

test('libraries whose internals are used have the versions that were tested with them', async () => {
  const testedVersions = { pg: '8.23.1', 'graphile-worker': '0.18.0', pdfkit: '0.20.2' };
  for (const [name, version] of Object.entries(testedVersions)) {
    const packageJson = await readFile(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8');
    assert.equal(JSON.parse(packageJson).version, version, `${name} ${ADVICE}`);
  }
  assert.match(process.versions.node, /^24\./, `_header of Node ${ADVICE}`);
});

test('pg: a connection and a result have the members that batch-query.ts calls', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { connection } = client as unknown as { connection: Record<string, unknown> };
  for (const name of ['_send', 'parse', 'bind', 'describe', 'execute', 'sync'])
    assert.equal(typeof connection[name], 'function', `Connection.${name} ${ADVICE}`);
  for (const name of ['parsedStatements', 'submittedNamedStatements'])
    assert.equal(typeof connection[name], 'object', `Connection.${name} ${ADVICE}`);
  await client.end();
  const { Result, utils } = pg as unknown as {
    Result: new () => Record<string, unknown>;
    utils: Record<string, unknown>;
  };
  for (const name of ['addFields', 'parseRow'])
    assert.equal(typeof new Result()[name], 'function', `Result.${name} ${ADVICE}`);
  assert.equal(typeof utils.prepareValue, 'function', `utils.prepareValue ${ADVICE}`);
});

test('Node stores the headers of a response in _header, and does not send them before the body', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket())) as ServerResponse & {
    _header: string | null;
  };
  assert.equal(response._header, null, `_header ${ADVICE}`);
  response.writeHead(200, ['x-request-id', 'one', 'content-length', '0']);
  assert.match(response._header!, /^HTTP\/1\.1 200 OK\r\nx-request-id: one\r\ncontent-length: 0\r\n/, ADVICE);
});

test('pdfkit: a document has the list of parsed fonts that draw-document.ts fills', () => {
  const document = new PDFDocument({ font: '' }) as unknown as Record<string, unknown>;
  assert.deepEqual([document._fontFamilies, document._fontCount], [{}, 0], `_fontFamilies ${ADVICE}`);
});

test('graphile-worker: its private tables have the columns that graphile-worker-tables.ts names', async () => {
  const columns = await service.db.rows<{ name: string; type: string }>(sql`
    select relname || '.' || attname as name, atttypid::regtype::text as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'graphile_worker'::regnamespace and attnum > 0
      and (relname = '_private_tasks' or (relname = '_private_jobs' and attname in (
        'id', 'locked_by', 'locked_at', 'is_available', 'task_id', 'payload', 'run_at', 'max_attempts', 'key', 'revision',
        'attempts', 'last_error', 'updated_at')))
    order by 1`);
  const text = columns.map(({ name, type }) => `${name.replace('_private_', '')} ${type}`).join(', ');
  assert.equal(
    text,
    'jobs.attempts smallint, jobs.id bigint, jobs.is_available boolean, jobs.key text, jobs.last_error text, ' +
      'jobs.locked_at timestamp with time zone, jobs.locked_by text, jobs.max_attempts smallint, jobs.payload json, ' +
      'jobs.revision integer, jobs.run_at timestamp with time zone, jobs.task_id integer, ' +
      'jobs.updated_at timestamp with time zone, tasks.id integer, tasks.identifier text',
    ADVICE,
  );
  const row = await service.db.row<{ newest: number }>(
    sql`select max(id) as newest from graphile_worker.migrations`,
  );
  assert.equal(row!.newest, NEWEST_WORKER_MIGRATION, `its migrations: ${ADVICE}`);
});

test('each library’s internals are used in one file only', () => {
  const filesByPart: Array<[privateNames: RegExp, file: string]> = [
    [/\b_send\b|submittedNamedStatements|parsedStatements/, 'src/platform/database/batch-query.ts'],
    [/\b_header\b/, 'src/platform/http/fast-path.ts'],
    [/_fontFamilies|_fontCount/, 'src/platform/documents/draw-document.ts'],
    [/_private_\w+|graphile_worker\.migrations/, 'src/platform/database/graphile-worker-tables.ts'],
  ];
  const programFiles = readSources().filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
  for (const [privateNames, file] of filesByPart)
    assert.deepEqual(
      programFiles.filter(({ text }) => privateNames.test(text)).map(({ path }) => path),
      [file],
    );
});
