import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { hashPassword } from '#platform/passwords/argon2.ts';
import { openService } from '../../test/harness.ts';
import { useRealPasswordCost } from '../../test/password-cost.ts';
import { ANA, lockCustomer, newCustomer, newPhone } from '../../test/support/customers.ts';

useRealPasswordCost();
const service = await openService();

type Group = { name: string; call: () => Promise<unknown> };

/**
 * The probability that a sample of `a` took longer than one of `b`: 0.5 when they are indistinguishable, on any machine; 0 or 1
 * when the slowest of one is faster than the fastest of the other.
 */
function chanceLonger(a: number[], b: number[]): number {
  let longer = 0;
  for (const x of a) for (const y of b) longer += x > y ? 1 : x === y ? 0.5 : 0;
  return longer / (a.length * b.length);
}

/**
 * Four standard deviations of pure chance for this number of samples. Counting work is no substitute: an outside observer
 * measures everything, lookups and answer as well as the hash. A busy machine slows all groups alike.
 */
const bound = (samples: number) => 4 * Math.sqrt((2 * samples + 1) / (12 * samples * samples));

/** Every group is called equally often, in random order, so that disturbances hit all of them. */
async function assertAlike(samples: number, [reference, ...others]: [Group, ...Group[]]): Promise<void> {
  const groups = [reference, ...others];
  const times = new Map(groups.map((group) => [group, [] as number[]]));
  for (const group of groups) await group.call(); // warm-up
  for (let i = 0; i < samples; i++) {
    for (const group of groups.toSorted(() => randomInt(3) - 1)) {
      const beganAtMs = performance.now();
      await group.call();
      times.get(group)!.push(performance.now() - beganAtMs);
      service.clock.advance(MINUTE_MS);
    }
  }
  for (const other of others) {
    const chance = chanceLonger(times.get(other)!, times.get(reference)!);
    assert.ok(
      Math.abs(chance - 0.5) < bound(samples),
      `'${other.name}' takes longer than '${reference.name}' with a chance of ${chance.toFixed(2)}`,
    );
  }
}

test('the comparison detects a difference of ten percent', async () => {
  const sample = (mean: number) => Array.from({ length: 40 }, () => mean + randomInt(1000) / 100);
  assert.ok(Math.abs(chanceLonger(sample(100), sample(100)) - 0.5) < bound(40));
  assert.ok(Math.abs(chanceLonger(sample(110), sample(100)) - 0.5) > bound(40));
});

test('login takes the same time for an unknown phone, a wrong password, no password and a locked customer', async () => {
  const passwordHash = hashPassword(ANA.password);
  const customer = await newCustomer(service, { passwordHash });
  const byCode = await newCustomer(service);
  await service.db.run(sql`update customers set password_hash = null where id = ${byCode.id}`);
  const lockedCustomer = await newCustomer(service, { passwordHash });
  await lockCustomer(service.db, lockedCustomer.id, service.clock.now());
  const logIn = (phone: string, password: string) => async () => {
    // Clears the failures, otherwise the limit would refuse the login.
    service.clock.advance(15 * MINUTE_MS);
    const { status } = await service.post('/wallet/auth/login', { phone, password });
    assert.equal(status, 401);
  };
  await assertAlike(16, [
    { name: 'wrong password', call: logIn(customer.phone, 'wrong password') },
    { name: 'unknown phone', call: () => logIn(newPhone(), 'wrong password')() },
    { name: 'no password', call: logIn(byCode.phone, 'wrong password') },
    { name: 'locked', call: logIn(lockedCustomer.phone, lockedCustomer.password) },
  ]);
});

test('phone-check takes the same time for registered and unknown phones', async () => {
  const { phone } = await newCustomer(service);
  const check = async (checked: string) => {
    const { status } = await service.post('/wallet/auth/phone-check', { phone: checked });
    assert.equal(status, 200);
  };
  const unknown = newPhone();
  await assertAlike(120, [
    { name: 'registered', call: () => check(phone) },
    { name: 'unknown', call: () => check(unknown) },
  ]);
});

test('requesting and trying a code take the same time for registered and unknown phones', async () => {
  const { phone } = await newCustomer(service);
  const unknown = newPhone();
  const challenges = new Map<string, string>();
  const ask = async (asked: string) => {
    service.clock.advance(60 * MINUTE_MS);
    const { status, body } = await service.post('/wallet/auth/otp', { phone: asked });
    assert.equal(status, 202);
    challenges.set(asked, body.challenge_id);
  };
  await assertAlike(80, [
    { name: 'registered', call: () => ask(phone) },
    { name: 'unknown', call: () => ask(unknown) },
  ]);
  const tryCode = async (tried: string) => {
    const guess = { phone: tried, challenge_id: challenges.get(tried), code: '000000' };
    const { status } = await service.post('/wallet/auth/otp/login', guess);
    assert.ok([401, 200, 409].includes(status), `${status}`);
  };
  await assertAlike(80, [
    { name: 'registered', call: () => tryCode(phone) },
    { name: 'unknown', call: () => tryCode(unknown) },
  ]);
});
