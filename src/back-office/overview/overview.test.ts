import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { ANA, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { newStaffUser } from '../../../test/support/staff.ts';
import { modules } from '../../modules.ts';
import { listSettings } from '../../platform/config.ts';

const service = await openService({
  env: {
    PSP_CALLBACK_SECRET: 'a-secret-of-our-own-0123456789',
    WEB_STAFF_URL: 'http://rui:segredo@localhost:9',
  },
});
const pixDriver = createPixDriver(service);
const UNKNOWN_WORD = 'xyzzyplugh';
const UNKNOWN_JOB_ID = 999_999_999;
type Hit = { kind: string; id: string; title: string; customer_name: string | null };

const search = async (q: string, key = OPERATOR_KEY): Promise<Hit[]> => {
  const { status, body, text } = await service.staff('GET', `/admin/search?q=${encodeURIComponent(q)}`, {
    key,
  });
  assert.equal(status, 200, text);
  return body.data;
};
const formatHits = (hits: Hit[]) => hits.map(({ kind, id }) => `${kind} ${id}`);

test('the search of staff finds customers, purchases, charges, payments, offers and merchants by names, phone, ids and reference', async () => {
  const [ana] = await search('ana');
  assert.equal(ana!.kind, 'customer');
  assert.match(ana!.customer_name!, /^Ana /);
  assert.deepEqual(formatHits(await search(ANA.phone)), [`customer ${ana!.id}`]);
  assert.deepEqual(formatHits(await search(ana!.id)), [`customer ${ana!.id}`]);
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 40 });
  assert.deepEqual(formatHits(await search(hash)), [`checkout ${hash}`]);
  assert.deepEqual(formatHits(await search(installments[0].id)), [`checkout ${hash}`]);
  const { txid, id } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  assert.deepEqual(formatHits(await search(txid)), [`charge ${id}`]);
  const { end_to_end_id } = await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, id, 'paid');
  assert.deepEqual(formatHits(await search(end_to_end_id)), [`payment ${end_to_end_id}`]);
  const offerInput = {
    merchant: 'padaria-flor-do-trigo',
    amount: 30,
    installments: 2,
    reference: 'PEDIDO-77',
  };
  const { body } = await pixDriver.callStaff('POST', '/admin/offers', {
    ...offerInput,
    phone: customer.phone,
  });
  assert.deepEqual(formatHits(await search('PEDIDO-77')), [`offer ${body.id}`]);
  assert.ok(formatHits(await search('padaria flor')).includes('merchant padaria-flor-do-trigo'));
  assert.deepEqual(await search('nothing is called so'), []);
});

/** Searches a list and returns this field of the rows. */
const searchList = async (path: string, q: string, field = 'customer_id'): Promise<string[]> => {
  const response = await pixDriver.callStaff('GET', `${path}?q=${encodeURIComponent(q)}`);
  assert.equal(response.status, 200, `${path} ${response.text}`);
  assert.equal(response.headers.get('link'), null, 'URLs must not contain a name');
  return response.body.data.map((row: Record<string, string>) => row[field]);
};

