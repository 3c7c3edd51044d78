import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { Problem } from '#platform/problem.ts';
import { type ApiResponse, openService } from '../../../test/harness.ts';
import { useRealPasswordCost } from '../../../test/password-cost.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  createOtherPartnerKey,
  hashCheaply,
  ipAddressOptions,
  logIn,
  newCustomer,
  newIpAddressOptions,
  newPhone,
  vault,
} from '../../../test/support/customers.ts';
import { createDummyHash, hashPassword, hasOutdatedCost, verifyPassword } from './argon2.ts';
import { PasswordHashers } from './hashers.ts';

useRealPasswordCost();
const service = await openService(BEHIND_PROXY);
const CALLER = { keyId: 'key_a', ipAddress: '198.51.100.1' };
/** Accepted: it is no common password. */
const PASSWORD = 'oito letras';
const OWNER = { phone: '+5511987650001', name: 'Ana Souza', email: 'ana@example.com' };
/** The memory of an old cost, with which a hash takes a fifth of the time. */
const OLD_MEMORY_KIB = 8_192;
/** A higher nice value means a lower priority. */
const HASHING_NICE_VALUE = 5;

test('hashes are salted Argon2id with 19 MiB and 2 passes, and verify passwords', () => {
  const [firstHash, secondHash] = [hashPassword('a password'), hashPassword('a password')];
  assert.match(firstHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(firstHash, secondHash);
  assert.ok(verifyPassword('a password', firstHash));
  assert.ok(!verifyPassword('A password', firstHash));
  assert.ok(!verifyPassword('', createDummyHash()));
  assert.ok(!hasOutdatedCost(firstHash));
});

test('the queue is bounded: further requests get 503 immediately', async () => {
  const hashers = new PasswordHashers({ threads: 1, maxWaiting: 3 });
  // One caller hashes, one may query the database meanwhile, and three wait.
  const verifications = Array.from({ length: 5 }, () =>
    hashers.withHasher(CALLER, (hasher) => hasher.verify('wrong', createDummyHash())),
  );
  await assert.rejects(
    hashers.withHasher(CALLER, (hasher) => hasher.hash(PASSWORD, OWNER)),
    (error) => error instanceof Problem && error.kind.code === 'unavailable' && error.kind.status === 503,
  );
  assert.equal(hashers.waitingAndRunningCount, 5);
  for (const verification of await Promise.all(verifications))
    assert.deepEqual(verification, { isCorrect: false, newHash: null });
  assert.equal(hashers.waitingAndRunningCount, 0);
  await hashers.withHasher(CALLER, (hasher) => hasher.hash(PASSWORD, OWNER));
  await hashers.stop();
});

test('a request that waits longer than the limit gets 503, even if the queue is short', async () => {
  const hashers = new PasswordHashers({ threads: 1, maxWaitMs: 50 });
  const blockedWork = Promise.withResolvers<void>();
  const runningWork = [1, 2].map(() => hashers.withHasher(CALLER, () => blockedWork.promise));
  await assert.rejects(
    hashers.withHasher(CALLER, (hasher) => hasher.hash(PASSWORD, OWNER)),
    (error) => error instanceof Problem && error.kind.code === 'unavailable',
  );
  blockedWork.resolve();
  await Promise.all(runningWork);
  assert.equal(hashers.waitingAndRunningCount, 0);
  await hashers.stop();
});

test('hashing threads have a lower priority than all other threads of the process', {
  skip: process.platform !== 'linux' && 'only Linux has a priority for each thread',
}, async () => {
  // The nice value is field 19 of proc(5), and field 3 follows the name of the thread in parentheses.
  const readNiceValue = (threadId: string) => {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'utf8');
    const { [19 - 3]: niceValue } = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(niceValue);
  };
  const hashers = new PasswordHashers({ threads: 2 });
  await Promise.all([1, 2].map(() => hashers.withHasher(CALLER, (hasher) => hasher.hash(PASSWORD, OWNER))));
  const niceValues = readdirSync('/proc/self/task').map(readNiceValue);
  // The main thread has the nice value of the test run, which may be high itself.
  const ownNiceValue = readNiceValue(String(process.pid));
  const expectedValue = Math.max(ownNiceValue, HASHING_NICE_VALUE);
  assert.ok(niceValues.filter((value) => value === expectedValue).length >= 2);
  assert.ok(niceValues.filter((value) => value === ownNiceValue).length >= 1);
  await hashers.stop();
});

test('a malformed hash is an error for its caller, and the thread continues', async () => {
  const hashers = new PasswordHashers({ threads: 1 });
  await assert.rejects(
    hashers.withHasher(CALLER, (hasher) => hasher.verify('x', 'not a hash')),
    /not an Argon2id hash/,
  );
  assert.ok(await hashers.withHasher(CALLER, (hasher) => hasher.hash(PASSWORD, OWNER)));
  await hashers.stop();
});

