import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openPixShop } from '../../../test/pix-shop.ts';
import { ANA, OPERATOR_KEY } from '../../../test/shop.ts';
import { newStaffUser } from '../../../test/support/staff.ts';
import { modules } from '../../modules.ts';
import { listSettings } from '../../platform/config.ts';

const service = await openService({
  env: {
    PSP_CALLBACK_SECRET: 'a-secret-of-our-own-0123456789',
    WEB_STAFF_URL: 'http://rui:segredo@localhost:9',
  },
});
const pixShop = openPixShop(service);
type Hit = { kind: string; id: string; title: string; customer_name: string | null };

const search = async (q: string, key = OPERATOR_KEY): Promise<Hit[]> => {
  const { status, body, text } = await service.staff('GET', `/admin/search?q=${encodeURIComponent(q)}`, {
    key,
  });
  assert.equal(status, 200, text);
  return body.data;
};
const formatHits = (hits: Hit[]) => hits.map(({ kind, id }) => `${kind} ${id}`);

test('the search finds by name, phone, hash, installment, txid, end-to-end id and reference', async () => {
  const [ana] = await search('ana');
  assert.deepEqual([ana!.kind, ana!.customer_name!.split(' ')[0]], ['customer', 'Ana']);
  assert.deepEqual(formatHits(await search(ANA.phone)), [`customer ${ana!.id}`]);
  assert.deepEqual(formatHits(await search(ana!.id)), [`customer ${ana!.id}`]);
  const shopper = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(shopper, { amount: 40 });
  assert.deepEqual(formatHits(await search(hash)), [`checkout ${hash}`]);
  assert.deepEqual(formatHits(await search(installments[0].id)), [`checkout ${hash}`]);
  const { txid, id } = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  assert.deepEqual(formatHits(await search(txid)), [`charge ${id}`]);
  const { end_to_end_id } = await pixShop.payCharge(txid);
  await pixShop.waitForStatus(shopper, id, 'paid');
  assert.deepEqual(formatHits(await search(end_to_end_id)), [`payment ${end_to_end_id}`]);
  const order = { merchant: 'padaria-flor-do-trigo', amount: 30, installments: 2, reference: 'PEDIDO-77' };
  const offer = await pixShop.callStaff('POST', '/admin/offers', { ...order, phone: shopper.phone });
  assert.deepEqual(formatHits(await search('PEDIDO-77')), [`offer ${offer.body.id}`]);
  assert.ok(formatHits(await search('padaria flor')).includes('merchant padaria-flor-do-trigo'));
  assert.deepEqual(await search('nothing is called so'), []);
});

/** Searches a list and returns this field of the rows. */
const searchList = async (path: string, q: string, field = 'customer_id'): Promise<string[]> => {
  const response = await pixShop.callStaff('GET', `${path}?q=${encodeURIComponent(q)}`);
  assert.equal(response.status, 200, `${path} ${response.text}`);
  assert.equal(response.headers.get('link'), null, 'URLs must not contain a name');
  return response.body.data.map((row: Record<string, string>) => row[field]);
};

