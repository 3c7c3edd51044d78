/** Purchases and offers in the staff API and on the command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPurchaseDriver, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { openSessionFor } from '../../../test/support/customers.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
const run = createCommandRunner(service);
const UNKNOWN_HASH = '0'.repeat(22);
/** A Friday. */
const BOUGHT_AT = '2027-02-26T15:00:00.000Z';
const moveToDay = (days: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT_AT) + days * DAY_MS).toISOString());

const callStaffApi = (method: string, path: string, body?: unknown, overrides = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }), ...overrides });

test('a written-off purchase is booked as a loss and still owed, and payments reduce the loss', async () => {
  moveToDay(0);
  const customer = await driver.createCustomer();
  const { hash, installments } = await driver.sell(customer, { installments: 2 });
  const [firstInstallmentId, secondInstallmentId] = installments.map(({ id }: { id: string }) => id);
  await driver.pay(customer.id, firstInstallmentId, 20);
  moveToDay(40);
  const walletView = (await driver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).body;
  const writeOffResponse = await driver.writeOff(hash);
  assert.deepEqual([writeOffResponse.status, writeOffResponse.body.outstanding], [200, 80]);
  assert.deepEqual(await driver.readBalances(customer.id), {
    credit_losses: 8_000,
    merchant_payable: -10_000,
    pix_clearing: 2_000,
  });
  assert.deepEqual(
    (await driver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).body,
    walletView,
    'the customer sees the same purchase as before',
  );
  assert.equal((await driver.getCheckout(hash)).written_off_at, '2027-04-07T15:00:00.000Z');
  assert.deepEqual(await driver.listMismatches(customer.id), []);

  // Penalties are paid first, and are income; the remainder reduces the loss.
  const secondInstallment = walletView.installments[1];
  await driver.pay(customer.id, secondInstallmentId, secondInstallment.total_due);
  const { credit_losses, receivable = 0 } = await driver.readBalances(customer.id);
  assert.deepEqual([credit_losses, receivable], [3_000, 0]);
  assert.deepEqual(await driver.listMismatches(customer.id), []);
  const repeatedResponse = await driver.writeOff(hash);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'nothing_to_write_off']);

  const reinstateResponse = await driver.reinstate(hash);
  assert.deepEqual([reinstateResponse.status, reinstateResponse.body.written_off_at], [200, null]);
  assert.equal((await driver.readBalances(customer.id)).credit_losses, undefined);
  assert.equal((await driver.readBalances(customer.id)).receivable, 3_000);
  assert.equal((await driver.reinstate(hash)).body.code, 'not_written_off');
  assert.deepEqual(await driver.listMismatches(customer.id), []);

  assert.match(await run('checkouts write-off', hash, '--reason', 'Mudou-se', '--yes'), /loss/);
  const remaining = (await driver.getCheckout(hash)).installments[0].total_due;
  await driver.pay(customer.id, firstInstallmentId, remaining);
  assert.equal((await driver.readBalances(customer.id)).credit_losses, undefined, 'the loss is recovered');
  assert.equal((await driver.getCheckout(hash)).status, 'paid');
  assert.deepEqual(await driver.listMismatches(customer.id), []);
  const { body: trail } = await callStaffApi('GET', `/admin/audit-trail?subject=checkout:${hash}`);
  assert.deepEqual(
    trail.data.map(({ action, reason }: { action: string; reason: string | null }) => [action, reason]),
    [
      ['writeOffCheckout', 'Mudou-se'],
      ['reinstateCheckout', 'Sem esperança'], // the reason that the driver sends
      ['writeOffCheckout', 'Sem esperança'],
      ['createCheckout', null],
    ],
  );
  await assert.rejects(driver.changeWriteOff(UNKNOWN_HASH, 'write-off'), /not_found/);
});

