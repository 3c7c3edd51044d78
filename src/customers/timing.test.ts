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

type RequestKind = { name: string; call: () => Promise<unknown> };

/**
 * Computes the probability that a random one of the samples took longer than a random one of the reference samples. It is 0.5 if the
 * two are indistinguishable, on any machine, and 0 or 1 if all samples of one are faster than all samples of the other.
 */
function computeProbabilityLonger(samples: number[], referenceSamples: number[]): number {
  let longerCount = 0;
  for (const sample of samples)
    for (const reference of referenceSamples) {
      if (sample > reference) longerCount += 1;
      else if (sample === reference) longerCount += 0.5;
    }
  return longerCount / (samples.length * referenceSamples.length);
}

/**
 * Computes the tolerated difference from 0.5: four standard deviations of indistinguishable samples. The test measures time and does not count
 * hashes, because an attacker measures the whole request. A busy machine slows down all kinds of requests alike.
 */
const computeTolerance = (count: number) => 4 * Math.sqrt((2 * count + 1) / (12 * count * count));

/** Calls every kind of request equally often, in random order, so that disturbances affect all kinds alike. */
async function assertSameDuration(
  sampleCount: number,
  [reference, ...others]: [RequestKind, ...RequestKind[]],
): Promise<void> {
  const kinds = [reference, ...others];
  const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
  for (const kind of kinds) await kind.call(); // warm-up
  for (let i = 0; i < sampleCount; i++) {
    for (const kind of kinds.toSorted(() => randomInt(3) - 1)) {
      const startedAtMs = performance.now();
      await kind.call();
      times.get(kind)!.push(performance.now() - startedAtMs);
      service.clock.advance(MINUTE_MS);
    }
  }
  for (const other of others) {
    const probability = computeProbabilityLonger(times.get(other)!, times.get(reference)!);
    assert.ok(
      Math.abs(probability - 0.5) < computeTolerance(sampleCount),
      `'${other.name}' takes longer than '${reference.name}' with a probability of ${probability.toFixed(2)}`,
    );
  }
}

test('the comparison detects a difference of ten percent', async () => {
  const drawSamples = (mean: number) => Array.from({ length: 40 }, () => mean + randomInt(1000) / 100);
  assert.ok(
    Math.abs(computeProbabilityLonger(drawSamples(100), drawSamples(100)) - 0.5) < computeTolerance(40),
  );
  assert.ok(
    Math.abs(computeProbabilityLonger(drawSamples(110), drawSamples(100)) - 0.5) > computeTolerance(40),
  );
});

test('login takes the same time for an unknown phone, a wrong password, no password and a locked customer', async () => {
  const passwordHash = hashPassword(ANA.password);
  const customer = await newCustomer(service, { passwordHash });
  const codeOnlyCustomer = await newCustomer(service);
  await service.db.run(sql`update customers set password_hash = null where id = ${codeOnlyCustomer.id}`);
  const lockedCustomer = await newCustomer(service, { passwordHash });
  await lockCustomer(service.db, lockedCustomer.id, service.clock.now());
  const logIn = (phone: string, password: string) => async () => {
    // Clears the failures, otherwise the limit would refuse the login.
    service.clock.advance(15 * MINUTE_MS);
    const { status } = await service.post('/wallet/auth/login', { phone, password });
    assert.equal(status, 401);
  };
  await assertSameDuration(16, [
    { name: 'wrong password', call: logIn(customer.phone, 'wrong password') },
    { name: 'unknown phone', call: () => logIn(newPhone(), 'wrong password')() },
    { name: 'no password', call: logIn(codeOnlyCustomer.phone, 'wrong password') },
    { name: 'locked', call: logIn(lockedCustomer.phone, lockedCustomer.password) },
  ]);
});

test('phone-check takes the same time for registered and unknown phones', async () => {
  const { phone } = await newCustomer(service);
  const checkPhone = async (checkedPhone: string) => {
    const { status } = await service.post('/wallet/auth/phone-check', { phone: checkedPhone });
    assert.equal(status, 200);
  };
  const unknownPhone = newPhone();
  await assertSameDuration(120, [
    { name: 'registered', call: () => checkPhone(phone) },
    { name: 'unknown', call: () => checkPhone(unknownPhone) },
  ]);
});

test('requesting and trying a code take the same time for registered and unknown phones', async () => {
  const { phone } = await newCustomer(service);
  const unknownPhone = newPhone();
  const challengeIdsByPhone = new Map<string, string>();
  const requestCode = async (requestedPhone: string) => {
    service.clock.advance(60 * MINUTE_MS);
    const { status, body } = await service.post('/wallet/auth/otp', { phone: requestedPhone });
    assert.equal(status, 202);
    challengeIdsByPhone.set(requestedPhone, body.challenge_id);
  };
  await assertSameDuration(80, [
    { name: 'registered', call: () => requestCode(phone) },
    { name: 'unknown', call: () => requestCode(unknownPhone) },
  ]);
  const tryCode = async (triedPhone: string) => {
    const guess = { phone: triedPhone, challenge_id: challengeIdsByPhone.get(triedPhone), code: '000000' };
    const { status } = await service.post('/wallet/auth/otp/login', guess);
    assert.ok([401, 200, 409].includes(status), `${status}`);
  };
  await assertSameDuration(80, [
    { name: 'registered', call: () => tryCode(phone) },
    { name: 'unknown', call: () => tryCode(unknownPhone) },
  ]);
});
