import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { eventually, openService } from '../../test/harness.ts';
import { MERCHANT_KEY } from '../../test/stall.ts';
import {
  assertRefused,
  BRUNO,
  enter,
  newCode,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  whenSent,
} from '../../test/support/customers.ts';
import { insertPhoneMessage } from './store.ts';
import { TEMPLATES, templateOf } from './templates.ts';

const service = await openService();

const inboxOf = async (phone: string) => {
  const path = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
  return (await service.staff('GET', path, { key: OPERATOR_KEY })).body.data as Array<
    Record<string, unknown>
  >;
};
const offerTo = (phone: string) =>
  service.post('/merchant/offers', { phone, amount: 90, installments: 3 }, { key: MERCHANT_KEY });
const sweep = () =>
  service.db.transaction((tx) => enqueue(tx, 'messages_sweep', {}, 1, { key: 'messages_sweep' }));

test('codes and offers go by the outbox: what was sent is in the inbox, with its template and channel', async () => {
  const { code } = await newCode(service, BRUNO.phone);
  const [sent] = await inboxOf(BRUNO.phone);
  assert.deepEqual(
    [sent!.template, sent!.channel, sent!.code, sent!.step, sent!.link],
    ['login_code', 'sms', code, null, null],
  );
  const phone = newPhone();
  const { body: offer } = await offerTo(phone);
  const [told] = await inboxOf(phone);
  assert.deepEqual([told!.template, told!.channel, told!.code], ['offer', 'sms', null]);
  assert.equal(told!.link, offer.link);
  assert.ok((told!.text as string).endsWith(offer.link));
  const kept = await service.db.row<{ status: string; parts: Buffer | null }>(
    sql`select status, parts from phone_messages where template = 'offer' order by created_at desc limit 1`,
  );
  assert.deepEqual(kept, { status: 'sent', parts: null });
});

/** As it is written, without the job that sends it. */
async function writeWithoutJob(phone: string, offerId: string, now: Date): Promise<string> {
  const id = newId('msg', now);
  const parts = { offerId, merchant: 'Loja', amountCents: 9_000, installments: 3, link: 'https://x.example' };
  await service.db.transaction((tx) => insertPhoneMessage(tx, { id, phone, template: 'offer', parts, now }));
  return id;
}
const statusOf = async (id: string) =>
  (await service.db.row<{ status: string }>(sql`select status from phone_messages where id = ${id}`))!.status;
const anHourAgo = () => new Date(service.clock.now().getTime() - 3_600_000);

test('a message whose job was lost is sent by the sweep, once', async () => {
  const { body: offer } = await offerTo(newPhone());
  const phone = newPhone();
  const id = await writeWithoutJob(phone, offer.id, anHourAgo());
  for (let i = 0; i < 2; i++) {
    await sweep();
    await eventually('it is sent', async () => (await statusOf(id)) === 'sent');
  }
  assert.equal((await inboxOf(phone)).length, 1);
});

test('what is no longer true is not sent: an offer that was cancelled meanwhile, a message that came too late', async () => {
  const { body: offer } = await offerTo(newPhone());
  const phone = newPhone();
  const late = await writeWithoutJob(phone, offer.id, new Date(anHourAgo().getTime() - 2 * 86_400_000));
  await service.post(`/merchant/offers/${offer.id}/cancel`, undefined, { key: MERCHANT_KEY });
  const untrue = await writeWithoutJob(phone, offer.id, anHourAgo());
  await sweep();
  await eventually('both are over', async () => (await statusOf(untrue)) === 'withdrawn');
  await eventually('both are over', async () => (await statusOf(late)) === 'withdrawn');
  assert.deepEqual(await inboxOf(phone), []);
});

test('every template writes its example for every channel, without an empty part', () => {
  const creditor = { name: 'Credora', cnpj: '11.222.333/0001-81', address: 'Rua', email: 'a@b.example' };
  const walletPage = (page: string) => `https://semana.example/carteira/${page}`;
  for (const name of Object.keys(TEMPLATES) as Array<keyof typeof TEMPLATES>) {
    const template = templateOf(name);
    for (const channel of ['whatsapp', 'sms', 'email', 'push'] as const) {
      const text = template.text(template.example, { channel, creditor, walletPage });
      assert.match(text, /^Semana: /, name);
      assert.ok(!/undefined|null|NaN/.test(text), `${name}: ${text}`);
    }
  }
});

test('preferences: as usual until chosen; what is left out stays; wrong ones are refused', async () => {
  const { token } = await enter(service, await newCustomer(service));
  const path = '/wallet/preferences';
  const usual = { channels: ['whatsapp', 'sms', 'email', 'push'], reminders_before_due: true, news: false };
  assert.deepEqual((await service.get(path, { token })).body, usual);
  const put = (body: unknown) => service.call('PUT', path, { token, body });
  const chosen = { ...usual, channels: ['email', 'sms'] };
  assert.deepEqual((await put({ channels: ['email', 'sms'] })).body, chosen);
  assert.deepEqual((await put({ news: true })).body, { ...chosen, news: true });
  assert.deepEqual((await service.get(path, { token })).body, { ...chosen, news: true });
  for (const body of [{ channels: [] }, { channels: ['sms', 'sms'] }, { channels: ['fax'] }, { news: 'sim' }])
    assertRefused(await put(body), 400, 'validation_failed');
});

test('what a customer was told is listed in pages, newest first, without codes, and to nobody else', async () => {
  const customer = await newCustomer(service);
  const { token } = await enter(service, customer);
  for (let i = 0; i < 3; i++) await offerTo(customer.phone);
  await newCode(service, customer.phone);
  await whenSent(service, customer.phone, 4);
  const { body, headers } = await eventually('all are there', async () => {
    const answer = await service.get('/wallet/messages?limit=2', { token });
    return answer.body.pagination.total === 3 && answer;
  });
  assert.equal(body.data.length, 2);
  assert.match(headers.get('link') ?? '', /rel="next"/);
  const [one] = body.data;
  assert.deepEqual(Object.keys(one), ['id', 'template', 'step', 'channel', 'text', 'status', 'sent_at']);
  assert.deepEqual([one.template, one.channel, one.status], ['offer', 'sms', 'sent']);
  const other = await enter(service, await newCustomer(service));
  const none = await service.get('/wallet/messages', { token: other.token });
  assert.equal(none.body.pagination.total, 0);
});
