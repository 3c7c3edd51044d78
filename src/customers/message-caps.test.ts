import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type Answer, type Node, openService } from '../../test/harness.ts';
import { assertRefused, MERCHANT_KEY } from '../../test/stall.ts';
import {
  BEHIND_PROXY,
  elsewhere,
  from,
  keyOfAnotherPartner,
  messagesTo,
  newPhone,
  whenSent,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
// At the beginning of a window, with none before.
beforeEach(() =>
  service.clock.set(
    new Date((Math.floor(service.clock.now().getTime() / DAY_MS) + 3) * DAY_MS).toISOString(),
  ),
);

const strict = (env: Record<string, string>) => service.join(undefined, env);
const askCode = (node: Node, options: object = elsewhere()) =>
  node.post('/wallet/auth/otp', { phone: newPhone() }, options);
const offer = (node: Node, phone: string) =>
  node.post('/merchant/offers', { phone, amount: 90, installments: 3 }, { key: MERCHANT_KEY });
const count = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;
const metric = async (node: Node, line: string) => {
  const { text } = await node.staff('GET', '/metrics', { key: null });
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
};

test('MESSAGES_PER_KEY: so many an hour with one key, however many at once and from wherever; other keys go on', async () => {
  const nodes = [await strict({ MESSAGES_PER_KEY: '5' }), await strict({ MESSAGES_PER_KEY: '5' })];
  const otherKey = await keyOfAnotherPartner(service);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => askCode(nodes[i % 2]!)));
  assert.equal(count(answers, 202), 5);
  const refused = answers.filter(({ status }) => status !== 202);
  for (const answer of refused) assertRefused(answer, 429, 'rate_limited');
  assert.equal((await askCode(nodes[0]!, { ...elsewhere(), key: otherKey })).status, 202);

  const seconds = Number(refused[0]!.headers.get('retry-after'));
  assert.ok(seconds > 3600 && seconds <= 2 * 3600, String(seconds));
  service.clock.advance((seconds - 5) * 1_000);
  assertRefused(await askCode(nodes[1]!), 429, 'rate_limited');
  service.clock.advance(5_000);
  assert.equal((await askCode(nodes[1]!)).status, 202);
});

test('MESSAGES_PER_NETWORK: so many an hour from an IPv4 /24 or an IPv6 /48; what is refused sends and counts nothing', async () => {
  const node = await strict({ MESSAGES_PER_NETWORK: '3' });
  for (const [network, other] of [
    [(i: number) => `203.0.113.${i}`, '203.0.114.1'],
    [(i: number) => `2001:db8:7:${i}::1`, '2001:db8:8:1::1'],
  ] as const) {
    for (let i = 1; i <= 3; i++) assert.equal((await askCode(node, from(network(i)))).status, 202);
    const phone = newPhone();
    const ask = (address: string) => node.post('/wallet/auth/otp', { phone }, from(address));
    assertRefused(await ask(network(9)), 429, 'rate_limited');
    assert.deepEqual(await messagesTo(node, phone), []);
    assert.equal((await ask(other)).status, 202);
    await whenSent(node, phone, 1);
  }
});

test('MESSAGES_PER_HOUR: codes and offers together, whoever asks; the operator is warned once at 80 %', async () => {
  const node = await strict({ MESSAGES_PER_HOUR: '10' });
  for (let i = 0; i < 3; i++) assert.equal((await offer(node, newPhone())).status, 201);
  for (let i = 0; i < 4; i++) assert.equal((await askCode(node)).status, 202);
  assert.doesNotMatch(node.logged(), /near their cap/);
  for (let i = 0; i < 3; i++) assert.equal((await askCode(node)).status, 202);
  assertRefused(await askCode(node), 429, 'rate_limited');
  assertRefused(await offer(node, newPhone()), 429, 'rate_limited');
  assert.equal(node.logged().match(/messages are near their cap/g)?.length, 1);
  assert.equal(await metric(node, 'message_caps_total{cap="overall",outcome="near"} '), 1);
  assert.equal(await metric(node, 'message_caps_total{cap="overall",outcome="refused"} '), 2);
});

test('NEW_PHONES_PER_MERCHANT: so many strangers a day; phones that it made offers to before are none', async () => {
  const node = await strict({ NEW_PHONES_PER_MERCHANT: '2' });
  const [known, next] = [newPhone(), newPhone()];
  assert.equal((await offer(node, known)).status, 201);
  assert.equal((await offer(node, next)).status, 201);
  const refused = await offer(node, newPhone());
  assertRefused(refused, 429, 'too_many_offers');
  assert.ok(Number(refused.headers.get('retry-after')) > 86_400);
  assert.equal((await offer(node, known)).status, 201);
});

test('no link in a merchant’s name goes into a message', async () => {
  const named = (name: string) => sql`
    update merchants set name = ${name} where slug = 'padaria-flor-do-trigo'`;
  await service.db.run(named('Prêmio https://golpe.example/x bit.ly/abc'));
  const phone = newPhone();
  const { body } = await offer(service, phone);
  await whenSent(service, phone, 1);
  const [message] = await messagesTo(service, phone);
  assert.match(message!.text, /^Semana: Prêmio golpe example x bit ly abc oferece R\$ 90,00 /);
  assert.deepEqual(message!.text.match(/\S+:\/\/\S+/g), [body.link]);
  await service.db.run(named('Padaria Flor do Trigo'));
});
