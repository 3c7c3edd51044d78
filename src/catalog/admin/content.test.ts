import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const staff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
const shown = async (path: string) => (await service.get(path)).body;

test('a category, a merchant in it: listed at once, changed in what is sent alone, removed without a trace in the catalog', async () => {
  assert.equal((await staff('POST', '/admin/categories', { slug: 'sebos', name: 'Sebos' })).status, 201);
  const form = { slug: 'sebo-do-arco', name: 'Sebo do Arco', category: 'sebos', city: 'Olinda' };
  const created = await staff('POST', '/admin/merchants', form);
  assert.equal(created.status, 201, created.text);
  assert.deepEqual(created.body.plan, {
    weekly_rate_percent: 0,
    max_installments: 12,
    min_amount: 10,
    max_amount: 5000,
    cashback_percent: 0,
    merchant_fee_percent: 0,
    payout_days: 2,
  });
  await eventually('it is listed', async () => (await shown('/public/merchants/sebo-do-arco')).name);

  const plan = { weekly_rate_percent: 1.5, cashback_percent: 2.5, merchant_fee_percent: 3 };
  const patched = await staff('PATCH', '/admin/merchants/sebo-do-arco', { plan });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(patched.body, { ...created.body, plan: { ...created.body.plan, ...plan } });
  const [entry] = (await staff('GET', '/admin/audit-trail?subject=merchant:sebo-do-arco')).body.data;
  assert.deepEqual([entry.before, entry.after], [{ plan: created.body.plan }, { plan: patched.body.plan }]);

  assertRefused(await staff('DELETE', '/admin/categories/sebos'), 409, 'still_used');
  assert.equal((await staff('DELETE', '/admin/merchants/sebo-do-arco')).status, 204);
  assert.equal((await staff('DELETE', '/admin/categories/sebos')).status, 204);
  await eventually('it is gone', async () => {
    return (await service.get('/public/merchants/sebo-do-arco')).status === 404;
  });
});

test('the plan takes as many decimals as the terms of a purchase: four, and no more', async () => {
  const change = (merchant_fee_percent: number) =>
    staff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { plan: { merchant_fee_percent } });
  const before = (await staff('GET', '/admin/merchants/padaria-flor-do-trigo')).body;
  for (const fee of [0.0001, 2.1234, 99.9999]) {
    const changed = await change(fee);
    assert.deepEqual([changed.status, changed.body.plan.merchant_fee_percent], [200, fee], changed.text);
  }
  assertRefused(await change(2.12345), 400, 'validation_failed');
  assertRefused(await change(100.0001), 400, 'validation_failed');
  await change(before.plan.merchant_fee_percent);
  assert.deepEqual((await staff('GET', '/admin/merchants/padaria-flor-do-trigo')).body, before);
});

test('remove deletes what an import added, and says what prevents it', async () => {
  const run = commandRunner(service);
  await staff('POST', '/admin/categories', { slug: 'brechos', name: 'Brechós' });
  await staff('POST', '/admin/merchants', { slug: 'brecho-azul', name: 'Brechó Azul', category: 'brechos' });
  await assert.rejects(run('remove merchants', 'brecho-azul'), /is taken out of the merchants\. Say --yes/);
  await assert.rejects(run('remove categories', 'brechos', '--yes'), /1 merchants belong to 'brechos'/);
  await run('remove merchants', 'brecho-azul', '--yes');
  await run('remove categories', 'brechos', '--yes');
  const gone = run('remove categories', 'brechos', '--yes');
  await assert.rejects(gone, /There is no 'brechos'\. See 'semana export categories'/);
});

