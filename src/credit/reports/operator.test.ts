/** The operator's view of purchases and offers, and what the operator can change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY, openShop } from '../../../test/shop.ts';
import { enter } from '../../../test/support/customers.ts';

const service = await openService();
const shop = openShop(service);
const run = commandRunner(service);
/** A Friday. */
const BOUGHT = '2027-02-26T15:00:00.000Z';
const inDays = (days: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT) + days * DAY_MS).toISOString());

const staff = (method: string, path: string, body?: unknown, more = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }), ...more });

test('a purchase that is written off is a loss in the book, owed all the same, and each centavo that is paid is one less', async () => {
  inDays(0);
  const by = await shop.newShopper();
  const { hash, installments } = await shop.sell(by, { installments: 2 });
  const [first, second] = installments.map(({ id }: { id: string }) => id);
  await shop.pay(by.id, first, 20);
  inDays(40);
  const seen = (await shop.ask(by, `/wallet/checkouts/${hash}`)).body;
  const written = await shop.writeOff(hash);
  assert.deepEqual([written.status, written.body.outstanding], [200, 80]);
  assert.deepEqual(await shop.balances(by.id), {
    credit_losses: 8_000,
    merchant_payable: -10_000,
    pix_clearing: 2_000,
  });
  assert.deepEqual((await shop.ask(by, `/wallet/checkouts/${hash}`)).body, seen, 'the same for the customer');
  assert.equal((await shop.look(hash)).written_off_at, '2027-04-07T15:00:00.000Z');
  assert.deepEqual(await shop.disagreements(by.id), []);

  // Penalties come first, and are income; the rest is recovered.
  const due = seen.installments[1];
  await shop.pay(by.id, second, due.total_due);
  const { credit_losses, receivable = 0 } = await shop.balances(by.id);
  assert.deepEqual([credit_losses, receivable], [3_000, 0]);
  assert.deepEqual(await shop.disagreements(by.id), []);
  const again = await shop.writeOff(hash);
  assert.deepEqual([again.status, again.body.code], [409, 'nothing_to_write_off']);

  const back = await shop.reinstate(hash);
  assert.deepEqual([back.status, back.body.written_off_at], [200, null]);
  assert.equal((await shop.balances(by.id)).credit_losses, undefined);
  assert.equal((await shop.balances(by.id)).receivable, 3_000);
  assert.deepEqual([(await shop.reinstate(hash)).body.code], ['not_written_off']);
  assert.deepEqual(await shop.disagreements(by.id), []);

  assert.equal(await run('checkout write-off', hash, '--reason', 'Mudou-se'), '30.00 is a loss from now on.');
  const rest = (await shop.look(hash)).installments[0].total_due;
  await shop.pay(by.id, first, rest);
  assert.equal((await shop.balances(by.id)).credit_losses, undefined, 'all of it is recovered');
  assert.equal((await shop.look(hash)).status, 'paid');
  assert.deepEqual(await shop.disagreements(by.id), []);
  const { body: trail } = await staff('GET', `/admin/audit-trail?subject=checkout:${hash}`);
  assert.deepEqual(
    trail.data.map(({ action, reason }: { action: string; reason: string | null }) => [action, reason]),
    [
      ['checkout write-off', 'Mudou-se'],
      ['reinstateCheckout', 'Sem esperança'],
      ['writeOffCheckout', 'Sem esperança'],
      ['createCheckout', null],
    ],
  );
  const unknown = await shop.book('0'.repeat(22), 'write-off').catch(({ message }) => message);
  assert.match(String(unknown), /not_found/);
});

