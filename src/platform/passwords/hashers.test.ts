import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { Problem } from '#platform/problem.ts';
import { type Answer, openService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  cheapHash,
  elsewhere,
  from,
  keyOfAnotherPartner,
  logIn,
  newCustomer,
  newPhone,
  vault,
} from '../../../test/support/customers.ts';
import { hashPassword, isOutdated, isRightPassword, NOBODYS_HASH } from './argon2.ts';
import { Hashers } from './hashers.ts';

const service = await openService(BEHIND_PROXY);
const SOMEBODY = { keyId: 'key_a', address: '198.51.100.1' };
const OWNER = { phone: '+5511987650001', name: 'Ana Souza', email: 'ana@example.com' };
/** As if from years ago: a fifth of the time. */
const OLD_KIB = 8_192;

test('hashes are Argon2id with 19 MiB and 2 passes, salted, and tell right from wrong', () => {
  const [one, other] = [hashPassword('a password'), hashPassword('a password')];
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, other);
  assert.ok(isRightPassword('a password', one));
  assert.ok(!isRightPassword('A password', one));
  assert.ok(!isRightPassword('', NOBODYS_HASH));
  assert.ok(!isOutdated(one));
});

test('the line has a bound: beyond it 503 at once', async () => {
  const hashers = new Hashers({ threads: 1, mostWaiting: 3 });
  // One thread, one more that may query the database meanwhile, and three in line.
  const running = Array.from({ length: 5 }, () =>
    hashers.inTurn(SOMEBODY, (hasher) => hasher.check('wrong', NOBODYS_HASH)),
  );
  await assert.rejects(
    hashers.inTurn(SOMEBODY, (hasher) => hasher.hash('oito letras', OWNER)),
    (error) => error instanceof Problem && error.kind.code === 'unavailable' && error.kind.status === 503,
  );
  assert.equal(hashers.underWay, 5);
  for (const result of await Promise.all(running)) assert.deepEqual(result, { right: false, renewed: null });
  assert.equal(hashers.underWay, 0);
  await hashers.inTurn(SOMEBODY, (hasher) => hasher.hash('oito letras', OWNER));
  await hashers.stop();
});

test('nobody waits in the queue longer than ten seconds: 503 then, even if the queue is short', async () => {
  const hashers = new Hashers({ threads: 1, mostWaitingMs: 50 });
  const stuck = Promise.withResolvers<void>();
  const inside = [1, 2].map(() => hashers.inTurn(SOMEBODY, () => stuck.promise));
  await assert.rejects(
    hashers.inTurn(SOMEBODY, (hasher) => hasher.hash('oito letras', OWNER)),
    (error) => error instanceof Problem && error.kind.code === 'unavailable',
  );
  stuck.resolve();
  await Promise.all(inside);
  assert.equal(hashers.underWay, 0);
  await hashers.stop();
});

test('hashing threads go behind every other thread of the process', {
  skip: process.platform !== 'linux' && 'only Linux has a priority for each thread',
}, async () => {
  const niceOf = (task: string) =>
    Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]);
  const hashers = new Hashers({ threads: 2 });
  await Promise.all(
    [1, 2].map(() => hashers.inTurn(SOMEBODY, (hasher) => hasher.hash('oito letras', OWNER))),
  );
  const nices = readdirSync('/proc/self/task').map(niceOf);
  assert.ok(nices.filter((nice) => nice === 5).length >= 2);
  assert.equal(niceOf(String(process.pid)), 0);
  await hashers.stop();
});

test('a broken hash is an error for its owner, and the thread goes on', async () => {
  const hashers = new Hashers({ threads: 1 });
  await assert.rejects(
    hashers.inTurn(SOMEBODY, (hasher) => hasher.check('x', 'not a hash')),
    /not one of Argon2id/,
  );
  assert.ok(await hashers.inTurn(SOMEBODY, (hasher) => hasher.hash('oito letras', OWNER)));
  await hashers.stop();
});