test('all faults at once, each with its field; what exists is not written over by a creation', async () => {
  const refused = await staff('POST', '/admin/merchants', {
    slug: 'x',
    name: ' ',
    category: 'padarias',
    state: 'São Paulo',
    plan: { weekly_rate_percent: 1.23456 },
  });
  assertRefused(refused, 400, 'validation_failed');
  const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointers.toSorted(), ['/name', '/plan/weekly_rate_percent', '/state']);
  const twins = Array.from({ length: 16 }, (_, i) =>
    staff('POST', '/admin/categories', { slug: `gemeos-${i % 8}`, name: `Nome ${i}` }),
  );
  const created = (await Promise.all(twins)).filter(({ status }) => status === 201);
  assert.equal(created.length, 8, 'of two at once, too');
  const once = { 'idempotency-key': 'a-category' };
  for (const replayed of [null, 'true']) {
    const again = await staff('POST', '/admin/categories', { slug: 'uma-vez', name: 'Uma' }, once);
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, replayed]);
  }
  const known = { slug: 'padaria-flor-do-trigo', name: 'Outra', category: 'padarias' };
  assertRefused(await staff('POST', '/admin/merchants', known), 409, 'already_exists');
  const elsewhere = await staff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { category: 'nenhuma' });
  assertRefused(elsewhere, 400, 'validation_failed');
  assert.equal((await staff('PATCH', '/admin/merchants/nenhum', { name: 'X' })).status, 404);
});

test('a change moves nothing to another address: what it is called there is no field of a change', async () => {
  for (const [path, body] of [
    ['/admin/merchants/padaria-flor-do-trigo', { slug: 'outro-lugar', city: 'Santos' }],
    ['/admin/categories/padarias', { slug: 'outro-lugar', name: 'Padarias' }],
    ['/admin/faq/quanto-custa-atrasar', { id: 'outro-lugar', position: 1 }],
  ] as const) {
    assertRefused(await staff('PATCH', path, body), 400, 'validation_failed');
    const elsewhere = path.replace(/[^/]+$/, 'outro-lugar');
    assert.equal((await staff('GET', elsewhere)).status, 404);
  }
});

test('412: a text somebody else changed meanwhile is not written over', async () => {
  const path = '/admin/merchants/padaria-flor-do-trigo';
  const etag = (await staff('GET', path)).headers.get('etag')!;
  assert.equal((await staff('PATCH', path, { city: 'Santos' }, { 'if-match': etag })).status, 200);
  assertRefused(
    await staff('PATCH', path, { city: 'Bauru' }, { 'if-match': etag }),
    412,
    'changed_meanwhile',
  );
  assert.equal((await staff('GET', path)).body.city, 'Santos');
});

test('a post is a draft, scheduled, published and taken back; a question comes and goes', async () => {
  const draft = { slug: 'novo', title: 'Novo', summary: 'Um', author: 'Rui', body: 'Texto.' };
  assert.equal((await staff('POST', '/admin/posts', draft)).body.published_at, null);
  assert.equal((await service.get('/public/blog/novo')).status, 404);
  const now = service.clock.now().getTime();
  const at = (ms: number) => new Date(now + ms).toISOString();
  await staff('PATCH', '/admin/posts/novo', { published_at: at(3_600_000) });
  assert.equal((await service.get('/public/blog/novo')).status, 404);
  await staff('PATCH', '/admin/posts/novo', { published_at: at(-1000) });
  await eventually('it is there', async () => (await service.get('/public/blog/novo')).status === 200);
  await staff('PATCH', '/admin/posts/novo', { published_at: null });
  await eventually('it is gone', async () => (await service.get('/public/blog/novo')).status === 404);

  const question = { id: 'posso-trocar', topic: 'trocas', question: 'Posso trocar?', answer: 'Pode.' };
  assert.equal((await staff('POST', '/admin/faq', question)).status, 201);
  const listed = await staff('GET', '/admin/faq?topic=trocas');
  assert.deepEqual(listed.body.data, [{ ...question, position: 0, listed: true }]);
  await eventually('it is shown', async () => (await shown('/public/faq?topic=trocas')).data.length === 1);
  assert.equal((await staff('DELETE', '/admin/faq/posso-trocar')).status, 204);
});

