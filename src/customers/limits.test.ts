import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import { sql } from '#platform/database/db.ts';
import {
  countAttempts,
  countFailures,
  purgeOldAttempts,
  takeAttempts,
} from '#platform/http/attempt-limits.ts';
import { type Answer, eventually, type Node, openService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  CARLA,
  cheapHash,
  elsewhere,
  from,
  lockCustomer,
  newCode,
  newCustomer,
  newPhone,
  vault,
  whenSent,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const neighbour = await service.join();
const passwordHash = cheapHash(ANA.password);

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const count = (answers: Answer[], status: number) => statuses(answers).filter((s) => s === status).length;
const inTurn = (n: number, call: (node: Node, i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: n }, (_, i) => call(i % 2 ? neighbour : service, i)));

const check = (node: Node, phone: string, options = elsewhere()) =>
  node.post('/wallet/auth/phone-check', { phone }, options);
const guess = (node: Node, phone: string, password = 'wrong password', options = HERE) =>
  node.post('/wallet/auth/login', { phone, password }, options);
const askCode = (node: Node, phone: string, options = HERE) =>
  node.post('/wallet/auth/otp', { phone }, options);
let HERE = elsewhere();
beforeEach(() => {
  HERE = elsewhere();
});

test('phone-check: 10 a minute about one phone, on two nodes at once, then 429 with Retry-After', async () => {
  for (const phone of [newPhone(), ANA.phone]) {
    const answers = await inTurn(25, (node) => check(node, phone));
    assert.equal(count(answers, 200), 10);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) assertRefused(answer, 429, 'rate_limited');
    assert.equal(refused[0]!.headers.get('retry-after'), '60');
    service.clock.advance(MINUTE_MS);
  }
});

test('phone-check: the minute slides, and what was refused does not count', async () => {
  const phone = newPhone();
  for (let i = 0; i < 10; i++) {
    assert.equal((await check(service, phone)).status, 200);
    service.clock.advance(3_000);
  }
  const refused = await check(service, phone);
  assertRefused(refused, 429, 'rate_limited');
  assert.equal(refused.headers.get('retry-after'), '30', 'the first of them is 30 seconds old');
  service.clock.advance(30_000);
  assert.equal((await check(neighbour, phone)).status, 200);
  assertRefused(await check(service, phone), 429, 'rate_limited');
});

test('phone-check: 30 a minute from one address, about whatever phones', async () => {
  const headers = from('203.0.113.9');
  const answers = await inTurn(40, (node) => check(node, newPhone(), headers));
  assert.equal(count(answers, 200), 30);
  assert.equal((await check(service, newPhone())).status, 200, 'from elsewhere it goes on');
  service.clock.advance(MINUTE_MS);
  assert.equal((await check(service, newPhone(), headers)).status, 200);
});

test('phone-check: a network of IPv6 addresses counts as one', async () => {
  const answers = await inTurn(40, (node, i) =>
    check(node, newPhone(), from(`2001:db8:0:7::${(i + 1).toString(16)}`)),
  );
  assert.equal(count(answers, 200), 30);
  const next = from('2001:db8:0:8::1');
  assert.equal((await check(service, newPhone(), next)).status, 200);
});

test('login: five failures from one address lock the pair for 15 minutes, also for the right password', async () => {
  const customer = await newCustomer(service, { passwordHash });
  for (let i = 0; i < 5; i++) {
    assertRefused(await guess(i % 2 ? neighbour : service, customer.phone), 401, 'invalid_credentials');
    service.clock.advance(MINUTE_MS);
  }
  const locked = await guess(neighbour, customer.phone, customer.password);
  assertRefused(locked, 429, 'login_locked');
  assert.equal(locked.headers.get('retry-after'), String(14 * 60), 'from the fifth failure on');
  service.clock.advance(14 * MINUTE_MS - 1_000);
  assertRefused(await guess(service, customer.phone, customer.password), 429, 'login_locked');
  assert.equal((await guess(service, customer.phone, customer.password, elsewhere())).status, 200);
  assertRefused(await guess(service, customer.phone, customer.password), 429, 'login_locked');
  service.clock.advance(1_000);
  assert.equal((await guess(service, customer.phone, customer.password)).status, 200);
});

