import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { type Answer, eventually, openService, type Service } from '../../../test/harness.ts';
import { MERCHANT, newPhone, openShop, type Shopper } from '../../../test/shop.ts';
import { BRUNO, logIn, messagesTo, newCode } from '../../customers/testing.ts';

const service = await openService();
const neighbour = await service.join();
const shop = openShop(service);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const KEY = 'sandbox-merchant-key';
const merchantIdOf = async (slug: string) =>
  (await service.db.row<{ id: number }>(sql`select id from merchants where slug = ${slug}`))!.id;
const OTHER = 'otica-lume';
const otherKey = await keyOf(OTHER);

async function keyOf(slug: string): Promise<string> {
  const { secret } = await service.newKey({ scopes: ['merchant'], merchantId: await merchantIdOf(slug) });
  return eventually('the key is known', async () => {
    const answers = await Promise.all(
      [service, neighbour].map((node) => node.get('/merchant/offers', { key: secret })),
    );
    return answers.every(({ status }) => status === 200) && secret;
  });
}

function assertRefused(answer: Answer, status: number, code: string): Answer['body'] {
  assert.equal(`${answer.status} ${answer.body?.code}`, `${status} ${code}`, answer.text);
  return answer.body;
}

const order = (phone: string, more: object = {}, options: object = {}) =>
  service.post(
    '/merchant/offers',
    { phone, amount: 100, installments: 3, ...more },
    { key: KEY, ...options },
  );