test('every list of money can be searched by name, phone, id and reference, and finds only matching rows', async () => {
  const shopper = await pixShop.newShopper();
  await pixShop.callStaff('PATCH', `/admin/customers/${shopper.id}`, { name: 'Zenaide Quaresma' });
  const order = { merchant: 'padaria-flor-do-trigo', amount: 30, installments: 2, reference: 'PEDIDO-78' };
  const offer = (await pixShop.callStaff('POST', '/admin/offers', { ...order, phone: shopper.phone })).body
    .id;
  const { hash, installments } = await pixShop.sell(shopper, { amount: 40, terms: { cashback_percent: 5 } });
  const { txid, id } = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  const { end_to_end_id } = await pixShop.payCharge(txid);
  await pixShop.waitForStatus(shopper, id, 'paid');
  await pixShop.callStaff('POST', `/admin/checkouts/${hash}/returns`, { reason: 'Não serviu' });

  const people = ['zenaide', 'Quaresma Zen', shopper.phone, shopper.phone.slice(-8), shopper.id];
  const own = [shopper.id];
  for (const q of people)
    for (const path of [
      '/admin/checkouts',
      '/admin/pix/payments',
      '/admin/pix/charges',
      '/admin/pix/refunds',
    ])
      assert.deepEqual(await searchList(path, q), own, `${path} ${q}`);
  for (const q of [hash, txid, id, end_to_end_id])
    assert.deepEqual(await searchList('/admin/pix/payments', q), own, q);
  for (const q of [hash, txid, id]) assert.deepEqual(await searchList('/admin/pix/charges', q), own, q);
  assert.deepEqual(await searchList('/admin/pix/refunds', end_to_end_id), own);
  assert.deepEqual(await searchList('/admin/checkouts', hash), own);
  for (const q of ['zenaide', hash]) {
    const lines = await searchList('/admin/cashback', q);
    assert.ok(lines.length > 0 && lines.every((customer) => customer === shopper.id), q);
  }
  assert.ok((await searchList('/admin/messages', 'zenaide')).every((customer) => customer === shopper.id));
  for (const q of ['PEDIDO-78', offer]) assert.deepEqual(await searchList('/admin/offers', q, 'id'), [offer]);
  const ofBakery = await searchList('/admin/offers', 'padaria flor', 'id');
  assert.ok(ofBakery.includes(offer));

  const orphan = (await pixShop.payCharge(await pixShop.createForeignCharge())).end_to_end_id;
  await eventually(
    'the payment is an orphan',
    async () => (await pixShop.callStaff('GET', `/admin/pix/orphans/${orphan}`)).status === 200,
  );
  assert.deepEqual(await searchList('/admin/pix/orphans', orphan, 'end_to_end_id'), [orphan]);

  service.clock.advance(10 * 86_400_000);
  const [payout] = (await pixShop.callStaff('POST', '/admin/payouts', {})).body.data;
  await pixShop.callStaff('POST', `/admin/payouts/${payout.id}/paid`, { reference: 'TED 4411' });
  for (const q of ['TED 4411', payout.id])
    assert.deepEqual(await searchList('/admin/payouts', q, 'id'), [payout.id]);
  assert.ok((await searchList('/admin/payouts', payout.merchant, 'merchant')).includes(payout.merchant));
});

test('the search of staff tolerates a typo in the name of a merchant, as the public one does', async () => {
  const hits = await search('padria');
  assert.ok(hits.some(({ kind, id }) => kind === 'merchant' && id === 'padaria-flor-do-trigo'));
  const { data } = (await pixShop.callStaff('GET', '/admin/merchants?q=padria&limit=100')).body;
  assert.ok(data.some(({ slug }: { slug: string }) => slug === 'padaria-flor-do-trigo'));
});

test('a search without matches returns an empty list, and a search with too many matches is refused', async () => {
  const { paths } = (await service.staff('GET', '/openapi.json', { key: null })).body;
  const searched = Object.entries(paths as Record<string, { get?: { parameters?: Array<{ name: string }> } }>)
    .filter(([, { get }]) => ['q', 'sort'].every((one) => get?.parameters?.some(({ name }) => name === one)))
    .map(([path]) => path);
  assert.ok(searched.length >= 15);
  for (const path of searched)
    assert.deepEqual((await pixShop.callStaff('GET', `${path}?q=xyzzyplugh`)).body.data, [], path);
  await service.db.run(sql`
    insert into merchants (slug, name, name_key, category_slug)
    select 'grulha-' || n, 'Grulha ' || n, 'grulha ' || n, 'padarias' from generate_series(1, 201) n`);
  const refusal = await pixShop.callStaff('GET', '/admin/checkouts?q=grulha');
  assert.deepEqual([refusal.status, refusal.body.errors?.[0].pointer], [400, '/q']);
  assert.equal((await pixShop.callStaff('GET', '/admin/checkouts?q=grulha+201')).status, 200);
});

test('the role viewer sees masked names in search results', async () => {
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  const [ana] = await search(ANA.phone, viewer.key);
  assert.match(ana!.customer_name!, /\*/);
});

test('the overview of today has the counts of pending work and the weekly and aging reports', async () => {
  const before = (await pixShop.callStaff('GET', '/admin/today')).body;
  const { end_to_end_id: id } = await pixShop.payCharge(await pixShop.createForeignCharge());
  await eventually(
    'the payment is an orphan',
    async () => (await pixShop.callStaff('GET', `/admin/pix/orphans/${id}`)).status === 200,
  );
  const { waiting, weekly, aging } = (await pixShop.callStaff('GET', '/admin/today')).body;
  assert.equal(waiting.orphans, before.waiting.orphans + 1);
  assert.deepEqual(Object.keys(waiting).toSorted(), [
    'approvals',
    'failed_refunds',
    'leads',
    'orphans',
    'returns',
    'reviews',
    'rewards',
    'webhooks',
  ]);
  assert.ok(weekly.data.length > 8);
  assert.ok(aging.outstanding > 0, 'Ana has an overdue purchase');
});