test('purchases of all customers by status, merchant, customer and days; the list says what each says by itself', async () => {
  inDays(0);
  const [ana, bia] = [await shop.newShopper(), await shop.newShopper()];
  const [paid, late] = [await shop.sell(ana), await shop.sell(ana, { installments: 2 })];
  await shop.pay(ana.id, paid.installments[0].id, 100);
  inDays(10);
  const open = await shop.sell(bia, { merchant: 'farmacia-sao-jocundo', amount: 50 });
  const hashes = async (query: string) => {
    const { status, body, text } = await staff('GET', `/admin/checkouts?${query}`);
    assert.equal(status, 200, text);
    return body.data.map(({ hash }: { hash: string }) => hash);
  };
  assert.deepEqual(await hashes(`customer=${ana.id}`), [paid.hash, late.hash].toSorted().toReversed());
  assert.deepEqual(await hashes(`customer=${ana.id}&status=paid`), [paid.hash]);
  assert.deepEqual(await hashes(`customer=${ana.id}&status=overdue`), [late.hash]);
  assert.deepEqual(await hashes(`customer=${ana.id}&days_late=1-7`), [late.hash]);
  for (const age of ['8-30', '31-90', '90%2B'])
    assert.deepEqual(await hashes(`customer=${ana.id}&days_late=${age}`), [], age);
  assert.deepEqual(await hashes(`merchant=farmacia-sao-jocundo&from=2027-03-08&status=open`), [open.hash]);
  assert.deepEqual(await hashes(`customer=${encodeURIComponent(bia.phone)}&to=2027-03-07`), []);
  assert.deepEqual(await hashes('merchant=nobody'), []);
  await shop.writeOff(late.hash);
  assert.deepEqual(await hashes(`written_off=true&customer=${ana.id}`), [late.hash]);
  const { body } = await staff('GET', `/admin/checkouts?customer=${ana.id}&status=overdue`);
  const { terms, installments, cost, autopay, receipts, returns, ...detail } = await shop.look(late.hash);
  assert.equal(detail.customer_name, 'Davi Teste');
  assert.deepEqual(body.data, [{ ...detail, offer_id: null }]);
  const csv = await staff('GET', `/admin/checkouts?customer=${ana.id}&sort=oldest`, undefined, {
    headers: { accept: 'text/csv' },
  });
  const [head, ...lines] = csv.text.trimEnd().split('\r\n');
  assert.match(head!, /^hash,status,merchant_slug,merchant_name,.*,amounts_outstanding,/);
  assert.equal(lines.length, 2);
  assert.match(await run('checkout list', '--customer', ana.phone, '--written-off'), new RegExp(late.hash));

  const { body: found } = await staff('GET', '/admin/customers?status=overdue&limit=100');
  const ids = found.data.map(({ id }: { id: string }) => id);
  assert.deepEqual([ids.includes(ana.id), ids.includes(bia.id)], [true, false]);
  // Two of 50.00 a week apart, of which one is late.
  const { amount, effective_due_on } = late.installments[0];
  const overdue = { amount, since: effective_due_on };
  assert.deepEqual(found.data.find(({ id }: { id: string }) => id === ana.id).overdue, overdue);
  const { body: other } = await staff('GET', `/admin/customers?phone=${encodeURIComponent(bia.phone)}`);
  assert.deepEqual(other.data[0].overdue, { amount: 0, since: null });
  const listed = await run('customer list', '--status', 'overdue', '--limit', '1000');
  assert.match(listed, new RegExp(`${ana.id} .*${amount.toFixed(2)} since ${effective_due_on}`));
});

test('purchases by the merchant’s reference: of every merchant that uses it, and none for an unknown one', async () => {
  const reference = 'PEDIDO-77';
  const other = 'farmacia-sao-jocundo';
  const by = await shop.newShopper();
  const { token } = await enter(service, by);
  const sold = async (merchant: string, as = reference) => {
    const order = { merchant, phone: by.phone, amount: 60, installments: 2, reference: as };
    const offer = await staff('POST', '/admin/offers', order);
    assert.equal(offer.status, 201, offer.text);
    const accepted = await service.post(`/wallet/offers/${offer.body.id}/accept`, {}, { token });
    assert.equal(accepted.status, 201, accepted.text);
    return accepted.body.hash as string;
  };
  const mine = [await sold('padaria-flor-do-trigo'), await sold(other)];
  const [, ofOther] = [await shop.sell(by), await sold(other, 'PEDIDO-78')];
  const hashes = async (query: string) =>
    (await staff('GET', `/admin/checkouts?${query}`)).body.data.map(({ hash }: { hash: string }) => hash);
  assert.deepEqual((await hashes(`reference=${reference}`)).toSorted(), mine.toSorted());
  assert.deepEqual(await hashes(`reference=${reference}&merchant=${other}`), [mine[1]]);
  assert.deepEqual(await hashes('reference=PEDIDO-78'), [ofOther]);
  assert.deepEqual(await hashes('reference=pedido-79'), []);
});

