import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { shareService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { newCustomer } from '../../test/support/customers.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { MAX_VIEWS } from './problems.ts';

const service = await shareService();

const callAs = (key: string) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });
const call = callAs(OPERATOR_KEY);

const newKey = async (role: Role) => (await newStaffUser(service, `Rui ${role}`, role)).key;

const LOCKED_VIEW = { list: 'listCustomers', name: 'Bloqueados', query: 'status=locked&sort=oldest' };
const listViews = async (key: string, list = '') => {
  const { body } = await callAs(key)('GET', `/admin/me/views${list && `?list=${list}`}`);
  return body.data.map(({ name, query }: { name: string; query: string }) => `${name}: ${query}`);
};

test('a view belongs to one staff user and one list, and saving it again under the same name replaces its filter', async () => {
  const [ownKey, otherKey] = [await newKey('viewer'), await newKey('viewer')];
  const saveResponse = await callAs(ownKey)('POST', '/admin/me/views', LOCKED_VIEW);
  assert.equal(saveResponse.status, 201, saveResponse.text);
  assert.match(saveResponse.body.id, /^vie_/);
  const repeatedResponses = await Promise.all(
    ['status=overdue', 'status=overdue'].map((query) =>
      callAs(ownKey)('POST', '/admin/me/views', { ...LOCKED_VIEW, query }),
    ),
  );
  assert.deepEqual(
    repeatedResponses.map(({ status, body }) => [status, body.id]),
    [
      [201, saveResponse.body.id],
      [201, saveResponse.body.id],
    ],
  );
  await callAs(ownKey)('POST', '/admin/me/views', {
    ...LOCKED_VIEW,
    list: 'listPayouts',
    query: 'status=pending',
  });
  assert.deepEqual(await listViews(ownKey, 'listCustomers'), ['Bloqueados: status=overdue']);
  assert.equal((await listViews(ownKey)).length, 2);
  assert.deepEqual(await listViews(otherKey), []);
  const path = `/admin/me/views/${saveResponse.body.id}`;
  assert.equal(
    (await callAs(otherKey)('DELETE', path)).status,
    404,
    'a staff user cannot delete the view of another',
  );
  assert.equal((await callAs(ownKey)('DELETE', path)).status, 204);
  assert.equal((await callAs(ownKey)('DELETE', path)).status, 404);
  assert.deepEqual(await listViews(ownKey, 'listCustomers'), []);
});

test('a staff user has at most fifty views, also with concurrent requests', async () => {
  const key = await newKey('support');
  const saveNthView = (n: number) =>
    callAs(key)('POST', '/admin/me/views', { ...LOCKED_VIEW, name: `Visão ${n}` });
  for (let n = 1; n < MAX_VIEWS; n++) assert.equal((await saveNthView(n)).status, 201);
  const lastResponses = await Promise.all([saveNthView(MAX_VIEWS), saveNthView(MAX_VIEWS + 1)]);
  const outcomes = lastResponses.map(({ status, body }) => body.code ?? status);
  assert.deepEqual(outcomes.toSorted(), [201, 'too_many_views']);
  assert.equal((await listViews(key)).length, MAX_VIEWS);
  assert.equal((await saveNthView(1)).status, 201, 'an existing view can be replaced');
});

test('a view cannot contain personal data', async () => {
  for (const [list, query] of [
    ['listCustomers', 'phone=%2B5511987650001'],
    ['listCustomers', 'q=Ana+Souza'],
    ['listPixPaymentItems', 'q=Ana+Souza'],
    ['listCheckoutsOfAll', 'status=open&customer=%2B5511987650001'],
    ['listCustomers', 'cpf=39053344705'],
  ]) {
    const { status, body } = await call('POST', '/admin/me/views', { list, name: 'Ana', query });
    assert.equal(`${status} ${body.code}`, '422 view_names_person', query);
  }
  const query = 'customer=cus_01kfx3c8gq5v0m7d2h9ynwztb4';
  const viewById = { list: 'listCheckoutsOfAll', name: 'Uma', query };
  assert.equal((await call('POST', '/admin/me/views', viewById)).status, 201);
  assert.equal((await call('POST', '/admin/me/views', { ...LOCKED_VIEW, query: 'a b' })).status, 400);
});

test('the role support creates notes, which are encrypted and unchangeable; the role viewer sees them masked', async () => {
  const { id } = await newCustomer(service);
  const path = `/admin/customers/${id}/notes`;
  const [supportKey, viewerKey] = [await newKey('support'), await newKey('viewer')];
  const body = { text: 'Prefere ser chamada à tarde.' };
  assert.equal((await callAs(viewerKey)('POST', path, body)).status, 403);
  const idempotencyKey = crypto.randomUUID();
  const writeResponses = await Promise.all(
    [1, 2].map(() =>
      service.staff('POST', path, { key: supportKey, body, headers: { 'idempotency-key': idempotencyKey } }),
    ),
  );
  // The other response is 201 too, or 409 while the first request runs.
  assert.ok(writeResponses.some(({ status }) => status === 201));
  service.clock.advance(1_000);
  await callAs(supportKey)('POST', path, { text: 'Mudou: de manhã.' });
  const { data } = (await call('GET', path)).body;
  assert.deepEqual(
    data.map(({ text, author_name }: Record<string, string>) => [text, author_name]),
    [
      ['Mudou: de manhã.', 'Rui support'],
      ['Prefere ser chamada à tarde.', 'Rui support'],
    ],
  );
  const maskedNotes = (await callAs(viewerKey)('GET', path)).body.data;
  assert.deepEqual(new Set(maskedNotes.map(({ text }: { text: string }) => text)), new Set(['***']));
  const story = await call('GET', `/admin/customers/${id}/story`);
  assert.ok(story.text.includes('Rui support anotou: Mudou: de manhã.'), story.text);
  const maskedStory = await callAs(viewerKey)('GET', `/admin/customers/${id}/story`);
  assert.ok(maskedStory.text.includes('anotou: ***') && !maskedStory.text.includes('de manhã'));
  await assert.rejects(
    service.db.run(sql`update customer_notes set author = 'nobody' where customer_id = ${id}`),
    /append-only/,
  );
  const rows = await service.db.rows<{ text: Buffer }>(sql`
    select text from customer_notes where customer_id = ${id}`);
  assert.ok(
    rows.every(({ text }) => !text.includes('manhã')),
    'the text is stored encrypted',
  );
  assert.equal(
    (await call('POST', '/admin/customers/cus_00000000000000000000000000/notes', body)).status,
    404,
  );
});

test('erasing a customer deletes the notes and prevents new ones; the command creates notes too', async () => {
  const { id } = await newCustomer(service);
  const run = createCommandRunner(service);
  assert.match(await run('customers notes create', id, '--text', 'Pediu para sair.'), /not_/);
  const exportResponse = await call('GET', `/admin/customers/${id}/export`);
  assert.equal(exportResponse.body.tables.customer_notes[0].text, 'Pediu para sair.');
  const eraseResponse = await call('POST', `/admin/customers/${id}/erase`, { reason: 'Pedido do titular' });
  assert.equal(eraseResponse.status, 200, eraseResponse.text);
  assert.deepEqual((await call('GET', `/admin/customers/${id}/notes`)).body.data, []);
  const lateResponse = await call('POST', `/admin/customers/${id}/notes`, { text: 'Voltou.' });
  assert.equal(`${lateResponse.status} ${lateResponse.body.code}`, '409 customer_erased');
});
