import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import { sql } from '#platform/database/db.ts';
import { enforceLimits, limitFailures, purgeOldAttempts } from '#platform/http/attempt-limits.ts';
import { type ApiResponse, eventually, type Node, openService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  CARLA,
  hashCheaply,
  ipAddressOptions,
  lockCustomer,
  newCode,
  newCustomer,
  newIpAddressOptions,
  newPhone,
  vault,
  waitForMessages,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const otherNode = await service.startNode();
const passwordHash = hashCheaply(ANA.password);

const listStatuses = (responses: ApiResponse[]) => responses.map(({ status }) => status);
const countStatus = (responses: ApiResponse[], status: number) =>
  listStatuses(responses).filter((responseStatus) => responseStatus === status).length;
const callAlternating = (requestCount: number, call: (node: Node, i: number) => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: requestCount }, (_, i) => call(i % 2 ? otherNode : service, i)));

/** The call options with the IP address of the current test. */
let currentOptions = newIpAddressOptions();
beforeEach(() => {
  currentOptions = newIpAddressOptions();
});

/** Each check comes from a new IP address by default. The calls below come from the address of the test. */
const checkPhone = (node: Node, phone: string, options = newIpAddressOptions()) =>
  node.post('/wallet/auth/phone-check', { phone }, options);
const logIn = (node: Node, phone: string, password: string, options = currentOptions) =>
  node.post('/wallet/auth/login', { phone, password }, options);
const tryWrongPassword = (node: Node, phone: string, options = currentOptions) =>
  logIn(node, phone, 'wrong password', options);
const requestCode = (node: Node, phone: string, options = currentOptions) =>
  node.post('/wallet/auth/otp', { phone }, options);

test('phone-check allows 10 checks a minute of one phone across nodes, then responds 429 with Retry-After', async () => {
  for (const phone of [newPhone(), ANA.phone]) {
    const responses = await callAlternating(25, (node) => checkPhone(node, phone));
    assert.equal(countStatus(responses, 200), 10);
    const refusals = responses.filter(({ status }) => status !== 200);
    for (const response of refusals) assertRefused(response, 429, 'rate_limited');
    assert.equal(refusals[0]!.headers.get('retry-after'), '60');
    service.clock.advance(MINUTE_MS);
  }
});

test('phone-check uses a sliding minute and does not count refused checks', async () => {
  const phone = newPhone();
  for (let i = 0; i < 10; i++) {
    assert.equal((await checkPhone(service, phone)).status, 200);
    service.clock.advance(3_000);
  }
  const refusal = await checkPhone(service, phone);
  assertRefused(refusal, 429, 'rate_limited');
  assert.equal(refusal.headers.get('retry-after'), '30', 'the oldest counted check is 30 seconds old');
  service.clock.advance(30_000);
  assert.equal((await checkPhone(otherNode, phone)).status, 200);
  assertRefused(await checkPhone(service, phone), 429, 'rate_limited');
});

test('phone-check allows 30 checks a minute from one IP address, for all phones together', async () => {
  const limitedOptions = ipAddressOptions('203.0.113.9');
  const responses = await callAlternating(40, (node) => checkPhone(node, newPhone(), limitedOptions));
  assert.equal(countStatus(responses, 200), 30);
  assert.equal((await checkPhone(service, newPhone())).status, 200, 'another address is not limited');
  service.clock.advance(MINUTE_MS);
  assert.equal((await checkPhone(service, newPhone(), limitedOptions)).status, 200);
});

test('phone-check counts an IPv6 /64 network as one IP address', async () => {
  const responses = await callAlternating(40, (node, i) =>
    checkPhone(node, newPhone(), ipAddressOptions(`2001:db8:0:7::${(i + 1).toString(16)}`)),
  );
  assert.equal(countStatus(responses, 200), 30);
  const otherNetworkOptions = ipAddressOptions('2001:db8:0:8::1');
  assert.equal((await checkPhone(service, newPhone(), otherNetworkOptions)).status, 200);
});