async function offerTo(phone: string, more: object = {}, options: object = {}): Promise<Answer['body']> {
  const answer = await order(phone, more, options);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function show(id: string): Promise<Answer['body']> {
  const answer = await service.get(`/merchant/offers/${id}`, { key: KEY });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const tokenOf = async (shopper: Shopper) => (await logIn(service, shopper)).token;
const accept = (
  id: string,
  token: string,
  body: object = {},
  more: object = {},
  node: Pick<Service, 'post'> = service,
) => node.post(`/wallet/offers/${id}/accept`, body, { token, ...more });
const decline = (id: string, token: string, node: Pick<Service, 'post'> = service) =>
  node.post(`/wallet/offers/${id}/decline`, undefined, { token });
const cancel = (id: string, key = KEY, node: Pick<Service, 'post'> = service) =>
  node.post(`/merchant/offers/${id}/cancel`, undefined, { key });

async function eventsOf(offerId: string): Promise<string[]> {
  const rows = await service.db.rows<{ type: string }>(sql`
    select type from (select type, occurred_at, data from events union all
                      select type, occurred_at, data from global_events) as e
    where type like 'offer.%' and data ->> 'offer_id' = ${offerId} order by occurred_at, type`);
  return rows.map(({ type }) => type);
}

const sweep = async (isDone: () => Promise<boolean>) => {
  await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
  await eventually('the sweep was done', isDone);
};

test('the demo: an offer of the bakery waits for Bruno, who logs in by code', async () => {
  const sent = await newCode(service, BRUNO.phone);
  const { token } = (await service.post('/wallet/auth/otp/login', sent)).body;
  const { body } = await service.get('/wallet/offers?status=pending', { token });
  assert.deepEqual(
    body.data.map(({ merchant, quote }: Answer['body']) => [merchant.slug, quote.amount]),
    [[MERCHANT, 180]],
  );
  assert.equal((await accept(body.data[0].id, token)).status, 201);
  service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday, from here on
});

test('201: an offer to a phone, which is told of it; nothing of the person is', async () => {
  const phone = newPhone();
  const answer = await order(phone, { amount: 100, description: ' Bolo ', reference: 'A-1' });
  assert.equal(answer.status, 201, answer.text);
  const { id, ...body } = answer.body;
  assert.equal(answer.headers.get('location'), `/merchant/offers/${id}`);
  const link = `http://localhost:3003/carteira/ofertas/${id}`;
  assert.deepEqual(body, {
    status: 'pending',
    phone,
    description: 'Bolo',
    reference: 'A-1',
    checkout_hash: null,
    link,
    expires_at: '2027-03-03T15:00:00.000Z',
    created_at: '2027-03-01T15:00:00.000Z',
    quote: {
      amount: 100,
      installments: [
        { number: 1, due_on: '2027-03-08', amount: 33.34 },
        { number: 2, due_on: '2027-03-15', amount: 33.33 },
        { number: 3, due_on: '2027-03-22', amount: 33.33 },
      ],
      total: 100,
      cost: 0,
      terms: {
        weekly_rate_percent: 0,
        fine_percent: 2,
        late_interest_percent: 1,
        extension_fee_percent: 5,
        extension_days: 7,
        extension_limit: 2,
        cashback_percent: 2.5,
        cet_percent_month: 0,
        cet_percent_year: 0,
      },
    },
  });
  const [message] = await messagesTo(service, phone);
  assert.equal(
    message!.text,
    `Semana: Padaria Flor do Trigo oferece R$ 100,00 em até 3 parcelas semanais. Veja e responda em 2 dias: ${link}`,
  );
  assert.deepEqual(await show(id), answer.body);
  assert.deepEqual(await eventsOf(id), ['offer.created']);
  const known = await shop.newShopper();
  const toCustomer = (await order(known.phone, { description: ' Bolo ', reference: 'A-2' })).body;
  const faceless = (offer: Answer['body']) => ({ ...offer, id: '', link: '', phone: '', reference: '' });
  assert.deepEqual(faceless(toCustomer), faceless(answer.body), 'the same for a customer’s phone');
  const jobs = await service.db.rows(sql`
    select 1 from graphile_worker._private_jobs where payload::text like ${`%${phone.slice(1)}%`}`);
  assert.deepEqual(jobs, [], 'no phone in a job');
});

test('accepted: a purchase on the terms of the offer, linked to it, as the customer reads it from then on', async () => {
  const by = await shop.newShopper();
  const offer = await offerTo(by.phone, { amount: 99.99, description: 'Bolo' });
  const token = await tokenOf(by);
  const list = await service.get('/wallet/offers?status=pending', { token });
  assert.deepEqual(
    list.body.data.map(({ id, merchant }: Answer['body']) => [id, merchant.slug]),
    [[offer.id, MERCHANT]],
  );
  const read = await service.get(`/wallet/offers/${offer.id}`, { token });
  assert.deepEqual(read.body, list.body.data[0]);
  assert.deepEqual(read.body.quote, offer.quote);
  assert.ok(!('phone' in read.body) && !('reference' in read.body));

  const answer = await accept(offer.id, token);
  assert.equal(answer.status, 201, answer.text);
  const { hash } = answer.body;
  assert.equal(answer.headers.get('location'), `/wallet/checkouts/${hash}`);
  const checkout = await service.get(`/wallet/checkouts/${hash}`, { token });
  assert.deepEqual(answer.body, checkout.body);
  assert.deepEqual(answer.body.terms, offer.quote.terms);
  assert.deepEqual(
    answer.body.installments.map(({ number, due_on, amount }: Answer['body']) => ({
      number,
      due_on,
      amount,
    })),
    offer.quote.installments,
  );
  const shown = await show(offer.id);
  assert.deepEqual([shown.status, shown.checkout_hash], ['accepted', hash]);
  assert.equal(
    (await service.get('/wallet/offers?status=accepted', { token })).body.data[0].checkout_hash,
    hash,
  );
  assert.equal((await service.get('/wallet/offers?status=pending', { token })).body.pagination.total, 0);
  assert.deepEqual(await eventsOf(offer.id), ['offer.accepted', 'offer.created'].toSorted());
  const told = (await shop.events(by.id)).map(({ type, sequence }) => [type, sequence]);
  assert.deepEqual(told, [
    ['checkout.created', 1],
    ['offer.accepted', 2],
  ]);
  assertRefused(await accept(offer.id, token), 409, 'offer_closed');
  assertRefused(await decline(offer.id, token), 409, 'offer_closed');
  assert.equal(assertRefused(await cancel(offer.id), 409, 'offer_closed').offer_status, 'accepted');
});

test('accepted later: the days count from the day of acceptance, the terms are those of the offer', async () => {
  service.clock.set('2027-03-02T02:59:59.999Z'); // a millisecond before midnight in São Paulo, still Monday
  const by = await shop.newShopper();
  await service.db.run(sql`
    update merchants set weekly_rate_percent = 2, cashback_percent = 3, merchant_fee_percent = 4, payout_days = 1
    where slug = ${OTHER}`);
  const offer = await offerTo(by.phone, { amount: 1000, installments: 4 }, { key: otherKey });
  assert.deepEqual([offer.quote.installments[0].due_on, offer.quote.total], ['2027-03-08', 1050.5]);
  await service.db.run(sql`
    update merchants set weekly_rate_percent = 3, cashback_percent = 0, merchant_fee_percent = 9, payout_days = 9
    where slug = ${OTHER}`);
  service.clock.advance(1); // Tuesday
  const token = await tokenOf(by);
  const read = (await service.get(`/wallet/offers/${offer.id}`, { token })).body;
  assert.equal(read.quote.installments[0].due_on, '2027-03-09');
  const { body } = await accept(offer.id, token);
  assert.deepEqual(
    body.installments.map(({ due_on, amount }: Answer['body']) => [due_on, amount]),
    [
      ['2027-03-09', 262.62],
      ['2027-03-16', 262.62],
      ['2027-03-23', 262.62],
      ['2027-03-30', 262.64],
    ],
  );
  assert.deepEqual(body.terms, offer.quote.terms);
  assert.deepEqual(
    [body.terms.weekly_rate_percent, body.terms.cashback_percent, body.terms.cet_percent_year],
    [2, 3, 180.85],
  );
  const row = await service.db.row(sql`
    select merchant_fee_ppm, payout_days, offer_id from checkouts where customer_id = ${by.id} and hash = ${body.hash}`);
  assert.deepEqual(row, { merchant_fee_ppm: 40_000, payout_days: 1, offer_id: offer.id });
  assert.deepEqual(await shop.disagreements(), []);
});

test('in fewer installments, never in more: the quote says what that would be', async () => {
  const by = await shop.newShopper();
  const token = await tokenOf(by);
  const offer = await offerTo(by.phone, { amount: 100, installments: 3 });
  const read = (installments: number) =>
    service.get(`/wallet/offers/${offer.id}?installments=${installments}`, { token });
  assert.equal(assertRefused(await read(4), 422, 'too_many_installments').max_installments, 3);
  assertRefused(await accept(offer.id, token, { installments: 4 }), 422, 'too_many_installments');
  assertRefused(await accept(offer.id, token, { installments: 0 }), 400, 'validation_failed');
  assertRefused(await accept(offer.id, token, { installment: 2 }), 400, 'validation_failed');
  const { quote } = (await read(2)).body;
  const { body, status } = await accept(offer.id, token, { installments: 2 });
  assert.equal(status, 201);
  assert.deepEqual(
    body.installments.map(({ number, due_on, amount }: Answer['body']) => ({ number, due_on, amount })),
    quote.installments,
  );
  assert.equal((await show(offer.id)).quote.installments.length, 2, 'as it was agreed');
});

test('expires two days after it was made, to the millisecond; a job says so once', async () => {
  const by = await shop.newShopper();
  const [inTime, late] = [await offerTo(by.phone), await offerTo(by.phone)];
  service.clock.advance(2 * DAY - 1);
  const token = await tokenOf(by);
  assert.equal((await accept(inTime.id, token)).status, 201);
  service.clock.advance(1);
  assertRefused(await accept(late.id, token), 409, 'offer_expired');
  assertRefused(await decline(late.id, token), 409, 'offer_expired');
  assertRefused(await cancel(late.id), 409, 'offer_expired');
  assert.equal((await show(late.id)).status, 'expired', 'by the clock, before any job');
  const ids = async (status: string) =>
    (await service.get(`/merchant/offers?status=${status}&limit=100`, { key: KEY })).body.data.map(
      ({ id }: Answer['body']) => id,
    );
  assert.ok((await ids('expired')).includes(late.id) && !(await ids('pending')).includes(late.id));
  await sweep(async () => (await eventsOf(late.id)).includes('offer.expired'));
  assert.equal((await show(late.id)).status, 'expired');
  await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
  const { id: next } = await offerTo(newPhone());
  service.clock.advance(2 * DAY);
  await sweep(async () => (await eventsOf(next)).includes('offer.expired'));
  assert.deepEqual((await eventsOf(late.id)).filter((type) => type === 'offer.expired').length, 1);
});

test('declined or cancelled: once, and again it changes nothing', async () => {
  const by = await shop.newShopper();
  const token = await tokenOf(by);
  const [one, two] = [await offerTo(by.phone), await offerTo(by.phone)];
  for (let i = 0; i < 2; i++) assert.equal((await decline(one.id, token)).status, 204);
  assert.equal((await show(one.id)).status, 'declined');
  assert.deepEqual(await eventsOf(one.id), ['offer.created', 'offer.declined']);
  for (let i = 0; i < 2; i++) assert.equal((await cancel(two.id)).body.status, 'cancelled');
  assertRefused(await accept(one.id, token), 409, 'offer_closed');
  assertRefused(await accept(two.id, token), 409, 'offer_closed');
  assertRefused(await decline(two.id, token), 409, 'offer_closed');
  assertRefused(await cancel(one.id), 409, 'offer_closed');
});

test('404 for whoever has not the phone, and for other merchants: as if it did not exist', async () => {
  const [by, stranger] = [await shop.newShopper(), await shop.newShopper()];
  const offer = await offerTo(by.phone);
  const token = await tokenOf(stranger);
  const strange = [
    await service.get(`/wallet/offers/${offer.id}`, { token }),
    await accept(offer.id, token),
    await decline(offer.id, token),
  ];
  const elsewhere = [
    await service.get(`/merchant/offers/${offer.id}`, { key: otherKey }),
    await cancel(offer.id, otherKey),
  ];
  for (const answer of [...strange, ...elsewhere]) assertRefused(answer, 404, 'not_found');
  assertRefused(await accept('off_00000000000000000000000000', token), 404, 'not_found');
  assertRefused(await accept('off_x', token), 404, 'not_found');
  assert.equal((await service.get('/wallet/offers', { token })).body.pagination.total, 0);
  const theirs = await service.get('/merchant/offers?limit=100', { key: otherKey });
  assert.ok(theirs.body.data.every(({ id }: Answer['body']) => id !== offer.id));
  assert.equal((await show(offer.id)).status, 'pending');
  assertRefused(await service.get('/merchant/offers'), 403, 'scope_missing');
  assertRefused(await service.get('/wallet/offers', { key: KEY }), 403, 'scope_missing');
});

test('who takes over a phone sees its offers, who gave it up does not', async () => {
  const by = await shop.newShopper();
  const offer = await offerTo(by.phone);
  const token = await tokenOf(by);
  await service.db.run(sql`update customers set phone = ${newPhone()} where id = ${by.id}`);
  assertRefused(await service.get(`/wallet/offers/${offer.id}`, { token }), 404, 'not_found');
  assertRefused(await accept(offer.id, token), 404, 'not_found');
});

test('422 credit_limit_exceeded with what is available, 409 customer_overdue: the offer still waits', async () => {
  const by = await shop.newShopper(150);
  const [one, two] = [await offerTo(by.phone), await offerTo(by.phone)];
  let token = await tokenOf(by);
  assert.equal((await accept(one.id, token)).status, 201);
  const refused = assertRefused(await accept(two.id, token), 422, 'credit_limit_exceeded');
  assert.deepEqual([refused.limit, refused.used, refused.available, refused.total], [150, 100, 50, 100]);
  assert.equal((await show(two.id)).status, 'pending');
  await service.db.run(sql`update customers set credit_limit_cents = 1000000 where id = ${by.id}`);
  service.clock.advance(12 * DAY); // the first was due after seven, on a Saturday
  const three = await offerTo(by.phone);
  token = await tokenOf(by);
  assertRefused(await accept(three.id, token), 409, 'customer_overdue');
  assert.equal((await show(three.id)).status, 'pending');
});

test('of acceptances at once, on several nodes, one is a purchase; with one key all give the same', async () => {
  const by = await shop.newShopper();
  const token = await tokenOf(by);
  const offer = await offerTo(by.phone);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => accept(offer.id, token, {}, {}, i % 2 ? neighbour : service)),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assertRefused(answer, 409, 'offer_closed');

  const second = await offerTo(by.phone);
  const headers = { 'idempotency-key': 'till 1' };
  const repeated = [];
  for (let i = 0; i < 3; i++)
    repeated.push(await accept(second.id, token, {}, { headers }, i % 2 ? neighbour : service));
  assert.deepEqual(
    repeated.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(new Set(repeated.map(({ body }) => body.hash)).size, 1);
  assert.equal(repeated[2]!.headers.get('idempotency-replayed'), 'true');
  assertRefused(
    await accept(second.id, token, { installments: 1 }, { headers }),
    422,
    'idempotency_key_reused',
  );
  const third = await offerTo(by.phone);
  assertRefused(await accept(third.id, token, {}, { headers }), 422, 'idempotency_key_reused');
  const { checkouts } = (await service.db.row<{ checkouts: number }>(
    sql`select count(*) as checkouts from checkouts where customer_id = ${by.id}`,
  ))!;
  assert.equal(checkouts, 2);
});

test('two offers over one limit: exactly one is accepted, whichever comes first', async () => {
  for (let round = 0; round < 3; round++) {
    const by = await shop.newShopper(150);
    const token = await tokenOf(by);
    const offers = [await offerTo(by.phone), await offerTo(by.phone, {}, { key: otherKey })];
    const answers = await Promise.all(
      offers.map(({ id }, i) => accept(id, token, {}, {}, i === 0 ? service : neighbour)),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422]);
  }
});

test('acceptance against decline, cancellation and expiry: exactly one outcome, and what is told is what is written', async () => {
  for (let round = 0; round < 4; round++) {
    const by = await shop.newShopper();
    const token = await tokenOf(by);
    const { id } = await offerTo(by.phone);
    const [accepted, declined, cancelled] = await Promise.all([
      accept(id, token),
      decline(id, token, neighbour),
      cancel(id, KEY, neighbour),
    ]);
    const won = [accepted!.status === 201, declined!.status === 204, cancelled!.status === 200];
    assert.equal(won.filter(Boolean).length, 1, won.join());
    const { status, checkout_hash } = await show(id);
    assert.equal(status, ['accepted', 'declined', 'cancelled'][won.indexOf(true)]);
    assert.equal(checkout_hash !== null, won[0]);
  }
  const by = await shop.newShopper();
  const { id } = await offerTo(by.phone);
  service.clock.advance(2 * DAY - 1);
  const token = await tokenOf(by);
  const racing = Promise.all(Array.from({ length: 4 }, () => accept(id, token)));
  service.clock.advance(1);
  await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
  const answers = await racing;
  const bought = answers.filter(({ status }) => status === 201).length;
  const { status } = await eventually('it is closed', async () => {
    const offer = await show(id);
    return offer.status !== 'pending' && offer;
  });
  assert.equal(status, bought === 1 ? 'accepted' : 'expired');
  for (const answer of answers.filter((one) => one.status !== 201))
    assert.ok(['offer_expired', 'offer_closed'].includes(answer.body.code), answer.text);
});

test('the same reference and content is the same offer, also at once; with other content 422', async () => {
  const phone = newPhone();
  const more = { reference: 'B-7', description: 'Pão' };
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      (i % 2 ? neighbour : service).post(
        '/merchant/offers',
        { phone, amount: 100, installments: 3, ...more },
        { key: KEY },
      ),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  for (let i = 0; i < 6; i++) assert.equal((await order(phone, more)).status, 200, 'it counts for no limit');
  for (const other of [{ amount: 100.01 }, { installments: 2 }, { description: 'Bolo' }])
    assertRefused(await order(phone, { ...more, ...other }), 422, 'reference_reused');
  assertRefused(await order(newPhone(), more), 422, 'reference_reused');
  assert.equal((await order(phone, more, { key: otherKey })).status, 201, 'another merchant’s is another');
  assert.equal((await messagesTo(service, phone)).length, 2);
});

test('the same Idempotency-Key is the same answer; a key of another merchant of the partner is another request', async () => {
  const phone = newPhone();
  const { partner_id } = (await service.db.row<{ partner_id: string }>(
    sql`select partner_id from api_keys where merchant_id = ${await merchantIdOf(MERCHANT)}`,
  ))!;
  const sister = (
    await service.newKey({
      scopes: ['merchant'],
      merchantId: await merchantIdOf(OTHER),
      partnerId: partner_id,
    })
  ).secret;
  await eventually(
    'the key is known',
    async () => (await service.get('/merchant/offers', { key: sister })).status === 200,
  );
  const headers = { 'idempotency-key': 'pedido 1' };
  const first = await order(phone, {}, { headers });
  const again = await order(phone, {}, { headers });
  assert.deepEqual(
    [again.status, again.body, again.headers.get('idempotency-replayed')],
    [201, first.body, 'true'],
  );
  assertRefused(await order(phone, { amount: 101 }, { headers }), 422, 'idempotency_key_reused');
  assertRefused(await order(phone, {}, { headers, key: sister }), 422, 'idempotency_key_reused');
  assert.equal((await messagesTo(service, phone)).length, 1);
});

test('429 too_many_offers: 5 a day of one merchant, 10 that wait, 20 a day of all; what is refused sends nothing', async () => {
  const phone = newPhone();
  const keys = [KEY, otherKey, await keyOf('otica-pupila')];
  const burst = await Promise.all(Array.from({ length: 7 }, () => order(phone)));
  assert.deepEqual(burst.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 429, 429]);
  const refused = burst.find(({ status }) => status === 429)!;
  assertRefused(refused, 429, 'too_many_offers');
  assert.match(refused.headers.get('retry-after')!, /^86[34]\d\d$/);
  const more = await Promise.all(Array.from({ length: 7 }, () => order(phone, {}, { key: keys[1] })));
  assert.equal(more.filter(({ status }) => status === 201).length, 5);
  assertRefused(await order(phone, {}, { key: keys[2] }), 429, 'too_many_offers'); // ten wait
  assert.equal((await messagesTo(service, phone)).length, 10);
  for (const { body } of burst.filter(({ status }) => status === 201)) await cancel(body.id);
  assert.equal((await order(phone, {}, { key: keys[2] })).status, 201, 'there is room again');
  service.clock.advance(DAY);
  assert.equal((await order(phone)).status, 201, 'the next day');
});