test('an offer in the name of a merchant: rehearsed, made once, listed, taken back', async () => {
  const order = { merchant: 'padaria-flor-do-trigo', phone: '+5511987650002', amount: 90, installments: 3 };
  const mine = '/admin/offers?merchant=padaria-flor-do-trigo';
  const { total } = (await staff('GET', mine)).body.pagination;
  const dry = await staff('POST', '/admin/offers', { ...order, dry_run: true });
  assert.deepEqual([dry.status, dry.body.quote.total], [200, 90]);
  assert.equal((await staff('GET', mine)).body.pagination.total, total, 'a dry run writes nothing');
  const made = await staff('POST', '/admin/offers', order, { headers: { 'idempotency-key': 'offer-1' } });
  const again = await staff('POST', '/admin/offers', order, { headers: { 'idempotency-key': 'offer-1' } });
  assert.deepEqual([made.status, again.body.id, made.body.status], [201, made.body.id, 'pending']);
  assert.deepEqual((await staff('GET', `/admin/offers/${made.body.id}`)).body, made.body);
  assert.equal((await staff('GET', `${mine}&status=pending`)).body.data[0].id, made.body.id);
  const cancelled = await staff('POST', `/admin/offers/${made.body.id}/cancel`);
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
  assert.equal(await run('offer cancel', made.body.id), `Offer ${made.body.id} is cancelled.`);
  assert.match(await run('offer list', '--status', 'cancelled'), new RegExp(made.body.id));
  const unknown = await staff('POST', '/admin/offers', { ...order, merchant: 'nobody' });
  assert.deepEqual([unknown.status, unknown.body.code], [409, 'merchant_unlisted']);
});

test('an offer by command: rehearsed, made once with its trail and a message, refused in words', async () => {
  const phone = '+5511987650002';
  const mine = () => staff('GET', '/admin/offers?merchant=otica-lume').then(({ body }) => body);
  const words = ['--merchant', 'otica-lume', '--amount', 'R$ 90,00', '--installments', '3'];
  const offer = (...more: string[]) => run('offer create', '--phone', '11 98765-0002', ...words, ...more);
  assert.match(await offer('--dry-run'), /1 +\d{4}-\d\d-\d\d +30\.00[\s\S]*Nothing was written/);
  assert.equal((await mine()).pagination.total, 0);
  const id = await offer('--reference', 'PEDIDO-9', '--description', 'Lentes');
  assert.equal(await offer('--reference', 'PEDIDO-9', '--description', 'Lentes'), id);
  const { data } = await mine();
  assert.deepEqual(
    data.map(({ id, amount, reference, description }: Record<string, unknown>) => [
      id,
      amount,
      reference,
      description,
    ]),
    [[id, 90, 'PEDIDO-9', 'Lentes']],
  );
  const trail = await staff('GET', `/admin/audit-trail?subject=offer:${id}`);
  assert.deepEqual(
    trail.body.data.map(({ action }: { action: string }) => action),
    ['offer create'],
  );
  await eventually('the message is sent', async () => {
    const { body } = await staff('GET', `/sandbox/messages?phone=${encodeURIComponent(phone)}`);
    return body.data.some(({ text }: { text: string }) => text.includes(id));
  });
  await assert.rejects(offer('--reference', 'PEDIDO-9'), /another offer with the reference 'PEDIDO-9'/);
  await assert.rejects(run('offer create', '--phone', '+14155550123', ...words), /mobile numbers only/);
  await assert.rejects(run('offer create', '--phone', 'x', ...words), /--phone is written like/);
  await assert.rejects(offer('--installments', '2.5'), /whole number from 1 to 52/);
  await assert.rejects(offer('--merchant', 'nobody'), /There is no merchant 'nobody'/);
  await assert.rejects(offer('--amount', '90000'), /sells for/);
});

test('a purchase made by command leaves a trail', async () => {
  const by = await shop.newShopper();
  const words = ['--merchant', 'padaria-flor-do-trigo', '--amount', '20', '--installments', '1'];
  const hash = await run('checkout create', '--customer', by.phone, ...words);
  const { body } = await staff('GET', `/admin/audit-trail?subject=checkout:${hash}`);
  const [entry] = body.data;
  assert.deepEqual([entry.action, entry.after.customer_id], ['checkout create', by.id]);
});