test('every list of money can be searched by name, phone, id and reference, and returns only matching rows', async () => {
  const customer = await pixDriver.createCustomer();
  await pixDriver.callStaff('PATCH', `/admin/customers/${customer.id}`, { name: 'Zenaide Quaresma' });
  const offerInput = {
    merchant: 'padaria-flor-do-trigo',
    amount: 30,
    installments: 2,
    reference: 'PEDIDO-78',
  };
  const offerId = (
    await pixDriver.callStaff('POST', '/admin/offers', { ...offerInput, phone: customer.phone })
  ).body.id;
  const { hash, installments } = await pixDriver.sell(customer, {
    amount: 40,
    terms: { cashback_percent: 5 },
  });
  const { txid, id } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  const { end_to_end_id } = await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, id, 'paid');
  await pixDriver.callStaff('POST', `/admin/checkouts/${hash}/returns`, { reason: 'Não serviu' });

  const customerQueries = ['zenaide', 'Quaresma Zen', customer.phone, customer.phone.slice(-8), customer.id];
  const expectedCustomerIds = [customer.id];
  for (const q of customerQueries)
    for (const path of [
      '/admin/checkouts',
      '/admin/pix/payments',
      '/admin/pix/charges',
      '/admin/pix/refunds',
    ])
      assert.deepEqual(await searchList(path, q), expectedCustomerIds, `${path} ${q}`);
  for (const q of [hash, txid, id, end_to_end_id])
    assert.deepEqual(await searchList('/admin/pix/payments', q), expectedCustomerIds, q);
  for (const q of [hash, txid, id])
    assert.deepEqual(await searchList('/admin/pix/charges', q), expectedCustomerIds, q);
  assert.deepEqual(await searchList('/admin/pix/refunds', end_to_end_id), expectedCustomerIds);
  assert.deepEqual(await searchList('/admin/checkouts', hash), expectedCustomerIds);
  for (const q of ['zenaide', hash]) {
    const customers = await searchList('/admin/cashback', q);
    assert.ok(customers.length > 0 && customers.every((id) => id === customer.id), q);
  }
  assert.ok((await searchList('/admin/messages', 'zenaide')).every((id) => id === customer.id));
  for (const q of ['PEDIDO-78', offerId])
    assert.deepEqual(await searchList('/admin/offers', q, 'id'), [offerId]);
  const bakeryOffers = await searchList('/admin/offers', 'padaria flor', 'id');
  assert.ok(bakeryOffers.includes(offerId));

  const orphanId = (await pixDriver.payCharge(await pixDriver.createForeignCharge())).end_to_end_id;
  await eventually(
    'the payment is an orphan',
    async () => (await pixDriver.callStaff('GET', `/admin/pix/orphans/${orphanId}`)).status === 200,
  );
  assert.deepEqual(await searchList('/admin/pix/orphans', orphanId, 'end_to_end_id'), [orphanId]);

  // The sales become due for payout.
  service.clock.advance(10 * DAY_MS);
  const [payout] = (await pixDriver.callStaff('POST', '/admin/payouts', {})).body.data;
  await pixDriver.callStaff('POST', `/admin/payouts/${payout.id}/paid`, { reference: 'TED 4411' });
  for (const q of ['TED 4411', payout.id])
    assert.deepEqual(await searchList('/admin/payouts', q, 'id'), [payout.id]);
  assert.ok((await searchList('/admin/payouts', payout.merchant, 'merchant')).includes(payout.merchant));
});

test('the search of staff tolerates a typo in the name of a merchant, as the public one does', async () => {
  const hits = await search('padria');
  assert.ok(hits.some(({ kind, id }) => kind === 'merchant' && id === 'padaria-flor-do-trigo'));
  const { data } = (await pixDriver.callStaff('GET', '/admin/merchants?q=padria&limit=100')).body;
  assert.ok(data.some(({ slug }: { slug: string }) => slug === 'padaria-flor-do-trigo'));
});

test('a list search without matches returns no rows, and a list search that matches more than 200 merchants is refused', async () => {
  const { paths } = (await service.staff('GET', '/openapi.json', { key: null })).body;
  type Operations = { get?: { parameters?: Array<{ name: string }> } };
  const hasParameter = ({ get }: Operations, name: string) =>
    get?.parameters?.some((item) => item.name === name);
  const listPaths = Object.entries(paths as Record<string, Operations>)
    .filter(([, operations]) => hasParameter(operations, 'q') && hasParameter(operations, 'sort'))
    .map(([path]) => path);
  assert.ok(listPaths.length >= 15);
  for (const path of listPaths)
    assert.deepEqual((await pixDriver.callStaff('GET', `${path}?q=${UNKNOWN_WORD}`)).body.data, [], path);
  await service.db.run(sql`
    insert into merchants (slug, name, name_key, category_slug)
    select 'grulha-' || n, 'Grulha ' || n, 'grulha ' || n, 'padarias' from generate_series(1, 201) n`);
  const refusedResponse = await pixDriver.callStaff('GET', '/admin/checkouts?q=grulha');
  assert.deepEqual([refusedResponse.status, refusedResponse.body.errors?.[0].pointer], [400, '/q']);
  assert.equal((await pixDriver.callStaff('GET', '/admin/checkouts?q=grulha+201')).status, 200);
});

test('the role viewer sees masked names in search results', async () => {
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  const [ana] = await search(ANA.phone, viewer.key);
  assert.match(ana!.customer_name!, /\*/);
});

test('the overview of today has the counts of pending work and the weekly and aging reports', async () => {
  const overviewBefore = (await pixDriver.callStaff('GET', '/admin/today')).body;
  const { end_to_end_id: id } = await pixDriver.payCharge(await pixDriver.createForeignCharge());
  await eventually(
    'the payment is an orphan',
    async () => (await pixDriver.callStaff('GET', `/admin/pix/orphans/${id}`)).status === 200,
  );
  const { waiting, weekly, aging } = (await pixDriver.callStaff('GET', '/admin/today')).body;
  assert.equal(waiting.orphans, overviewBefore.waiting.orphans + 1);
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
  assert.ok(aging.outstanding > 0, 'Ana of the demo data has an overdue purchase');
});

