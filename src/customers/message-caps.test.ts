import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, type Node, openService } from '../../test/harness.ts';
import { MERCHANT_KEY } from '../../test/offer-driver.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  createOtherPartnerKey,
  hashCheaply,
  ipAddressOptions,
  listMessages,
  newCustomer,
  newIpAddressOptions,
  newPhone,
  waitForMessages,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const passwordHash = hashCheaply(ANA.password);
// Starts each test at the beginning of a window, without earlier messages.
beforeEach(() =>
  service.clock.set(
    new Date((Math.floor(service.clock.now().getTime() / DAY_MS) + 3) * DAY_MS).toISOString(),
  ),
);

const startNodeWith = (env: Record<string, string>) => service.startNode({ env });
const requestCode = (node: Node, options: object = newIpAddressOptions()) =>
  node.post('/wallet/auth/otp', { phone: newPhone() }, options);
const createOffer = (node: Node, phone: string) =>
  node.post('/merchant/offers', { phone, amount: 90, installments: 3 }, { key: MERCHANT_KEY });
const countStatus = (responses: ApiResponse[], status: number) =>
  responses.filter((response) => response.status === status).length;
const readMetric = async (node: Node, prefix: string) => {
  const { text } = await node.staff('GET', '/metrics', { key: null });
  return Number(
    text
      .split('\n')
      .find((metricLine) => metricLine.startsWith(prefix))
      ?.slice(prefix.length) ?? 0,
  );
};

test('MESSAGES_PER_KEY limits messages per hour of one key, across nodes and IP addresses; other keys are not limited', async () => {
  // Only half of the cap is available to unregistered phones.
  const nodes = [
    await startNodeWith({ MESSAGES_PER_KEY: '10' }),
    await startNodeWith({ MESSAGES_PER_KEY: '10' }),
  ];
  const otherKey = await createOtherPartnerKey(service);
  const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => requestCode(nodes[i % 2]!)));
  assert.equal(countStatus(responses, 202), 5);
  const refusals = responses.filter(({ status }) => status !== 202);
  for (const response of refusals) assertRefused(response, 429, 'rate_limited');
  assert.equal((await requestCode(nodes[0]!, { ...newIpAddressOptions(), key: otherKey })).status, 202);

  const seconds = Number(refusals[0]!.headers.get('retry-after'));
  assert.ok(seconds > 3600 && seconds <= 2 * 3600, String(seconds));
  service.clock.advance((seconds - 5) * 1_000);
  assertRefused(await requestCode(nodes[1]!), 429, 'rate_limited');
  service.clock.advance(5_000);
  assert.equal((await requestCode(nodes[1]!)).status, 202);
});

test('MESSAGES_PER_NETWORK limits messages per hour of an IPv4 /24 or IPv6 /48; refused requests are neither sent nor counted', async () => {
  const node = await startNodeWith({ MESSAGES_PER_NETWORK: '3' });
  for (const [buildAddress, otherAddress] of [
    [(i: number) => `203.0.113.${i}`, '203.0.114.1'],
    [(i: number) => `2001:db8:7:${i}::1`, '2001:db8:8:1::1'],
  ] as const) {
    for (let i = 1; i <= 3; i++)
      assert.equal((await requestCode(node, ipAddressOptions(buildAddress(i)))).status, 202);
    const phone = newPhone();
    const requestCodeFrom = (address: string) =>
      node.post('/wallet/auth/otp', { phone }, ipAddressOptions(address));
    assertRefused(await requestCodeFrom(buildAddress(9)), 429, 'rate_limited');
    assert.deepEqual(await listMessages(node, phone), []);
    assert.equal((await requestCodeFrom(otherAddress)).status, 202);
    await waitForMessages(node, phone, 1);
  }
});

test('MESSAGES_PER_HOUR limits codes and offers together; a warning is logged once at 80 %', async () => {
  const node = await startNodeWith({ MESSAGES_PER_HOUR: '10' });
  const countWarnings = () =>
    node.readLog().match(/"cap":"overall"[^\n]*messages are near their cap/g)?.length ?? 0;
  for (let i = 0; i < 5; i++) assert.equal((await createOffer(node, newPhone())).status, 201);
  for (let i = 0; i < 2; i++) assert.equal((await requestCode(node)).status, 202);
  assert.equal(countWarnings(), 0);
  for (let i = 0; i < 3; i++) assert.equal((await requestCode(node)).status, 202);
  assertRefused(await requestCode(node), 429, 'rate_limited');
  assertRefused(await createOffer(node, newPhone()), 429, 'rate_limited');
  assert.equal(countWarnings(), 1);
  assert.equal(await readMetric(node, 'message_caps_total{cap="overall",outcome="near"} '), 1);
  assert.equal(await readMetric(node, 'message_caps_total{cap="overall",outcome="refused"} '), 2);
});