test('login: twenty failures of a phone from anywhere lock its password for 15 minutes, for everybody; a code still works', async () => {
  for (const customer of [
    await newCustomer(service, { passwordHash }),
    { phone: newPhone(), password: ANA.password },
  ]) {
    const answers = await inTurn(30, (node) => guess(node, customer.phone, 'wrong password', elsewhere()));
    assert.equal(count(answers, 401), 20);
    const locked = await guess(service, customer.phone, customer.password, elsewhere());
    assertRefused(locked, 429, 'login_locked');
    assert.equal(locked.headers.get('retry-after'), String(15 * 60));
    const byCode = await service.post('/wallet/auth/otp/login', await newCode(service, customer.phone));
    assert.equal(byCode.status, 'id' in customer ? 200 : 409);
    assertRefused(await guess(service, customer.phone, customer.password, elsewhere()), 429, 'login_locked');
    service.clock.advance(15 * MINUTE_MS);
    const open = await guess(service, customer.phone, customer.password, elsewhere());
    assert.equal(open.status, 'id' in customer ? 200 : 401);
  }
});

test('login: refusals at a locked pair do not count for the phone: one address cannot lock out the others', async () => {
  const customer = await newCustomer(service, { passwordHash });
  for (let i = 0; i < 40; i++) await guess(i % 2 ? neighbour : service, customer.phone);
  assert.equal((await guess(service, customer.phone, customer.password, elsewhere())).status, 200);
});

test('login: 30 failures a minute from one address, of passwords and codes together; successes do not count', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const right = () => guess(service, customer.phone, customer.password);
  for (let i = 0; i < 5; i++) assert.equal((await right()).status, 200);
  const passwords = await inTurn(20, (node) => guess(node, newPhone()));
  assert.equal(count(passwords, 401), 20);
  const code = { phone: customer.phone, challenge_id: 'otp_x', code: '000000' };
  const tryCode = (node: Node) => node.post('/wallet/auth/otp/login', code, HERE);
  const codes = await inTurn(15, tryCode);
  assert.equal(count(codes, 401), 10);
  for (const refused of [await right(), await tryCode(service)]) assertRefused(refused, 429, 'rate_limited');
  assert.equal((await guess(service, customer.phone, customer.password, elsewhere())).status, 200);
  service.clock.advance(MINUTE_MS);
  assert.equal((await right()).status, 200);
});

test('strangers keep nobody out of where they are logged in: password, code and check have counts of their own there', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const { phone, password } = customer;
  const home = elsewhere();
  assert.equal((await guess(service, phone, password, home)).status, 200);

  for (let i = 0; i < 20; i++)
    assertRefused(await guess(service, phone, 'wrong password', elsewhere()), 401, 'invalid_credentials');
  assertRefused(await guess(neighbour, phone, password, elsewhere()), 429, 'login_locked');
  assert.equal((await guess(neighbour, phone, password, home)).status, 200);

  for (let i = 0; i < 3; i++) assert.equal((await askCode(service, phone, elsewhere())).status, 202);
  assertRefused(await askCode(service, phone, elsewhere()), 429, 'otp_too_soon');
  assert.equal((await askCode(neighbour, phone, home)).status, 202);

  for (let i = 0; i < 10; i++) assert.equal((await check(service, phone)).status, 200);
  assertRefused(await check(service, phone), 429, 'rate_limited');
  assert.equal((await check(neighbour, phone, home)).status, 200);

  for (let i = 0; i < 5; i++)
    assertRefused(await guess(service, phone, 'wrong password', home), 401, 'invalid_credentials');
  assertRefused(await guess(service, phone, password, home), 429, 'login_locked');
});