test('a hash of an older cost is replaced at the next login', async () => {
  const customer = await newCustomer(service);
  await service.db.run(
    sql`update customers set password_hash = ${cheapHash(customer.password, OLD_KIB)} where id = ${customer.id}`,
  );
  await logIn(service, customer);
  const row = await service.db.row<{ password_hash: string }>(
    sql`select password_hash from customers where id = ${customer.id}`,
  );
  assert.ok(!isOutdated(row!.password_hash));
  await logIn(service, customer);
});

/** Wrong logins from one address after another, or all from one. */
const flood = (
  n: number,
  address: () => ReturnType<typeof from>,
  phoneOf: (i: number) => string = newPhone,
) =>
  Array.from({ length: n }, (_, i) =>
    service.post('/wallet/auth/login', { phone: phoneOf(i), password: 'wrong password' }, address()),
  );

/** Customers with old hashes, so that a flood takes less time. None is tried often enough to be locked. */
async function cheapPhones(): Promise<(i: number) => string> {
  const passwordHash = cheapHash(ANA.password, OLD_KIB);
  const customers = await Promise.all(
    Array.from({ length: 20 }, () => newCustomer(service, { passwordHash })),
  );
  return (i) => customers[i % customers.length]!.phone;
}

/** Twice the length of the queue. */
const FLOOD = 130;

test('a flood of wrong logins is bounded: answered or refused with 503, while others are served', async () => {
  const { token } = await logIn(service, ANA);
  let answered = 0;
  const settled = Promise.all(
    flood(FLOOD, elsewhere).map(async (answer) => {
      const result: Answer = await answer;
      answered++;
      return result;
    }),
  );
  let servedMeanwhile = 0;
  while (answered < FLOOD) {
    await sleep(50);
    const [me, catalog] = await Promise.all([
      service.get('/wallet/me', { token }),
      service.get('/public/categories'),
    ]);
    assert.deepEqual([me.status, catalog.status], [200, 200]);
    servedMeanwhile++;
  }
  const answers = await settled;
  const refused = answers.filter(({ status }) => status === 503);
  const checked = answers.filter(({ status }) => status === 401);
  assert.equal(refused.length + checked.length, FLOOD);
  assert.ok(refused.length > 0 && checked.length > 0, `${checked.length} were looked at`);
  for (const answer of refused) assertRefused(answer, 503, 'unavailable');
  assert.ok(servedMeanwhile > 10, `${servedMeanwhile} rounds were served during the flood`);
});

test('during a flood from one address everybody else logs in, with the same key or another', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => newCustomer(service)));
  const otherKey = await keyOfAnotherPartner(service);
  const crowd = flood(80, () => from('203.0.113.66'), await cheapPhones());
  const logins = customers.map(({ phone, password }, i) =>
    service.post('/wallet/auth/login', { phone, password }, i % 2 ? elsewhere() : { key: otherKey }),
  );
  for (const login of await Promise.all(logins)) assert.equal(login.status, 200, login.text);
  for (const answer of await Promise.all(crowd)) assert.ok([401, 429, 503].includes(answer.status));
});

test('during a flood with one key, from everywhere, other keys log in', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => newCustomer(service)));
  const otherKey = await keyOfAnotherPartner(service);
  const crowd = flood(80, elsewhere, await cheapPhones());
  const logins = customers.map(({ phone, password }) =>
    service.post('/wallet/auth/login', { phone, password }, { key: otherKey }),
  );
  for (const login of await Promise.all(logins)) assert.equal(login.status, 200, login.text);
  await Promise.all(crowd);
});

test('who is refused for want of a turn has not used up a try', async () => {
  const { phone } = await newCustomer(service);
  const here = from('203.0.113.7');
  const crowd = flood(200, elsewhere, await cheapPhones());
  const own = await Promise.all(
    Array.from({ length: 10 }, () =>
      service.post('/wallet/auth/login', { phone, password: 'wrong password' }, here),
    ),
  );
  await Promise.all(crowd);
  const counted = own.filter(({ status }) => status === 401).length;
  const row = await service.db.row<{ hits: number }>(sql`
    select coalesce(max(cardinality(hits)), 0) as hits from attempt_windows
    where kind = 'login_phone' and subject = ${vault.hash('phone', phone)}`);
  assert.equal(row!.hits, counted);
});