for (const setting of ['MESSAGES_PER_KEY', 'MESSAGES_PER_HOUR']) {
  test(`strangers cannot use up ${setting}: half of it is reserved for customers, and a fifth for customers at a known address or device`, async () => {
    const node = await startNodeWith({ [setting]: '10' });
    const [customerAtHome, customerOnDevice, ...otherCustomers] = await Promise.all(
      Array.from({ length: 6 }, () => newCustomer(service, { passwordHash })),
    );
    const homeOptions = newIpAddressOptions();
    const deviceHeader = { 'x-device': 'aparelho-conhecido' };
    const logIn = ({ phone, password }: { phone: string; password: string }, options: object) =>
      service.post('/wallet/auth/login', { phone, password }, options);
    const requestCodeFor = ({ phone }: { phone: string }, options: object = newIpAddressOptions()) =>
      node.post('/wallet/auth/otp', { phone }, options);
    assert.equal((await logIn(customerAtHome!, homeOptions)).status, 200);
    const firstAddressOptions = newIpAddressOptions();
    const deviceLoginOptions = {
      ...firstAddressOptions,
      headers: { ...firstAddressOptions.headers, ...deviceHeader },
    };
    assert.equal((await logIn(customerOnDevice!, deviceLoginOptions)).status, 200);

    for (let i = 0; i < 5; i++) assert.equal((await requestCode(node)).status, 202);
    assertRefused(await requestCode(node), 429, 'rate_limited');
    for (const customer of otherCustomers.slice(0, 3))
      assert.equal((await requestCodeFor(customer)).status, 202);
    assertRefused(await requestCodeFor(otherCustomers[3]!), 429, 'rate_limited');
    assert.equal((await requestCodeFor(customerAtHome!, homeOptions)).status, 202);
    const newAddressOptions = newIpAddressOptions();
    const knownDeviceOptions = {
      ...newAddressOptions,
      headers: { ...newAddressOptions.headers, ...deviceHeader },
    };
    assertRefused(await requestCodeFor(customerOnDevice!), 429, 'rate_limited');
    assert.equal((await requestCodeFor(customerOnDevice!, knownDeviceOptions)).status, 202);
  });
}

test('MESSAGES_PER_KEY does not limit the key of a backend, whose consumers are limited by network', async () => {
  const { secret } = await service.newKey({ scopes: ['wallet'], backend: true });
  const node = await startNodeWith({ MESSAGES_PER_KEY: '2', MESSAGES_PER_NETWORK: '3' });
  const requestCodeFrom = (address: string) =>
    requestCode(node, { key: secret, headers: { 'x-client-ip': address } });
  for (let i = 1; i <= 3; i++) assert.equal((await requestCodeFrom(`198.51.100.${i}`)).status, 202);
  assertRefused(await requestCodeFrom('198.51.100.4'), 429, 'rate_limited');
  assert.equal((await requestCodeFrom('203.0.113.1')).status, 202);
});

test('NEW_PHONES_PER_MERCHANT limits first offers to new phones per day; earlier phones do not count', async () => {
  const node = await startNodeWith({ NEW_PHONES_PER_MERCHANT: '2' });
  const [firstPhone, secondPhone] = [newPhone(), newPhone()];
  assert.equal((await createOffer(node, firstPhone)).status, 201);
  assert.equal((await createOffer(node, secondPhone)).status, 201);
  const refusal = await createOffer(node, newPhone());
  assertRefused(refusal, 429, 'too_many_offers');
  assert.ok(Number(refusal.headers.get('retry-after')) > 86_400);
  assert.equal((await createOffer(node, firstPhone)).status, 201);
});

test('links in a merchant’s name are removed from messages', async () => {
  const renameMerchant = (name: string) =>
    service.db.run(sql`update merchants set name = ${name} where slug = 'padaria-flor-do-trigo'`);
  await renameMerchant('Prêmio https://golpe.example/x bit.ly/abc');
  const phone = newPhone();
  const { body } = await createOffer(service, phone);
  await waitForMessages(service, phone, 1);
  const [message] = await listMessages(service, phone);
  assert.match(message!.text, /^Semana: Prêmio golpe example x bit ly abc oferece R\$ 90,00 /);
  assert.deepEqual(message!.text.match(/\S+:\/\/\S+/g), [body.link]);
  await renameMerchant('Padaria Flor do Trigo');
});