test('ten codes an hour to a phone asked for by strangers leave one to a known address', async () => {
  const { phone, password } = await newCustomer(service, { passwordHash });
  const home = elsewhere();
  assert.equal((await guess(service, phone, password, home)).status, 200);
  for (let i = 0; i < 10; i++) {
    assert.equal((await askCode(service, phone, elsewhere())).status, 202);
    service.clock.advance(2 * MINUTE_MS);
  }
  assertRefused(await askCode(service, phone, elsewhere()), 429, 'otp_too_soon');
  assert.equal((await askCode(service, phone, home)).status, 202);
});

test('ten addresses of a customer are known, the newest, by login and refresh; none once all sessions have ended', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const known = async () =>
    (
      await service.db.rows<{ address: Buffer }>(
        sql`select address from known_addresses where customer_id = ${customer.id}`,
      )
    ).map(({ address }) => address.toString('hex'));
  const hashOf = (address: string) => vault.hash('address', address).toString('hex');
  let refreshToken = '';
  for (let i = 1; i <= 6; i++) {
    const login = await guess(service, customer.phone, customer.password, from(`192.0.2.${i}`));
    refreshToken = login.body.refresh_token;
    service.clock.advance(1_000);
  }
  for (let i = 7; i <= 12; i++) {
    const body = { refresh_token: refreshToken };
    const refreshed = await service.post('/wallet/auth/refresh', body, from(`192.0.2.${i}`));
    assert.equal(refreshed.status, 200, refreshed.text);
    refreshToken = refreshed.body.refresh_token;
    service.clock.advance(1_000);
  }
  const newest = Array.from({ length: 10 }, (_, i) => hashOf(`192.0.2.${i + 3}`));
  assert.deepEqual((await known()).toSorted(), newest.toSorted());
  await lockCustomer(service.db, customer.id, service.clock.now());
  assert.deepEqual(await known(), []);
});

test('login: an unknown phone is locked the same way', async () => {
  const phone = newPhone();
  for (let i = 0; i < 5; i++) assertRefused(await guess(service, phone), 401, 'invalid_credentials');
  assertRefused(await guess(neighbour, phone), 429, 'login_locked');
});

test('login: a success forgets the failures before it; failures older than 15 minutes do not count', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const succeed = async () =>
    assert.equal((await guess(service, customer.phone, customer.password)).status, 200);
  const failFourTimes = async () => {
    for (let i = 0; i < 4; i++) assert.equal((await guess(service, customer.phone)).status, 401);
  };
  for (let round = 0; round < 2; round++) {
    await failFourTimes();
    await succeed();
  }
  await failFourTimes();
  service.clock.advance(15 * MINUTE_MS);
  await failFourTimes();
  await succeed();
});

test('login: a hundred guesses at once on two nodes get five looks at the password', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const answers = await inTurn(100, (node) => guess(node, customer.phone));
  assert.equal(count(answers, 401), 5);
  assert.equal(count(answers, 429) + count(answers, 503), 95);
  assertRefused(await guess(service, customer.phone, customer.password), 429, 'login_locked');
});