test('purchases of all customers can be filtered by status, merchant, customer and days; the list matches the detail', async () => {
  moveToDay(0);
  const [ana, bia] = [await driver.createCustomer(), await driver.createCustomer()];
  const [paidSale, lateSale] = [await driver.sell(ana), await driver.sell(ana, { installments: 2 })];
  await driver.pay(ana.id, paidSale.installments[0].id, 100);
  moveToDay(10);
  const openSale = await driver.sell(bia, { merchant: 'farmacia-sao-jocundo', amount: 50 });
  const listHashes = async (query: string) => {
    const { status, body, text } = await callStaffApi('GET', `/admin/checkouts?${query}`);
    assert.equal(status, 200, text);
    return body.data.map(({ hash }: { hash: string }) => hash);
  };
  assert.deepEqual(
    await listHashes(`customer=${ana.id}`),
    [paidSale.hash, lateSale.hash].toSorted().toReversed(),
  );
  assert.deepEqual(await listHashes(`customer=${ana.id}&status=paid`), [paidSale.hash]);
  assert.deepEqual(await listHashes(`customer=${ana.id}&status=overdue`), [lateSale.hash]);
  assert.deepEqual(await listHashes(`customer=${ana.id}&days_late=1-7`), [lateSale.hash]);
  for (const daysLateRange of ['8-30', '31-90', '90%2B'])
    assert.deepEqual(await listHashes(`customer=${ana.id}&days_late=${daysLateRange}`), [], daysLateRange);
  assert.deepEqual(await listHashes(`merchant=farmacia-sao-jocundo&from=2027-03-08&status=open`), [
    openSale.hash,
  ]);
  assert.deepEqual(await listHashes(`customer=${encodeURIComponent(bia.phone)}&to=2027-03-07`), []);
  assert.deepEqual(await listHashes('merchant=no-such-merchant'), []);
  await driver.writeOff(lateSale.hash);
  assert.deepEqual(await listHashes(`written_off=true&customer=${ana.id}`), [lateSale.hash]);
  const { body } = await callStaffApi('GET', `/admin/checkouts?customer=${ana.id}&status=overdue`);
  const { terms, installments, cost, autopay, receipts, returns, ...detail } = await driver.getCheckout(
    lateSale.hash,
  );
  assert.equal(detail.customer_name, 'Davi Teste');
  assert.deepEqual(body.data, [{ ...detail, offer_id: null }]);
  const csv = await service.staff('GET', `/admin/checkouts?customer=${ana.id}&sort=oldest`, {
    key: OPERATOR_KEY,
    headers: { accept: 'text/csv' },
  });
  const [heading, ...lines] = csv.text.trimEnd().split('\r\n');
  assert.match(heading!, /^hash,status,merchant_slug,merchant_name,.*,amounts_outstanding,/);
  assert.equal(lines.length, 2);
  assert.match(
    await run('checkouts list', '--customer', ana.phone, '--written-off'),
    new RegExp(lateSale.hash),
  );

  const { body: overdueList } = await callStaffApi('GET', '/admin/customers?status=overdue&limit=100');
  const ids = overdueList.data.map(({ id }: { id: string }) => id);
  assert.deepEqual([ids.includes(ana.id), ids.includes(bia.id)], [true, false]);
  // Of two installments of 50.00, a week apart, one is late.
  const { amount, effective_due_on } = lateSale.installments[0];
  const overdueAmount = { amount, since: effective_due_on };
  assert.deepEqual(overdueList.data.find(({ id }: { id: string }) => id === ana.id).overdue, overdueAmount);
  const { body: page } = await callStaffApi('GET', `/admin/customers?phone=${encodeURIComponent(bia.phone)}`);
  assert.deepEqual(page.data[0].overdue, { amount: 0, since: null });
  const output = await run('customers list', '--status', 'overdue', '--limit', '1000');
  assert.match(output, new RegExp(`${ana.id} .*${amount.toFixed(2)} +${effective_due_on}`));
});