test('login: five failures from one IP address lock phone and address for 15 minutes, even for the correct password', async () => {
  const customer = await newCustomer(service, { passwordHash });
  for (let i = 0; i < 5; i++) {
    assertRefused(
      await tryWrongPassword(i % 2 ? otherNode : service, customer.phone),
      401,
      'invalid_credentials',
    );
    service.clock.advance(MINUTE_MS);
  }
  const lockResponse = await logIn(otherNode, customer.phone, customer.password);
  assertRefused(lockResponse, 429, 'login_locked');
  assert.equal(lockResponse.headers.get('retry-after'), String(14 * 60), 'measured from the fifth failure');
  service.clock.advance(14 * MINUTE_MS - 1_000);
  assertRefused(await logIn(service, customer.phone, customer.password), 429, 'login_locked');
  assert.equal((await logIn(service, customer.phone, customer.password, newIpAddressOptions())).status, 200);
  assertRefused(await logIn(service, customer.phone, customer.password), 429, 'login_locked');
  service.clock.advance(1_000);
  assert.equal((await logIn(service, customer.phone, customer.password)).status, 200);
});

test('login: twenty failures of a phone from any IP address lock its password for 15 minutes everywhere; a code still works', async () => {
  for (const { customer, isRegistered } of [
    { customer: await newCustomer(service, { passwordHash }), isRegistered: true },
    { customer: { phone: newPhone(), password: ANA.password }, isRegistered: false },
  ]) {
    const responses = await callAlternating(30, (node) =>
      tryWrongPassword(node, customer.phone, newIpAddressOptions()),
    );
    assert.equal(countStatus(responses, 401), 20);
    const lockResponse = await logIn(service, customer.phone, customer.password, newIpAddressOptions());
    assertRefused(lockResponse, 429, 'login_locked');
    assert.equal(lockResponse.headers.get('retry-after'), String(15 * 60));
    const codeLoginResponse = await service.post(
      '/wallet/auth/otp/login',
      await newCode(service, customer.phone),
    );
    assert.equal(codeLoginResponse.status, isRegistered ? 200 : 409);
    assertRefused(
      await logIn(service, customer.phone, customer.password, newIpAddressOptions()),
      429,
      'login_locked',
    );
    service.clock.advance(15 * MINUTE_MS);
    const unlockResponse = await logIn(service, customer.phone, customer.password, newIpAddressOptions());
    assert.equal(unlockResponse.status, isRegistered ? 200 : 401);
  }
});

test('login: attempts from a locked IP address do not count for the phone, so one address cannot lock out the others', async () => {
  const customer = await newCustomer(service, { passwordHash });
  for (let i = 0; i < 40; i++) await tryWrongPassword(i % 2 ? otherNode : service, customer.phone);
  assert.equal((await logIn(service, customer.phone, customer.password, newIpAddressOptions())).status, 200);
});

test('login: one IP address may have 30 failures a minute, of passwords and codes together; successes do not count', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const logInCorrectly = () => logIn(service, customer.phone, customer.password);
  for (let i = 0; i < 5; i++) assert.equal((await logInCorrectly()).status, 200);
  const passwordResponses = await callAlternating(20, (node) => tryWrongPassword(node, newPhone()));
  assert.equal(countStatus(passwordResponses, 401), 20);
  const unknownCode = { phone: customer.phone, challenge_id: 'otp_x', code: '000000' };
  const tryCode = (node: Node) => node.post('/wallet/auth/otp/login', unknownCode, currentOptions);
  const codeResponses = await callAlternating(15, tryCode);
  assert.equal(countStatus(codeResponses, 401), 10);
  for (const refusal of [await logInCorrectly(), await tryCode(service)])
    assertRefused(refusal, 429, 'rate_limited');
  assert.equal((await logIn(service, customer.phone, customer.password, newIpAddressOptions())).status, 200);
  service.clock.advance(MINUTE_MS);
  assert.equal((await logInCorrectly()).status, 200);
});

test('strangers cannot lock a customer out at a known IP address: passwords, codes and checks are counted separately there', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const { phone, password } = customer;
  const knownAddressOptions = newIpAddressOptions();
  assert.equal((await logIn(service, phone, password, knownAddressOptions)).status, 200);

  for (let i = 0; i < 20; i++)
    assertRefused(await tryWrongPassword(service, phone, newIpAddressOptions()), 401, 'invalid_credentials');
  assertRefused(await logIn(otherNode, phone, password, newIpAddressOptions()), 429, 'login_locked');
  assert.equal((await logIn(otherNode, phone, password, knownAddressOptions)).status, 200);

  for (let i = 0; i < 3; i++)
    assert.equal((await requestCode(service, phone, newIpAddressOptions())).status, 202);
  assertRefused(await requestCode(service, phone, newIpAddressOptions()), 429, 'otp_too_soon');
  assert.equal((await requestCode(otherNode, phone, knownAddressOptions)).status, 202);

  for (let i = 0; i < 10; i++) assert.equal((await checkPhone(service, phone)).status, 200);
  assertRefused(await checkPhone(service, phone), 429, 'rate_limited');
  assert.equal((await checkPhone(otherNode, phone, knownAddressOptions)).status, 200);

  for (let i = 0; i < 5; i++)
    assertRefused(await tryWrongPassword(service, phone, knownAddressOptions), 401, 'invalid_credentials');
  assertRefused(await logIn(service, phone, password, knownAddressOptions), 429, 'login_locked');
});

