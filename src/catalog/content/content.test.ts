import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';
import { newStaffUser } from '../../../test/support/staff.ts';
import { KINDS } from './kinds.ts';

const service = await openService();
const callStaff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
const getBody = async (path: string) => (await service.get(path)).body;

test('a created merchant is listed, an update changes only the sent fields, and a deleted merchant is no longer listed', async () => {
  assert.equal((await callStaff('POST', '/admin/categories', { slug: 'sebos', name: 'Sebos' })).status, 201);
  const form = { slug: 'sebo-do-arco', name: 'Sebo do Arco', category: 'sebos', city: 'Olinda' };
  const createResponse = await callStaff('POST', '/admin/merchants', form);
  assert.equal(createResponse.status, 201, createResponse.text);
  assert.deepEqual(createResponse.body.plan, {
    weekly_rate_percent: 0,
    max_installments: 12,
    min_amount: 10,
    max_amount: 5000,
    cashback_percent: 0,
    merchant_fee_percent: 0,
    payout_days: 2,
  });
  await eventually(
    'the merchant is listed',
    async () => (await getBody('/public/merchants/sebo-do-arco')).name,
  );

  const plan = { weekly_rate_percent: 1.5, cashback_percent: 2.5, merchant_fee_percent: 3 };
  const updateResponse = await callStaff('PATCH', '/admin/merchants/sebo-do-arco', { plan });
  assert.equal(updateResponse.status, 200, updateResponse.text);
  assert.deepEqual(updateResponse.body, {
    ...createResponse.body,
    plan: { ...createResponse.body.plan, ...plan },
  });
  const [entry] = (await callStaff('GET', '/admin/audit-trail?subject=merchant:sebo-do-arco')).body.data;
  assert.deepEqual(
    [entry.before, entry.after],
    [{ plan: createResponse.body.plan }, { plan: updateResponse.body.plan }],
  );

  assertRefused(await callStaff('DELETE', '/admin/categories/sebos'), 409, 'still_used');
  assert.equal((await callStaff('DELETE', '/admin/merchants/sebo-do-arco')).status, 204);
  assert.equal((await callStaff('DELETE', '/admin/categories/sebos')).status, 204);
  await eventually('the merchant is no longer listed', async () => {
    return (await service.get('/public/merchants/sebo-do-arco')).status === 404;
  });
});

test('a percentage of the plan has at most four decimals', async () => {
  const patchFee = (merchant_fee_percent: number) =>
    callStaff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { plan: { merchant_fee_percent } });
  const merchantBefore = (await callStaff('GET', '/admin/merchants/padaria-flor-do-trigo')).body;
  for (const fee of [0.0001, 2.1234, 99.9999]) {
    const updateResponse = await patchFee(fee);
    assert.deepEqual(
      [updateResponse.status, updateResponse.body.plan.merchant_fee_percent],
      [200, fee],
      updateResponse.text,
    );
  }
  assertRefused(await patchFee(2.12345), 400, 'validation_failed');
  assertRefused(await patchFee(100.0001), 400, 'validation_failed');
  await patchFee(merchantBefore.plan.merchant_fee_percent);
  assert.deepEqual((await callStaff('GET', '/admin/merchants/padaria-flor-do-trigo')).body, merchantBefore);
});

test('a command deletes a record, or prints the reason why it cannot', async () => {
  const run = createCommandRunner(service);
  await callStaff('POST', '/admin/categories', { slug: 'brechos', name: 'Brechós' });
  await callStaff('POST', '/admin/merchants', {
    slug: 'brecho-azul',
    name: 'Brechó Azul',
    category: 'brechos',
  });
  await assert.rejects(run('merchants delete', 'brecho-azul'), /this cannot be undone\. Use --yes/);
  await assert.rejects(run('categories delete', 'brechos', '--yes'), /1 merchants belong to 'brechos'/);
  await run('merchants delete', 'brecho-azul', '--yes');
  await run('categories delete', 'brechos', '--yes');
  await assert.rejects(run('categories delete', 'brechos', '--yes'), /No category has this slug/);
});

test('a creation reports all violations with their fields, and never overwrites an existing record', async () => {
  const refusal = await callStaff('POST', '/admin/merchants', {
    slug: 'x',
    name: ' ',
    category: 'padarias',
    state: 'São Paulo',
    plan: { weekly_rate_percent: 1.23456 },
  });
  assertRefused(refusal, 400, 'validation_failed');
  const pointers = refusal.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointers.toSorted(), ['/name', '/plan/weekly_rate_percent', '/state']);
  const concurrentRequests = Array.from({ length: 16 }, (_, i) =>
    callStaff('POST', '/admin/categories', { slug: `gemeos-${i % 8}`, name: `Nome ${i}` }),
  );
  const createResponses = (await Promise.all(concurrentRequests)).filter(({ status }) => status === 201);
  assert.equal(createResponses.length, 8, 'of two concurrent requests one succeeds');
  const headers = { 'idempotency-key': 'a-category' };
  for (const replayed of [null, 'true']) {
    const response = await callStaff('POST', '/admin/categories', { slug: 'uma-vez', name: 'Uma' }, headers);
    assert.deepEqual([response.status, response.headers.get('idempotency-replayed')], [201, replayed]);
  }
  const existingMerchant = { slug: 'padaria-flor-do-trigo', name: 'Outra', category: 'padarias' };
  assertRefused(await callStaff('POST', '/admin/merchants', existingMerchant), 409, 'already_exists');
  const unknownCategoryResponse = await callStaff('PATCH', '/admin/merchants/padaria-flor-do-trigo', {
    category: 'nenhuma',
  });
  assertRefused(unknownCategoryResponse, 400, 'validation_failed');
  assert.equal((await callStaff('PATCH', '/admin/merchants/nenhum', { name: 'X' })).status, 404);
});