test('overdue customers are listed by registration, and pages in both directions agree with the whole list', async () => {
  for (let i = 0; i < 2; i++) {
    service.clock.advance(1_000);
    const customer = await driver.createCustomer();
    await driver.sell(customer, { amount: 40, installments: 1, purchased_at: '2027-02-20T15:00:00Z' });
  }
  type Page = {
    ids: string[];
    createdTimes: string[];
    pagination: { next?: string; prev?: string; total: number };
  };
  const readPage = async (query: string): Promise<Page> => {
    const { body } = await callStaffApi('GET', `/admin/customers?status=overdue&${query}`);
    return {
      ids: body.data.map(({ id }: { id: string }) => id),
      createdTimes: body.data.map(({ created_at }: { created_at: string }) => created_at),
      pagination: body.pagination,
    };
  };
  const { ids, createdTimes, pagination } = await readPage('limit=100');
  assert.deepEqual(createdTimes, createdTimes.toSorted());
  assert.equal(pagination.total, ids.length);
  assert.ok(ids.length >= 3);
  assert.deepEqual((await readPage('limit=100&sort=newest')).ids, ids.toReversed());
  const [firstPage, lastPage] = [await readPage('limit=2'), await readPage('limit=2&sort=newest')];
  const secondPage = await readPage(`limit=2&after=${firstPage.pagination.next}`);
  assert.deepEqual([...firstPage.ids, ...secondPage.ids], ids.slice(0, 4));
  assert.deepEqual((await readPage(`limit=2&before=${secondPage.pagination.prev}`)).ids, firstPage.ids);
  assert.deepEqual(lastPage.ids, ids.toReversed().slice(0, 2));
});

test('purchases can be filtered by reference, across merchants; an unknown reference finds no purchase', async () => {
  const reference = 'PEDIDO-77';
  const pharmacy = 'farmacia-sao-jocundo';
  const customer = await driver.createCustomer();
  const { token } = await openSessionFor(service, customer);
  const sellWithReference = async (merchant: string, offerReference = reference) => {
    const offerInput = {
      merchant,
      phone: customer.phone,
      amount: 60,
      installments: 2,
      reference: offerReference,
    };
    const offer = await callStaffApi('POST', '/admin/offers', offerInput);
    assert.equal(offer.status, 201, offer.text);
    const acceptResponse = await service.post(`/wallet/offers/${offer.body.id}/accept`, {}, { token });
    assert.equal(acceptResponse.status, 201, acceptResponse.text);
    return acceptResponse.body.hash as string;
  };
  const ownHashes = [await sellWithReference('padaria-flor-do-trigo'), await sellWithReference(pharmacy)];
  await driver.sell(customer); // without a reference
  const otherHash = await sellWithReference(pharmacy, 'PEDIDO-78');
  const listHashes = async (query: string) =>
    (await callStaffApi('GET', `/admin/checkouts?${query}`)).body.data.map(
      ({ hash }: { hash: string }) => hash,
    );
  assert.deepEqual((await listHashes(`reference=${reference}`)).toSorted(), ownHashes.toSorted());
  assert.deepEqual(await listHashes(`reference=${reference}&merchant=${pharmacy}`), [ownHashes[1]]);
  assert.deepEqual(await listHashes('reference=PEDIDO-78'), [otherHash]);
  assert.deepEqual(await listHashes('reference=pedido-79'), []);
});