test('ten codes an hour requested by strangers do not block a known IP address', async () => {
  const { phone, password } = await newCustomer(service, { passwordHash });
  const knownAddressOptions = newIpAddressOptions();
  assert.equal((await logIn(service, phone, password, knownAddressOptions)).status, 200);
  for (let i = 0; i < 10; i++) {
    assert.equal((await requestCode(service, phone, newIpAddressOptions())).status, 202);
    service.clock.advance(2 * MINUTE_MS);
  }
  assertRefused(await requestCode(service, phone, newIpAddressOptions()), 429, 'otp_too_soon');
  assert.equal((await requestCode(service, phone, knownAddressOptions)).status, 202);
});

test('the ten newest IP addresses of logins and refreshes are known, and none after all sessions have ended', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const listKnownAddresses = async () =>
    (
      await service.db.rows<{ address: Buffer }>(
        sql`select address from known_addresses where customer_id = ${customer.id}`,
      )
    ).map(({ address }) => address.toString('hex'));
  const hashAddress = (address: string) => vault.hash('address', address).toString('hex');
  let refreshToken = '';
  for (let i = 1; i <= 6; i++) {
    const login = await logIn(service, customer.phone, customer.password, ipAddressOptions(`192.0.2.${i}`));
    refreshToken = login.body.refresh_token;
    service.clock.advance(1_000);
  }
  for (let i = 7; i <= 12; i++) {
    const body = { refresh_token: refreshToken };
    const refreshResponse = await service.post(
      '/wallet/auth/refresh',
      body,
      ipAddressOptions(`192.0.2.${i}`),
    );
    assert.equal(refreshResponse.status, 200, refreshResponse.text);
    refreshToken = refreshResponse.body.refresh_token;
    service.clock.advance(1_000);
  }
  const newestHashes = Array.from({ length: 10 }, (_, i) => hashAddress(`192.0.2.${i + 3}`));
  assert.deepEqual((await listKnownAddresses()).toSorted(), newestHashes.toSorted());
  await lockCustomer(service.db, customer.id, service.clock.now());
  assert.deepEqual(await listKnownAddresses(), []);
});

test('login: an unknown phone is locked like that of a customer', async () => {
  const phone = newPhone();
  for (let i = 0; i < 5; i++)
    assertRefused(await tryWrongPassword(service, phone), 401, 'invalid_credentials');
  assertRefused(await tryWrongPassword(otherNode, phone), 429, 'login_locked');
});

test('login: a success resets earlier failures; failures older than 15 minutes do not count', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const logInSuccessfully = async () =>
    assert.equal((await logIn(service, customer.phone, customer.password)).status, 200);
  const failFourTimes = async () => {
    for (let i = 0; i < 4; i++) assert.equal((await tryWrongPassword(service, customer.phone)).status, 401);
  };
  for (let round = 0; round < 2; round++) {
    await failFourTimes();
    await logInSuccessfully();
  }
  await failFourTimes();
  service.clock.advance(15 * MINUTE_MS);
  await failFourTimes();
  await logInSuccessfully();
});

test('login: of a hundred concurrent attempts on two nodes, five are compared with the password', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const responses = await callAlternating(100, (node) => tryWrongPassword(node, customer.phone));
  assert.equal(countStatus(responses, 401), 5);
  assert.equal(countStatus(responses, 429) + countStatus(responses, 503), 95);
  assertRefused(await logIn(service, customer.phone, customer.password), 429, 'login_locked');
});