test('what is not of the plan, or of no phone that messages go to, is refused, and nothing is written', async () => {
  const phone = newPhone();
  const range = assertRefused(await order(phone, { amount: 9.99 }), 422, 'amount_out_of_range');
  assert.deepEqual([range.min_amount, range.max_amount], [10, 5000]);
  assertRefused(await order(phone, { amount: 5000.01 }), 422, 'amount_out_of_range');
  const many = assertRefused(await order(phone, { installments: 13 }), 422, 'too_many_installments');
  assert.equal(many.max_installments, 12);
  for (const [fault, pointer] of [
    [{ amount: 10.005 }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: '100' }, '/amount'],
    [{ installments: 0 }, '/installments'],
    [{ phone: '11987650001' }, '/phone'],
    [{ reference: ' ' }, '/reference'],
    [{ terms: {} }, '/terms'],
  ] as const)
    assert.equal(
      assertRefused(await order(phone, fault), 400, 'validation_failed').errors[0].pointer,
      pointer,
    );
  assertRefused(await order('+551132345678'), 422, 'phone_not_supported');
  const { count } = (await service.db.row<{ count: number }>(
    sql`select count(*) from offers where phone in (${phone}, '+551132345678')`,
  ))!;
  assert.equal(count, 0);
});

test('a merchant that is no longer listed makes no offers; those it made hold', async () => {
  const slug = 'otica-vista-linda';
  const key = await keyOf(slug);
  const by = await shop.newShopper();
  const offer = await offerTo(by.phone, {}, { key });
  await service.db.run(sql`update merchants set listed = false where slug = ${slug}`);
  assertRefused(await order(by.phone, {}, { key }), 409, 'merchant_unlisted');
  assertRefused(
    await service.post('/merchant/quotes', { amount: 100, installments: 1 }, { key }),
    409,
    'merchant_unlisted',
  );
  assert.equal((await accept(offer.id, await tokenOf(by))).status, 201);
});

test('a message whose job was lost is sent by the sweep, once', async () => {
  const phone = newPhone();
  const { id } = await offerTo(phone);
  await messagesTo(service, phone);
  await service.db.run(sql`update offers set message = 'queued' where id = ${id}`);
  await service.db.run(sql`delete from sandbox_messages where phone = ${phone}`);
  service.clock.advance(HOUR);
  await sweep(async () => (await messagesTo(service, phone)).length === 1);
  const { message } = (await service.db.row<{ message: string }>(
    sql`select message from offers where id = ${id}`,
  ))!;
  assert.equal(message, 'sent');
});

test('what was offered never changes, also for somebody at the SQL prompt', async () => {
  await assert.rejects(service.db.run(sql`update offers set amount_cents = 1`), /append-only/);
});