test('staff can dry-run, create, list and cancel an offer on behalf of a merchant', async () => {
  const offerInput = {
    merchant: 'padaria-flor-do-trigo',
    phone: '+5511987650002',
    amount: 90,
    installments: 3,
  };
  const offersPath = '/admin/offers?merchant=padaria-flor-do-trigo';
  const { total } = (await callStaffApi('GET', offersPath)).body.pagination;
  const dryRun = await callStaffApi('POST', '/admin/offers', { ...offerInput, dry_run: true });
  assert.deepEqual([dryRun.status, dryRun.body.quote.total], [200, 90]);
  assert.equal(
    (await callStaffApi('GET', offersPath)).body.pagination.total,
    total,
    'a dry run writes nothing',
  );
  const createResponse = await callStaffApi('POST', '/admin/offers', offerInput, {
    headers: { 'idempotency-key': 'offer-1' },
  });
  const repeatedResponse = await callStaffApi('POST', '/admin/offers', offerInput, {
    headers: { 'idempotency-key': 'offer-1' },
  });
  assert.deepEqual(
    [createResponse.status, repeatedResponse.body.id, createResponse.body.status],
    [201, createResponse.body.id, 'pending'],
  );
  assert.deepEqual(
    (await callStaffApi('GET', `/admin/offers/${createResponse.body.id}`)).body,
    createResponse.body,
  );
  assert.equal(
    (await callStaffApi('GET', `${offersPath}&status=pending`)).body.data[0].id,
    createResponse.body.id,
  );
  const cancelResponse = await callStaffApi('POST', `/admin/offers/${createResponse.body.id}/cancel`);
  assert.deepEqual([cancelResponse.status, cancelResponse.body.status], [200, 'cancelled']);
  assert.match(await run('offers cancel', createResponse.body.id), /cancelled/);
  assert.match(await run('offers list', '--status', 'cancelled'), new RegExp(createResponse.body.id));
  const unlistedResponse = await callStaffApi('POST', '/admin/offers', {
    ...offerInput,
    merchant: 'no-such-merchant',
  });
  assert.deepEqual([unlistedResponse.status, unlistedResponse.body.code], [409, 'merchant_unlisted']);
});

test('offers create supports dry runs, repeats an offer under an Idempotency-Key, sends a message and prints readable errors', async () => {
  const phone = '+5511987650002';
  const listOffers = () => callStaffApi('GET', '/admin/offers?merchant=otica-lume').then(({ body }) => body);
  const offerOptions = ['--merchant', 'otica-lume', '--amount', 'R$ 90,00', '--installments', '3'];
  const createOffer = (...extraOptions: string[]) =>
    run('offers create', '--phone', '11 98765-0002', ...offerOptions, ...extraOptions);
  assert.match(await createOffer('--dry-run'), /\d{4}-\d\d-\d\d +30\.00[\s\S]*Nothing was changed/);
  assert.equal((await listOffers()).pagination.total, 0);
  const idempotentOptions = [
    '--idempotency-key',
    'pedido-9',
    '--reference',
    'PEDIDO-9',
    '--description',
    'Lentes',
  ];
  const { id } = JSON.parse(await createOffer(...idempotentOptions, '--json'));
  assert.equal(JSON.parse(await createOffer(...idempotentOptions, '--json')).id, id);
  const { data } = await listOffers();
  assert.deepEqual(
    data.map((row: Record<string, unknown>) => [row.id, row.amount, row.reference, row.description]),
    [[id, 90, 'PEDIDO-9', 'Lentes']],
  );
  await eventually('the message is sent', async () => {
    const { body } = await callStaffApi('GET', `/sandbox/messages?phone=${encodeURIComponent(phone)}`);
    return body.data.some(({ text }: { text: string }) => text.includes(id));
  });
  await assert.rejects(createOffer('--reference', 'PEDIDO-9'), /another offer with the reference 'PEDIDO-9'/);
  await assert.rejects(run('offers create', '--phone', '+14155550123', ...offerOptions), /mobile/);
  await assert.rejects(run('offers create', '--phone', 'x', ...offerOptions), /phone/);
  await assert.rejects(
    createOffer('--installments', '2.5'),
    /--installments is '2\.5'; write a whole number/,
  );
  await assert.rejects(createOffer('--merchant', 'no-such-merchant'), /'no-such-merchant'/);
  await assert.rejects(createOffer('--amount', '90000'), /sells for/);
});