test('lists are paged and filtered; what is not listed is in them', async () => {
  await staff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { listed: false });
  const hidden = await staff('GET', '/admin/merchants?listed=false');
  assert.equal(hidden.status, 200, hidden.text);
  assert.deepEqual(
    hidden.body.data.map(({ slug }: { slug: string }) => slug),
    ['padaria-flor-do-trigo'],
  );
  const found = await staff('GET', '/admin/merchants?q=PADÁRIA&limit=1');
  assert.equal(found.body.data.length, 1);
  assert.ok(found.body.pagination.total >= 1);
  assert.ok((await staff('GET', '/admin/posts?limit=5')).body.pagination.total >= 25);
  const namesOf = async (path: string) =>
    (await staff('GET', path)).body.data.map((one: { slug?: string; id?: string }) => one.slug ?? one.id);
  await staff('POST', '/admin/merchants', { slug: 'a-mais-nova', name: 'Zz', category: 'padarias' });
  assert.deepEqual(await namesOf('/admin/merchants?sort=newest&limit=1'), ['a-mais-nova']);
  const hour = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
  const post = { title: 'Cem_por_cento', summary: 'Um', author: 'Rui', body: 'Texto.' };
  await staff('POST', '/admin/posts', { ...post, slug: 'rascunho' });
  await staff('POST', '/admin/posts', { ...post, slug: 'agendado', published_at: hour(1) });
  await staff('POST', '/admin/posts', { ...post, slug: 'publicado', published_at: hour(-1) });
  const q = 'q=cem_POR';
  assert.deepEqual(await namesOf(`/admin/posts?${q}`), ['rascunho', 'agendado', 'publicado']);
  assert.deepEqual(await namesOf(`/admin/posts?${q}&sort=oldest`), ['publicado', 'agendado', 'rascunho']);
  for (const [status, slug] of Object.entries({
    draft: 'rascunho',
    scheduled: 'agendado',
    published: 'publicado',
  }))
    assert.deepEqual(await namesOf(`/admin/posts?${q}&status=${status}`), [slug]);
  assert.deepEqual(await namesOf('/admin/posts?q=cemXpor'), [], 'a mark stands for itself');
  assert.deepEqual(await namesOf('/admin/faq?q=CUSTA%20atrasar&listed=true'), ['quanto-custa-atrasar']);
  assert.deepEqual(await namesOf('/admin/categories?q=padar'), ['padarias']);
  assert.ok((await staff('GET', '/admin/categories')).body.pagination.total >= 10);
});

test('a file is imported whole or not at all, and a dry run tells what would change, field by field', async () => {
  const send = async (path: string, file: string, key = OPERATOR_KEY) => {
    const headers = { 'x-api-key': key, 'content-type': 'text/csv', 'accept-language': 'pt-BR' };
    const answer = await fetch(`${service.staffUrl}/admin/import/${path}`, {
      method: 'POST',
      headers,
      body: file,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  await staff('POST', '/admin/categories', { slug: 'cutelarias', name: 'Cutelarias' });
  const file = 'slug;name\r\ncutelarias;Facas e tesouras\r\nchapelarias;Chapelarias\r\n';
  const dry = await send('categories?dry_run=true', file);
  const outcome = {
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
  assert.deepEqual(dry, { status: 200, body: outcome });
  assert.equal((await staff('GET', '/admin/categories/cutelarias')).body.name, 'Cutelarias');
  const wrong = `${file}Sem Slug;x\r\n`;
  const { body: faulty } = await send('categories?dry_run=true', wrong);
  assert.deepEqual([faulty.bad, (faulty.faults as Array<{ line: number }>)[0]!.line], [1, 4]);
  const refused = await send('categories', wrong);
  assert.deepEqual([refused.status, refused.body.code], [422, 'file_refused']);
  assert.equal((await staff('GET', '/admin/categories/chapelarias')).status, 404);
  assert.deepEqual(await send('categories', file), { status: 200, body: outcome });
  assert.equal((await staff('GET', '/admin/categories/chapelarias')).body.name, 'Chapelarias');
  for (const query of ['dry_run=TRUE', 'format=xml']) {
    const unknown = await send(`categories?${query}`, 'slug;name\r\ncutelarias;Facas\r\n');
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'validation_failed'], query);
  }
  const unreadable = await send('faq?dry_run=true', 'nada;aqui\r\n1;2\r\n');
  assert.deepEqual([unreadable.status, unreadable.body.code], [422, 'file_refused']);

  const { body: writer } = await staff('POST', '/admin/staff', { name: 'Lia Prado', role: 'content' });
  const plan = 'slug,name,merchant_fee_percent\r\npadaria-flor-do-trigo,Padaria Flor do Trigo,9\r\n';
  assert.equal((await send('faq?dry_run=true', 'id\r\n', writer.key)).status, 200);
  assert.equal((await send('merchants?dry_run=true', plan, writer.key)).body.code, 'role_missing');
  assert.equal((await send('merchants?dry_run=true', plan)).status, 200);
});