test('the list of effective settings hides secrets and the passwords in URLs', async () => {
  const { body, text } = await pixDriver.callStaff('GET', '/admin/settings');
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
  type ListedSetting = { name: string; meaning: string; value: string | null };
  const readSettings = async (headers: Record<string, string>): Promise<Map<string, ListedSetting>> => {
    const { body } = await service.staff('GET', '/admin/settings', { key: OPERATOR_KEY, headers });
    return new Map(body.data.map((item: ListedSetting) => [item.name, item]));
  };
  const englishSettings = await readSettings({});
  const portugueseSettings = await readSettings({ 'accept-language': 'pt-BR' });
  assert.equal(englishSettings.get('TWILIO_URL')!.meaning, 'URL of the SMS gateway');
  assert.equal(portugueseSettings.get('TWILIO_URL')!.meaning, 'endereço do gateway de SMS');
  const untranslatedSettings = [...englishSettings].filter(
    ([name, item]) => portugueseSettings.get(name)!.meaning === item.meaning,
  );
  assert.deepEqual(untranslatedSettings, []);
  const readValues = (name: string) =>
    [englishSettings, portugueseSettings].map((settingsByName) => settingsByName.get(name)!.value);
  assert.deepEqual(readValues('PSP_CA'), ['(public)', '(pública)']);
  assert.deepEqual(readValues('CREDIT_POLICY'), [
    'cautious, in the sandbox open',
    'cautious, na sandbox open',
  ]);
});

test('every setting whose name suggests a secret is declared as a secret', () => {
  const publicNames = ['PIX_KEY', 'PSP_KEY', 'PSP_TOKEN_URL', 'PSP_TOKEN_STYLE', 'VAPID_PUBLIC_KEY'];
  const undeclaredSettings = listSettings(modules).filter(
    ({ name, secret }) =>
      /SECRET|TOKEN|KEY|PASS/.test(name) && !secret && !/_PER_KEY$/.test(name) && !publicNames.includes(name),
  );
  assert.deepEqual(
    undeclaredSettings.map(({ name }) => name),
    [],
  );
});

test('a failed job is listed and can be retried, an interrupted job is listed, and every connected node is listed', async () => {
  const addJob = (maxAttempts: number) =>
    service.db.row<{ id: string }>(sql`
      select id::text from graphile_worker.add_job('nothing_of_ours', '{}', run_at => now() + interval '1 day', max_attempts => ${maxAttempts})`);
  const { id } = (await addJob(1))!;
  await service.db.run(sql`
    select graphile_worker.permanently_fail_jobs(array[${id}]::bigint[], E'A falha\n  at a secret place')`);
  const findJob = async (jobId: string) =>
    (await pixDriver.callStaff('GET', '/admin/jobs')).body.data.find(
      (item: { id: string }) => item.id === jobId,
    );
  const { task, attempts, max_attempts, last_error } = await findJob(id);
  assert.deepEqual([task, attempts, max_attempts, last_error], ['nothing_of_ours', 1, 1, 'A falha']);
  assert.equal((await pixDriver.callStaff('POST', `/admin/jobs/${id}/retry`)).status, 204);
  assert.equal((await findJob(id)).attempts, 0);
  assert.equal((await pixDriver.callStaff('POST', `/admin/jobs/${UNKNOWN_JOB_ID}/retry`)).status, 404);
  const listAuditEntries = async (jobId: string | number) =>
    (await pixDriver.callStaff('GET', `/admin/audit-trail?subject=job:${jobId}`)).body.data;
  assert.equal((await listAuditEntries(id)).length, 1);
  assert.deepEqual(await listAuditEntries(UNKNOWN_JOB_ID), [], 'a refused retry is not recorded');
  const interruptedJob = (await addJob(1))!;
  await service.db.run(sql`
    update graphile_worker._private_jobs set attempts = max_attempts where id = ${interruptedJob.id}::bigint`);
  const listedJob = await findJob(interruptedJob.id);
  assert.deepEqual([listedJob.attempts, listedJob.last_error], [1, 'interrupted: its node stopped']);
  const { data } = (await pixDriver.callStaff('GET', '/admin/nodes')).body;
  assert.equal(data.length, 1);
  assert.match(`${data[0].id} ${data[0].release}`, /^semana-[0-9a-f]{24} \d+\.\d+\.\d+/);
});