test('effective settings are listed without secrets and passwords in URLs', async () => {
  const { body, text } = await pixShop.callStaff('GET', '/admin/settings');
  const findSetting = (name: string) => body.data.find((item: { name: string }) => item.name === name);
  assert.deepEqual(
    [findSetting('MERCHANT_FLOOR').value, findSetting('MERCHANT_FLOOR').is_default],
    ['500.00', true],
  );
  assert.deepEqual(
    [findSetting('PSP_CALLBACK_SECRET').value, findSetting('PSP_CALLBACK_SECRET').is_default],
    ['***', false],
  );
  assert.equal(findSetting('WEB_STAFF_URL').value, 'http://***@localhost:9');
  assert.doesNotMatch(text, /segredo|a-secret-of-our-own|sandbox-operator-key/);
});

test('descriptions and defaults of settings are in English, or in Portuguese if the client prefers it', async () => {
  type Shown = { name: string; meaning: string; value: string | null };
  const settings = async (headers: Record<string, string>): Promise<Map<string, Shown>> => {
    const { body } = await service.staff('GET', '/admin/settings', { key: OPERATOR_KEY, headers });
    return new Map(body.data.map((item: Shown) => [item.name, item]));
  };
  const english = await settings({});
  const portuguese = await settings({ 'accept-language': 'pt-BR' });
  assert.equal(english.get('TWILIO_URL')!.meaning, 'URL of the SMS gateway');
  assert.equal(portuguese.get('TWILIO_URL')!.meaning, 'endereço do gateway de SMS');
  const same = [...english].filter(([name, { meaning }]) => portuguese.get(name)!.meaning === meaning);
  assert.deepEqual(same, []);
  const readValues = (name: string) =>
    [english, portuguese].map((settingsByName) => settingsByName.get(name)!.value);
  assert.deepEqual(readValues('PSP_CA'), ['(public)', '(pública)']);
  assert.deepEqual(readValues('CREDIT_POLICY'), [
    'cautious, in the sandbox open',
    'cautious, na sandbox open',
  ]);
});

test('every setting whose name suggests a secret is declared as a secret', () => {
  const notSecret = ['PIX_KEY', 'PSP_KEY', 'PSP_TOKEN_URL', 'PSP_TOKEN_STYLE', 'VAPID_PUBLIC_KEY'];
  const undeclared = listSettings(modules).filter(
    ({ name, secret }) =>
      /SECRET|TOKEN|KEY|PASS/.test(name) && !secret && !/_PER_KEY$/.test(name) && !notSecret.includes(name),
  );
  assert.deepEqual(
    undeclared.map(({ name }) => name),
    [],
  );
});

test('a failed job is listed and can be retried; so is one whose last attempt was interrupted; every connected node is listed', async () => {
  const add = (attempts: number) =>
    service.db.row<{ id: string }>(sql`
      select id::text from graphile_worker.add_job('nothing_of_ours', '{}', run_at => now() + interval '1 day', max_attempts => ${attempts})`);
  const { id } = (await add(1))!;
  await service.db.run(sql`
    select graphile_worker.permanently_fail_jobs(array[${id}]::bigint[], E'A falha\n  at a secret place')`);
  const findJob = async (jobId: string) =>
    (await pixShop.callStaff('GET', '/admin/jobs')).body.data.find(
      (item: { id: string }) => item.id === jobId,
    );
  const { task, attempts, max_attempts, last_error } = await findJob(id);
  assert.deepEqual([task, attempts, max_attempts, last_error], ['nothing_of_ours', 1, 1, 'A falha']);
  assert.equal((await pixShop.callStaff('POST', `/admin/jobs/${id}/retry`)).status, 204);
  assert.equal((await findJob(id)).attempts, 0);
  assert.equal((await pixShop.callStaff('POST', '/admin/jobs/999999999/retry')).status, 404);
  const interrupted = (await add(1))!;
  await service.db.run(sql`
    update graphile_worker._private_jobs set attempts = max_attempts where id = ${interrupted.id}::bigint`);
  const listed = await findJob(interrupted.id);
  assert.deepEqual([listed.attempts, listed.last_error], [1, 'interrupted: its node stopped']);
  const { data } = (await pixShop.callStaff('GET', '/admin/nodes')).body;
  assert.equal(data.length, 1);
  assert.match(`${data[0].id} ${data[0].release}`, /^semana-[0-9a-f]{24} \d+\.\d+\.\d+/);
});