test('an update cannot change the slug or the id', async () => {
  for (const [path, body] of [
    ['/admin/merchants/padaria-flor-do-trigo', { slug: 'outro-lugar', city: 'Santos' }],
    ['/admin/categories/padarias', { slug: 'outro-lugar', name: 'Padarias' }],
    ['/admin/faq/quanto-custa-atrasar', { id: 'outro-lugar', position: 1 }],
  ] as const) {
    assertRefused(await callStaff('PATCH', path, body), 400, 'validation_failed');
    const otherPath = path.replace(/[^/]+$/, 'outro-lugar');
    assert.equal((await callStaff('GET', otherPath)).status, 404);
  }
});

test('a record can be read while an import has locked it', async () => {
  const path = '/admin/merchants/padaria-flor-do-trigo';
  await service.db.transaction(async (tx) => {
    await KINDS.merchants.lock(tx, ['padaria-flor-do-trigo']);
    assert.equal((await callStaff('GET', path)).status, 200);
  });
});

test('an update with a stale ETag gets 412 and does not overwrite a newer version', async () => {
  const path = '/admin/merchants/padaria-flor-do-trigo';
  const etag = (await callStaff('GET', path)).headers.get('etag')!;
  assert.equal((await callStaff('PATCH', path, { city: 'Santos' }, { 'if-match': etag })).status, 200);
  assertRefused(
    await callStaff('PATCH', path, { city: 'Bauru' }, { 'if-match': etag }),
    412,
    'changed_meanwhile',
  );
  assert.equal((await callStaff('GET', path)).body.city, 'Santos');
});

test('a post is public only while it is published; an FAQ entry can be created and deleted', async () => {
  const draft = { slug: 'novo', title: 'Novo', summary: 'Um', author: 'Rui', body: 'Texto.' };
  assert.equal((await callStaff('POST', '/admin/posts', draft)).body.published_at, null);
  assert.equal((await service.get('/public/blog/novo')).status, 404);
  const now = service.clock.now().getTime();
  const addToNow = (ms: number) => new Date(now + ms).toISOString();
  await callStaff('PATCH', '/admin/posts/novo', { published_at: addToNow(3_600_000) });
  assert.equal((await service.get('/public/blog/novo')).status, 404);
  await callStaff('PATCH', '/admin/posts/novo', { published_at: addToNow(-1000) });
  await eventually('the post is public', async () => (await service.get('/public/blog/novo')).status === 200);
  await callStaff('PATCH', '/admin/posts/novo', { published_at: null });
  await eventually(
    'the post is no longer public',
    async () => (await service.get('/public/blog/novo')).status === 404,
  );

  const question = { id: 'posso-trocar', topic: 'trocas', question: 'Posso trocar?', answer: 'Pode.' };
  assert.equal((await callStaff('POST', '/admin/faq', question)).status, 201);
  const listResponse = await callStaff('GET', '/admin/faq?topic=trocas');
  assert.deepEqual(listResponse.body.data, [{ ...question, position: 0, listed: true }]);
  await eventually(
    'the entry is public',
    async () => (await getBody('/public/faq?topic=trocas')).data.length === 1,
  );
  assert.equal((await callStaff('DELETE', '/admin/faq/posso-trocar')).status, 204);
});