/** Runs `work` while the table customers is locked; waiting statements are cancelled, so that requests get a 503. */
async function withCustomersTableLocked(work: () => Promise<ApiResponse[]>): Promise<ApiResponse[]> {
  return service.db.transaction(async (tx) => {
    await tx.run(sql`lock table customers in access exclusive mode`);
    let isSettled = false;
    const responses = work().finally(() => {
      isSettled = true;
    });
    await eventually('all requests got a response', async () => {
      await service.db.rows(sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query not like '%pg_cancel_backend%'`);
      return isSettled;
    });
    return responses;
  });
}

test('a login that ended in a 5xx does not count as a failure, so database errors do not lock customers out', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const logInCorrectly = () => logIn(service, customer.phone, customer.password);
  for (let i = 0; i < 4; i++)
    assertRefused(await tryWrongPassword(service, customer.phone), 401, 'invalid_credentials');
  const responses = await withCustomersTableLocked(async () => {
    const responses: ApiResponse[] = [];
    for (let i = 0; i < 6; i++) responses.push(await logInCorrectly());
    return responses;
  });
  for (const response of responses) assertRefused(response, 503, 'unavailable');
  assert.equal((await logInCorrectly()).status, 200);
});

test('a phone check that ended in a 5xx is not counted', async () => {
  for (let i = 0; i < 9; i++)
    assert.equal((await checkPhone(service, ANA.phone, currentOptions)).status, 200);
  const responses = await withCustomersTableLocked(async () => [
    await checkPhone(service, ANA.phone, currentOptions),
    await checkPhone(service, ANA.phone, currentOptions),
  ]);
  for (const response of responses) assertRefused(response, 503, 'unavailable');
  assert.equal((await checkPhone(service, ANA.phone, currentOptions)).status, 200);
  assertRefused(await checkPhone(service, ANA.phone, currentOptions), 429, 'rate_limited');
  assert.equal(
    (await checkPhone(service, newPhone(), currentOptions)).status,
    200,
    'another phone is not limited',
  );
});

test('an attempt without an outcome, as after a crash, counts as pending for 20 seconds and does not lock', async () => {
  const limit = { kind: 'test_pending', maxAttempts: 5, windowMs: 15 * MINUTE_MS, locksOut: true } as const;
  const toProblem = (seconds: string) => rateLimited({ en: seconds, pt: seconds });
  const counters = [{ limit, subject: Buffer.from('crashed process'), toProblem }];
  const runAttempt = (work: () => Promise<boolean>) =>
    limitFailures(
      service.db,
      { counters, now: service.clock.now(), isFailed: (isSuccess) => !isSuccess },
      work,
    );
  const assertRefusedFor = (seconds: number) =>
    assert.rejects(
      runAttempt(async () => true),
      new RegExp(`^Error: ${seconds}$`),
    );
  const startedAttempts = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  for (const { resolve } of startedAttempts) {
    void runAttempt(() => {
      resolve();
      return new Promise<boolean>(() => undefined);
    });
  }
  await Promise.all(startedAttempts.map(({ promise }) => promise));
  await assertRefusedFor(20);
  service.clock.advance(20_000);
  for (let i = 0; i < 5; i++) assert.equal(await runAttempt(async () => false), false);
  await assertRefusedFor(15 * 60);
});

test('codes: one a minute and five an hour for a phone from one IP address, registered or not, across nodes', async () => {
  for (const phone of [CARLA.phone, newPhone()]) {
    let sentCount = 0;
    // A code that is not sent within five minutes is dropped, so wait until it is sent.
    const waitAndAdvance = async (minutes: number) => {
      await waitForMessages(service, phone, sentCount);
      service.clock.advance(minutes * MINUTE_MS);
    };
    const firstResponse = await requestCode(service, phone);
    sentCount++;
    assert.equal(firstResponse.status, 202);
    const now = service.clock.now().getTime();
    assert.equal(Date.parse(firstResponse.body.expires_at), now + 5 * MINUTE_MS);
    assert.equal(Date.parse(firstResponse.body.resend_after), now + MINUTE_MS);

    const tooEarlyResponses = await callAlternating(6, (node) => requestCode(node, phone));
    for (const response of tooEarlyResponses) assertRefused(response, 429, 'otp_too_soon');
    assert.equal(tooEarlyResponses[0]!.headers.get('retry-after'), '60');

    for (let i = 0; i < 4; i++) {
      await waitAndAdvance(1);
      const nextResponse = await requestCode(otherNode, phone);
      assert.equal(nextResponse.status, 202, `code ${i + 2}: refused requests do not count`);
      sentCount++;
      if (i === 3) assert.equal(Date.parse(nextResponse.body.resend_after), now + 60 * MINUTE_MS);
    }
    await waitAndAdvance(1);
    const sixthResponse = await requestCode(service, phone);
    assertRefused(sixthResponse, 429, 'otp_too_soon');
    assert.equal(sixthResponse.headers.get('retry-after'), String(55 * 60));
    await waitAndAdvance(55);
    assert.equal((await requestCode(service, phone)).status, 202);
    await waitForMessages(service, phone, sentCount + 1);
  }
});

test('codes: ten an hour for a phone, from all IP addresses together', async () => {
  const phone = newPhone();
  for (let i = 0; i < 10; i++) {
    const response = await requestCode(i % 2 ? otherNode : service, phone, newIpAddressOptions());
    assert.equal(response.status, 202, `code ${i + 1}`);
    service.clock.advance(2 * MINUTE_MS);
  }
  const refusal = await requestCode(service, phone, newIpAddressOptions());
  assertRefused(refusal, 429, 'otp_too_soon');
  assert.equal(refusal.headers.get('retry-after'), String(40 * 60));
  service.clock.advance(40 * MINUTE_MS);
  assert.equal((await requestCode(service, phone, newIpAddressOptions())).status, 202);
});

test('codes: 30 an hour from one IP address, for all phones together; refused requests do not count', async () => {
  const responses = await callAlternating(40, (node) => requestCode(node, newPhone()));
  assert.equal(countStatus(responses, 202), 30);
  const phone = newPhone();
  assertRefused(await requestCode(service, phone), 429, 'rate_limited');
  assert.equal((await requestCode(service, phone, newIpAddressOptions())).status, 202);
  service.clock.advance(60 * MINUTE_MS);
  assert.equal((await requestCode(service, phone)).status, 202);
});

test('codes: of many concurrent requests for one phone from one IP address, one succeeds', async () => {
  const phone = newPhone();
  const responses = await callAlternating(20, (node) => requestCode(node, phone));
  assert.equal(countStatus(responses, 202), 1);
});

test('limits persist after the node that counted has stopped', async () => {
  const [phone, customer] = [newPhone(), await newCustomer(service, { passwordHash })];
  const stoppedNode = await service.startNode();
  for (let i = 0; i < 10; i++) assert.equal((await checkPhone(stoppedNode, phone)).status, 200);
  for (let i = 0; i < 5; i++) assert.equal((await tryWrongPassword(stoppedNode, customer.phone)).status, 401);
  assert.equal((await requestCode(stoppedNode, phone)).status, 202);
  await stoppedNode.stop();
  const newNode = await service.startNode();
  assertRefused(await checkPhone(newNode, phone), 429, 'rate_limited');
  assertRefused(await logIn(newNode, customer.phone, customer.password), 429, 'login_locked');
  assertRefused(await requestCode(newNode, phone), 429, 'otp_too_soon');
});

test('attempts after the clock was set back are not refused, and a small clock skew between nodes is tolerated', async () => {
  const limit = { kind: 'test', maxAttempts: 2, windowMs: MINUTE_MS, locksOut: true } as const;
  const counter = {
    limit,
    subject: Buffer.from('test subject'),
    toProblem: () => rateLimited({ en: 'Later.', pt: 'Depois.' }),
  };
  const now = service.clock.now();
  const addMs = (ms: number) => new Date(now.getTime() + ms);
  /** Returns whether the attempt was accepted. */
  const recordAttemptAt = (ms: number) =>
    enforceLimits(service.db, [counter], addMs(ms)).then(
      () => true,
      () => false,
    );
  assert.ok(await recordAttemptAt(7 * DAY_MS));
  assert.ok(await recordAttemptAt(7 * DAY_MS));
  assert.ok(!(await recordAttemptAt(7 * DAY_MS)));
  assert.ok(await recordAttemptAt(0), 'attempts a week in the future are ignored');
  assert.ok(await recordAttemptAt(200));
  assert.ok(!(await recordAttemptAt(-200)), 'attempts are counted on a node whose clock is 400 ms behind');
});

test('purging counters skips locked rows, so it does not deadlock with counting', async () => {
  const subject = Buffer.from('returning subject');
  const toProblem = (seconds: string) => rateLimited({ en: seconds, pt: seconds });
  const counters = ['first', 'second'].map((kind) => ({
    limit: { kind, maxAttempts: 10, windowMs: MINUTE_MS },
    subject,
    toProblem,
  }));
  const now = service.clock.now();
  for (const counter of counters.toReversed()) await enforceLimits(service.db, [counter], now);
  const purgeTime = new Date(now.getTime() + 2 * MINUTE_MS);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`select from attempt_windows where kind = 'first' and subject = ${subject} for update`);
    await purgeOldAttempts(service.db, purgeTime);
    await enforceLimits(tx, counters, purgeTime);
  });
  const remainingWindows = await service.db.rows<{ kind: string }>(
    sql`select kind from attempt_windows where subject = ${subject} order by kind`,
  );
  assert.deepEqual(
    remainingWindows.map(({ kind }) => kind),
    ['first', 'second'],
  );
});