test('a hash of an older cost is replaced at the next login', async () => {
  const customer = await newCustomer(service);
  await service.db.run(
    sql`update customers set password_hash = ${hashCheaply(customer.password, OLD_MEMORY_KIB)} where id = ${customer.id}`,
  );
  await logIn(service, customer);
  const row = await service.db.row<{ password_hash: string }>(
    sql`select password_hash from customers where id = ${customer.id}`,
  );
  assert.ok(!hasOutdatedCost(row!.password_hash));
  await logIn(service, customer); // the new hash belongs to the same password
});

/** Sends logins with a wrong password. `createOptions` and `getPhone` choose the IP address and the phone number of each login. */
const sendWrongLogins = (
  count: number,
  createOptions: () => ReturnType<typeof ipAddressOptions>,
  getPhone: (i: number) => string = newPhone,
) =>
  Array.from({ length: count }, (_, i) =>
    service.post('/wallet/auth/login', { phone: getPhone(i), password: 'wrong password' }, createOptions()),
  );

/**
 * Creates customers with old hashes, so that a flood takes less time. Returns a function that distributes logins among their phones, so that
 * no customer has enough failed logins to be locked.
 */
async function createFloodedCustomers(): Promise<(i: number) => string> {
  const passwordHash = hashCheaply(ANA.password, OLD_MEMORY_KIB);
  const customers = await Promise.all(
    Array.from({ length: 20 }, () => newCustomer(service, { passwordHash })),
  );
  return (i) => customers[i % customers.length]!.phone;
}

/** Twice the length of the queue. */
const FLOOD_SIZE = 130;

test('a flood of wrong logins is handled or refused with 503, while other requests are served', async () => {
  const { token } = await logIn(service, ANA);
  let responseCount = 0;
  const settledResponses = Promise.all(
    sendWrongLogins(FLOOD_SIZE, newIpAddressOptions).map(async (pendingResponse) => {
      const response: ApiResponse = await pendingResponse;
      responseCount++;
      return response;
    }),
  );
  let servedRounds = 0;
  while (responseCount < FLOOD_SIZE) {
    await sleep(50);
    const [meResponse, categoriesResponse] = await Promise.all([
      service.get('/wallet/me', { token }),
      service.get('/public/categories'),
    ]);
    assert.deepEqual([meResponse.status, categoriesResponse.status], [200, 200]);
    servedRounds++;
  }
  const responses = await settledResponses;
  const refusals = responses.filter(({ status }) => status === 503);
  const checkedLogins = responses.filter(({ status }) => status === 401);
  assert.equal(refusals.length + checkedLogins.length, FLOOD_SIZE);
  assert.ok(refusals.length > 0 && checkedLogins.length > 0, `${checkedLogins.length} were checked`);
  for (const response of refusals) assertRefused(response, 503, 'unavailable');
  assert.ok(servedRounds > 10, `${servedRounds} rounds were served during the flood`);
});

test('during a flood from one IP address others can log in, with the same API key or another', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => newCustomer(service)));
  const otherKey = await createOtherPartnerKey(service);
  const responses = sendWrongLogins(
    80,
    () => ipAddressOptions('203.0.113.66'),
    await createFloodedCustomers(),
  );
  const logins = customers.map(({ phone, password }, i) =>
    service.post(
      '/wallet/auth/login',
      { phone, password },
      i % 2 ? newIpAddressOptions() : { key: otherKey },
    ),
  );
  for (const login of await Promise.all(logins)) assert.equal(login.status, 200, login.text);
  for (const response of await Promise.all(responses)) assert.ok([401, 429, 503].includes(response.status));
});

test('during a flood with one API key from many addresses, other keys can log in', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => newCustomer(service)));
  const otherKey = await createOtherPartnerKey(service);
  const responses = sendWrongLogins(80, newIpAddressOptions, await createFloodedCustomers());
  const logins = customers.map(({ phone, password }) =>
    service.post('/wallet/auth/login', { phone, password }, { key: otherKey }),
  );
  for (const login of await Promise.all(logins)) assert.equal(login.status, 200, login.text);
  await Promise.all(responses);
});

test('a login refused for overload does not count as an attempt', async () => {
  const { phone } = await newCustomer(service);
  const addressOptions = ipAddressOptions('203.0.113.7');
  const responses = sendWrongLogins(200, newIpAddressOptions, await createFloodedCustomers());
  const ownResponses = await Promise.all(
    Array.from({ length: 10 }, () =>
      service.post('/wallet/auth/login', { phone, password: 'wrong password' }, addressOptions),
    ),
  );
  await Promise.all(responses);
  const checkedLoginCount = ownResponses.filter(({ status }) => status === 401).length;
  const row = await service.db.row<{ hits: number }>(sql`
    select coalesce(max(cardinality(hits)), 0) as hits from attempt_windows
    where kind = 'login_phone' and subject = ${vault.hash('phone', phone)}`);
  assert.equal(row!.hits, checkedLoginCount);
});
