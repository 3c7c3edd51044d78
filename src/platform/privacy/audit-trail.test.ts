import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareService } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import {
  type AuditContext,
  type AuditEntity,
  recordAuditEntries,
  recordAuditEntry,
  withAuditedUpdate,
} from './audit-trail.ts';

const service = await shareService();
const { db } = service;
await db.run(sql`create table things (id text primary key, data jsonb not null)`);
/** The SQLSTATE that the trigger of append-only tables raises. */
const APPEND_ONLY_STATE = '23001';
const auditContext: AuditContext = {
  actor: { id: 'stf_test', ipAddress: null, requestId: null },
  action: 'changeThing',
  reason: 'because',
  now: new Date('2026-11-23T12:00:00Z'),
};
const thingEntity: AuditEntity<Record<string, unknown>> = {
  kind: 'thing',
  read: async (tx, id) =>
    (
      await tx.row<{ data: Record<string, unknown> }>(
        sql`select data from things where id = ${id} for update`,
      )
    )?.data,
};
const putThing = (id: string, data: object) => sql`
  insert into things (id, data) values (${id}, ${JSON.stringify(data)}::jsonb)
  on conflict (id) do update set data = excluded.data`;
const readTrailEntries = (id: string) =>
  db.rows<{ before: object | null; after: object | null; reason: string | null }>(
    sql`select before, after, reason from audit_trail where subject_id = ${id} order by id`,
  );

test('only the differences of a change are stored, before and after', async () => {
  await db.run(putThing('t1', { color: 'red', size: 1, same: [1, 2] }));
  await db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, { entity: thingEntity, id: 't1' }, () =>
      tx.run(putThing('t1', { color: 'blue', size: 1, same: [1, 2], extra: true })),
    ),
  );
  assert.deepEqual(await readTrailEntries('t1'), [
    { before: { color: 'red' }, after: { color: 'blue', extra: true }, reason: 'because' },
  ]);
});

test('a rolled back change and a change of a missing entity leave no entry', async () => {
  await db.run(putThing('t2', { n: 1 }));
  const failingUpdate = db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, { entity: thingEntity, id: 't2' }, async () => {
      await tx.run(putThing('t2', { n: 2 }));
      throw new Error('no');
    }),
  );
  await assert.rejects(failingUpdate, /^Error: no$/);
  const missingResult = await db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, { entity: thingEntity, id: 'none' }, () =>
      assert.fail('there is nothing to change'),
    ),
  );
  assert.equal(missingResult, undefined);
  assert.deepEqual([await readTrailEntries('t2'), await readTrailEntries('none')], [[], []]);
});

test('a deletion stores the old values, a creation stores the new values', async () => {
  await db.transaction((tx) => recordAuditEntry(tx, auditContext, { kind: 'thing', id: 't3' }, { n: 1 }));
  await db.run(putThing('t3', { n: 1 }));
  await db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, { entity: thingEntity, id: 't3' }, () =>
      tx.run(sql`delete from things where id = 't3'`),
    ),
  );
  assert.deepEqual(
    (await readTrailEntries('t3')).map(({ before, after }) => [before, after]),
    [
      [null, { n: 1 }],
      [{ n: 1 }, null],
    ],
  );
});

test('a batch of entries leaves out entities that did not change', async () => {
  await db.transaction((tx) =>
    recordAuditEntries(tx, auditContext, 'thing', [
      { id: 't4', before: { n: 1 }, after: { n: 1 } },
      { id: 't5', before: { n: 1 }, after: { n: 2 } },
    ]),
  );
  assert.deepEqual([(await readTrailEntries('t4')).length, (await readTrailEntries('t5')).length], [0, 1]);
});

test('phone numbers and e-mails are masked in entities of all kinds, names only in persons', async () => {
  const person = { name: 'Ana Lima', phone: '+5511987650001', list: [{ email: 'ana@example.com' }] };
  await db.transaction((tx) => recordAuditEntry(tx, auditContext, { kind: 'customer', id: 't6' }, person));
  await db.transaction((tx) => recordAuditEntry(tx, auditContext, { kind: 'merchant', id: 't7' }, person));
  const maskedFields = { phone: '+5511*****01', list: [{ email: 'a***@example.com' }] };
  assert.deepEqual((await readTrailEntries('t6'))[0]!.after, { ...maskedFields, name: 'A*** L***' });
  assert.deepEqual((await readTrailEntries('t7'))[0]!.after, { ...maskedFields, name: 'Ana Lima' });
});

test('the audit trail is append-only: no update, delete or truncate', async () => {
  const entries = await db.rows(sql`select * from audit_trail order by id`);
  for (const statement of [
    sql`update audit_trail set actor = 'somebody else'`,
    sql`delete from audit_trail`,
    sql`truncate audit_trail`,
  ])
    await assert.rejects(db.run(statement), { code: APPEND_ONLY_STATE }, statement.text);
  assert.deepEqual(await db.rows(sql`select * from audit_trail order by id`), entries);
});
