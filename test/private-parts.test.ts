import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { sql } from '#platform/database/db.ts';
import { NEWEST_MIGRATION } from '#platform/database/worker-tables.ts';
import { PROJECT } from './generated.ts';
import { openService } from './harness.ts';
import { readSources } from './source.ts';

// Private parts of libraries that we use: docs/decisions/0009-private-parts.md. An update of such a library fails here: read what
// changed in the parts named there, run the tests and the bench named there, then set the version below.

const service = await openService({ demo: false });
const TOLD = 'is private to another library: see docs/decisions/0009-private-parts.md before you go on';

test('the libraries whose private parts are used have the versions they were tried with', async () => {
  const tried = { pg: '8.23.1', 'graphile-worker': '0.18.0' };
  for (const [name, version] of Object.entries(tried)) {
    const own = await readFile(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8');
    assert.equal(JSON.parse(own).version, version, `${name} ${TOLD}`);
  }
  assert.equal(process.versions.node.split('.')[0], '24', `_header of Node ${TOLD}`);
});

test('pg: a connection and a result have what batch-query.ts calls', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { connection } = client as unknown as { connection: Record<string, unknown> };
  for (const name of ['_send', 'parse', 'bind', 'describe', 'execute', 'sync'])
    assert.equal(typeof connection[name], 'function', `Connection.${name} ${TOLD}`);
  for (const name of ['parsedStatements', 'submittedNamedStatements'])
    assert.equal(typeof connection[name], 'object', `Connection.${name} ${TOLD}`);
  await client.end();
  const { Result, utils } = pg as unknown as {
    Result: new () => Record<string, unknown>;
    utils: Record<string, unknown>;
  };
  for (const name of ['addFields', 'parseRow'])
    assert.equal(typeof new Result()[name], 'function', `Result.${name} ${TOLD}`);
  assert.equal(typeof utils.prepareValue, 'function', `utils.prepareValue ${TOLD}`);
});

test('Node: the head of an answer is kept in _header, and not written yet before a body comes', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket())) as ServerResponse & {
    _header: string | null;
  };
  assert.equal(response._header, null, `_header ${TOLD}`);
  response.writeHead(200, ['x-request-id', 'one', 'content-length', '0']);
  assert.match(response._header!, /^HTTP\/1\.1 200 OK\r\nx-request-id: one\r\ncontent-length: 0\r\n/, TOLD);
});

test('graphile-worker: its private table of jobs has the columns that worker-tables.ts names', async () => {
  const columns = await service.db.rows<{ name: string; type: string }>(sql`
    select attname as name, atttypid::regtype::text as type from pg_attribute
    where attrelid = 'graphile_worker._private_jobs'::regclass and attname in ('id', 'locked_by') order by attname`);
  assert.deepEqual(
    columns,
    [
      { name: 'id', type: 'bigint' },
      { name: 'locked_by', type: 'text' },
    ],
    TOLD,
  );
  const row = await service.db.row<{ newest: number }>(
    sql`select max(id) as newest from graphile_worker.migrations`,
  );
  assert.equal(row!.newest, NEWEST_MIGRATION, `its migrations: ${TOLD}`);
});

test('private parts are used behind one file each', () => {
  const places: Array<[RegExp, string]> = [
    [/\b_send\b|submittedNamedStatements|parsedStatements/, 'src/platform/database/batch-query.ts'],
    [/\b_header\b/, 'src/platform/http/fast-path.ts'],
    [/_private_\w+|graphile_worker\.migrations/, 'src/platform/database/worker-tables.ts'],
  ];
  const program = readSources().filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
  for (const [part, place] of places)
    assert.deepEqual(
      program.filter(({ text }) => part.test(text)).map(({ path }) => path),
      [place],
    );
});