test('staff lists are paged and filtered, and include unlisted records', async () => {
  await callStaff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { listed: false });
  const unlistedResponse = await callStaff('GET', '/admin/merchants?listed=false');
  assert.equal(unlistedResponse.status, 200, unlistedResponse.text);
  assert.deepEqual(
    unlistedResponse.body.data.map(({ slug }: { slug: string }) => slug),
    ['padaria-flor-do-trigo'],
  );
  const searchResponse = await callStaff('GET', '/admin/merchants?q=PADÁRIA&limit=1');
  assert.equal(searchResponse.body.data.length, 1);
  assert.ok(searchResponse.body.pagination.total >= 1);
  assert.ok((await callStaff('GET', '/admin/posts?limit=5')).body.pagination.total >= 25);
  const listKeys = async (path: string) =>
    (await callStaff('GET', path)).body.data.map((row: { slug?: string; id?: string }) => row.slug ?? row.id);
  await callStaff('POST', '/admin/merchants', { slug: 'a-mais-nova', name: 'Zz', category: 'padarias' });
  assert.deepEqual(await listKeys('/admin/merchants?sort=newest&limit=1'), ['a-mais-nova']);
  const hoursFromNow = (hours: number) =>
    new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
  const post = { title: 'Cem_por_cento', summary: 'Um', author: 'Rui', body: 'Texto.' };
  await callStaff('POST', '/admin/posts', { ...post, slug: 'rascunho' });
  await callStaff('POST', '/admin/posts', { ...post, slug: 'agendado', published_at: hoursFromNow(1) });
  await callStaff('POST', '/admin/posts', { ...post, slug: 'publicado', published_at: hoursFromNow(-1) });
  const nameQuery = 'q=cem_POR';
  assert.deepEqual(await listKeys(`/admin/posts?${nameQuery}`), ['rascunho', 'agendado', 'publicado']);
  assert.deepEqual(await listKeys(`/admin/posts?${nameQuery}&sort=oldest`), [
    'publicado',
    'agendado',
    'rascunho',
  ]);
  for (const [status, slug] of Object.entries({
    draft: 'rascunho',
    scheduled: 'agendado',
    published: 'publicado',
  }))
    assert.deepEqual(await listKeys(`/admin/posts?${nameQuery}&status=${status}`), [slug]);
  assert.deepEqual(await listKeys('/admin/posts?q=cemXpor'), [], 'an underscore is not a wildcard');
  assert.deepEqual(await listKeys('/admin/faq?q=CUSTA%20atrasar&listed=true'), ['quanto-custa-atrasar']);
  assert.deepEqual(await listKeys('/admin/categories?q=padar'), ['padarias']);
  assert.ok((await callStaff('GET', '/admin/categories')).body.pagination.total >= 10);
});

test('a file is imported completely or not at all, and a dry run reports what would change, field by field', async () => {
  const importFile = async (kindAndQuery: string, file: string, key = OPERATOR_KEY) => {
    const headers = { 'x-api-key': key, 'content-type': 'text/csv', 'accept-language': 'pt-BR' };
    const response = await fetch(`${service.staffUrl}/admin/import/${kindAndQuery}`, {
      method: 'POST',
      headers,
      body: file,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  await callStaff('POST', '/admin/categories', { slug: 'cutelarias', name: 'Cutelarias' });
  const file = 'slug;name\r\ncutelarias;Facas e tesouras\r\nchapelarias;Chapelarias\r\n';
  const dryRunResponse = await importFile('categories?dry_run=true', file);
  const expectedOutcome = {
    added: 1,
    changed: 1,
    unchanged: 0,
    bad: 0,
    changes: [
      {
        key: 'cutelarias',
        is_new: false,
        fields: [{ name: 'name', before: 'Cutelarias', after: 'Facas e tesouras' }],
      },
      {
        key: 'chapelarias',
        is_new: true,
        fields: [
          { name: 'slug', before: null, after: 'chapelarias' },
          { name: 'name', before: null, after: 'Chapelarias' },
        ],
      },
    ],
    faults: [],
  };
  assert.deepEqual(dryRunResponse, { status: 200, body: expectedOutcome });
  assert.equal((await callStaff('GET', '/admin/categories/cutelarias')).body.name, 'Cutelarias');
  const invalidFile = `${file}Sem Slug;x\r\n`;
  const { body: invalidOutcome } = await importFile('categories?dry_run=true', invalidFile);
  assert.deepEqual([invalidOutcome.bad, (invalidOutcome.faults as Array<{ line: number }>)[0]!.line], [1, 4]);
  const refusal = await importFile('categories', invalidFile);
  assert.deepEqual([refusal.status, refusal.body.code], [422, 'file_refused']);
  assert.equal((await callStaff('GET', '/admin/categories/chapelarias')).status, 404);
  assert.deepEqual(await importFile('categories', file), { status: 200, body: expectedOutcome });
  assert.equal((await callStaff('GET', '/admin/categories/chapelarias')).body.name, 'Chapelarias');
  for (const query of ['dry_run=TRUE', 'format=xml']) {
    const invalidQueryResponse = await importFile(`categories?${query}`, 'slug;name\r\ncutelarias;Facas\r\n');
    assert.deepEqual(
      [invalidQueryResponse.status, invalidQueryResponse.body.code],
      [400, 'validation_failed'],
      query,
    );
  }
  const unreadableFileResponse = await importFile('faq?dry_run=true', 'nada;aqui\r\n1;2\r\n');
  assert.deepEqual([unreadableFileResponse.status, unreadableFileResponse.body.code], [422, 'file_refused']);

  const editor = await newStaffUser(service, 'Lia Prado', 'content');
  const planFile = 'slug,name,merchant_fee_percent\r\npadaria-flor-do-trigo,Padaria Flor do Trigo,9\r\n';
  assert.equal((await importFile('faq?dry_run=true', 'id\r\n', editor.key)).status, 200);
  assert.equal((await importFile('merchants?dry_run=true', planFile, editor.key)).body.code, 'role_missing');
  assert.equal((await importFile('merchants?dry_run=true', planFile)).status, 200);
});