/** Does something while nobody can read customers; whoever waits for that is told that the database takes no work. */
async function withoutCustomers(work: () => Promise<Answer[]>): Promise<Answer[]> {
  return service.db.transaction(async (tx) => {
    await tx.run(sql`lock table customers in access exclusive mode`);
    let settled = false;
    const answers = work().finally(() => {
      settled = true;
    });
    await eventually('all were answered', async () => {
      await service.db.rows(sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query not like '%pg_cancel_backend%'`);
      return settled;
    });
    return answers;
  });
}

test('a login that ended in a 5xx is no failed one: the right password is not locked out by database trouble', async () => {
  const customer = await newCustomer(service, { passwordHash });
  const right = () => guess(service, customer.phone, customer.password);
  for (let i = 0; i < 4; i++) assertRefused(await guess(service, customer.phone), 401, 'invalid_credentials');
  const answers = await withoutCustomers(async () => {
    const all: Answer[] = [];
    for (let i = 0; i < 6; i++) all.push(await right());
    return all;
  });
  for (const answer of answers) assertRefused(answer, 503, 'unavailable');
  assert.equal((await right()).status, 200);
});

test('a check of a phone that ended in a 5xx is not counted', async () => {
  const phone = newPhone();
  for (let i = 0; i < 9; i++) assert.equal((await check(service, ANA.phone, HERE)).status, 200);
  const answers = await withoutCustomers(async () => [
    await check(service, ANA.phone, HERE),
    await check(service, ANA.phone, HERE),
  ]);
  for (const answer of answers) assertRefused(answer, 503, 'unavailable');
  assert.equal((await check(service, ANA.phone, HERE)).status, 200);
  assertRefused(await check(service, ANA.phone, HERE), 429, 'rate_limited');
  assert.equal((await check(service, phone, HERE)).status, 200);
});

test('an attempt without an outcome, as after a crash, counts as pending for 20 seconds and locks nothing', async () => {
  const limit = { kind: 'test_pending', most: 5, windowMs: 15 * MINUTE_MS, locks: true } as const;
  const refusal = (seconds: string) => rateLimited({ en: seconds, pt: seconds });
  const counted = [{ limit, subject: Buffer.from('whose process died'), refusal }];
  const attempt = (work: () => Promise<boolean>) =>
    countFailures(service.db, { counted, now: service.clock.now(), isFailed: (ok) => !ok }, work);
  const begun = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  for (const { resolve } of begun) {
    void attempt(() => {
      resolve();
      return new Promise<boolean>(() => undefined);
    });
  }
  await Promise.all(begun.map(({ promise }) => promise));
  await assert.rejects(
    attempt(async () => true),
    /^Error: 20$/,
  );
  service.clock.advance(20_000);
  for (let i = 0; i < 5; i++) assert.equal(await attempt(async () => false), false);
  await assert.rejects(
    attempt(async () => true),
    /^Error: 900$/,
  );
});

test('codes: one a minute and five an hour for a phone from one address, known or not, across nodes', async () => {
  for (const phone of [CARLA.phone, newPhone()]) {
    let sent = 0;
    // A code that is not sent within its five minutes is not sent at all.
    const minutesLater = async (minutes: number) => {
      await whenSent(service, phone, sent);
      service.clock.advance(minutes * MINUTE_MS);
    };
    const first = await askCode(service, phone);
    sent++;
    assert.equal(first.status, 202);
    const now = service.clock.now().getTime();
    assert.equal(Date.parse(first.body.expires_at), now + 5 * MINUTE_MS);
    assert.equal(Date.parse(first.body.resend_after), now + MINUTE_MS);

    const soon = await inTurn(6, (node) => askCode(node, phone));
    for (const answer of soon) assertRefused(answer, 429, 'otp_too_soon');
    assert.equal(soon[0]!.headers.get('retry-after'), '60');

    for (let i = 0; i < 4; i++) {
      await minutesLater(1);
      const next = await askCode(neighbour, phone);
      assert.equal(next.status, 202, `code ${i + 2}, though many were refused meanwhile`);
      sent++;
      if (i === 3) assert.equal(Date.parse(next.body.resend_after), now + 60 * MINUTE_MS);
    }
    await minutesLater(1);
    const fifth = await askCode(service, phone);
    assertRefused(fifth, 429, 'otp_too_soon');
    assert.equal(fifth.headers.get('retry-after'), String(55 * 60));
    await minutesLater(55);
    assert.equal((await askCode(service, phone)).status, 202);
    await whenSent(service, phone, sent + 1);
  }
});

test('codes: ten an hour for a phone, from anywhere', async () => {
  const phone = newPhone();
  for (let i = 0; i < 10; i++) {
    const answer = await askCode(i % 2 ? neighbour : service, phone, elsewhere());
    assert.equal(answer.status, 202, `code ${i + 1}`);
    service.clock.advance(2 * MINUTE_MS);
  }
  const refused = await askCode(service, phone, elsewhere());
  assertRefused(refused, 429, 'otp_too_soon');
  assert.equal(refused.headers.get('retry-after'), String(40 * 60));
  service.clock.advance(40 * MINUTE_MS);
  assert.equal((await askCode(service, phone, elsewhere())).status, 202);
});

test('codes: 30 an hour from one address, to whatever phones; what is refused uses up nothing', async () => {
  const answers = await inTurn(40, (node) => askCode(node, newPhone()));
  assert.equal(count(answers, 202), 30);
  const phone = newPhone();
  assertRefused(await askCode(service, phone), 429, 'rate_limited');
  assert.equal((await askCode(service, phone, elsewhere())).status, 202);
  service.clock.advance(60 * MINUTE_MS);
  assert.equal((await askCode(service, phone)).status, 202);
});

test('codes: of many requests at once one is granted', async () => {
  const phone = newPhone();
  const answers = await inTurn(20, (node) => askCode(node, phone));
  assert.equal(count(answers, 202), 1);
});

test('limits outlive the node that counted', async () => {
  const [phone, customer] = [newPhone(), await newCustomer(service, { passwordHash })];
  const first = await service.join();
  for (let i = 0; i < 10; i++) assert.equal((await check(first, phone)).status, 200);
  for (let i = 0; i < 5; i++) assert.equal((await guess(first, customer.phone)).status, 401);
  assert.equal((await askCode(first, phone)).status, 202);
  await first.stop();
  const second = await service.join();
  assertRefused(await check(second, phone), 429, 'rate_limited');
  assertRefused(await guess(second, customer.phone, customer.password), 429, 'login_locked');
  assertRefused(await askCode(second, phone), 429, 'otp_too_soon');
});

test('a clock that is set back locks nobody out, and clocks that differ a little agree', async () => {
  const limit = { kind: 'test', most: 2, windowMs: MINUTE_MS, locks: true } as const;
  const counted = {
    limit,
    subject: Buffer.from('somebody'),
    refusal: () => rateLimited({ en: 'Later.', pt: 'Depois.' }),
  };
  const now = service.clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const granted = (ms: number) =>
    countAttempts(service.db, [counted], at(ms)).then(
      () => true,
      () => false,
    );
  assert.ok(await granted(7 * DAY_MS));
  assert.ok(await granted(7 * DAY_MS));
  assert.ok(!(await granted(7 * DAY_MS)));
  assert.ok(await granted(0), 'a week earlier those are not believed');
  assert.ok(await granted(200));
  assert.ok(!(await granted(-200)), 'a node that is 400 ms behind');
});

test('purging counters skips locked rows, so it does not deadlock with counting', async () => {
  const subject = Buffer.from('who comes back');
  const refusal = (seconds: string) => rateLimited({ en: seconds, pt: seconds });
  const counted = ['first', 'second'].map((kind) => ({
    limit: { kind, most: 10, windowMs: MINUTE_MS },
    subject,
    refusal,
  }));
  const now = service.clock.now();
  for (const one of counted.toReversed()) await countAttempts(service.db, [one], now);
  const later = new Date(now.getTime() + 2 * MINUTE_MS);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`select from attempt_windows where kind = 'first' and subject = ${subject} for update`);
    await purgeOldAttempts(service.db, later);
    await takeAttempts(tx, counted, later);
  });
  const left = await service.db.rows<{ kind: string }>(
    sql`select kind from attempt_windows where subject = ${subject} order by kind`,
  );
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['first', 'second'],
  );
});
