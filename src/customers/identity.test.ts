import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cpf } from '#core/values/cpf.ts';
import { eventually } from '../../test/harness.ts';
import { vault } from '../../test/support/customers.ts';
import { encryptIdentity, IdentityCache } from './identity.ts';

const buildRow = (id: string, cpf: string) => {
  const ana = { name: 'Ana', phone: '+5511987650001', email: 'ana@example.com', birth_date: null };
  return { id, person_sealed: encryptIdentity(vault, id, { ...ana, cpf: cpf as Cpf }) };
};

test('the cache is keyed by customer and ciphertext: a new ciphertext is decrypted, and one of another customer is refused', () => {
  const identities = new IdentityCache(vault);
  const row = buildRow('cus_1', '12345678909');
  assert.equal(identities.decrypt(row).cpf, '***.456.789-**');
  assert.equal(identities.decrypt(row).cpf, '***.456.789-**');
  assert.equal(identities.decrypt(buildRow('cus_1', '11144477735')).cpf, '***.444.777-**');
  assert.throws(() => identities.decrypt({ ...row, id: 'cus_2' }));
});

const CUSTOMER_COUNT = 200;

test('the cache does not retain the buffer pool that a row was read into', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const identities = new IdentityCache(vault);
  collectGarbage();
  const beforeBytes = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < CUSTOMER_COUNT; i++) {
    identities.decrypt(buildRow(`cus_${i}`, '12345678909'));
    // Allocates the rest of the pool, as concurrent requests would.
    for (let bytes = 0; bytes < Buffer.poolSize; bytes += 8_192) Buffer.allocUnsafe(8_192);
  }
  // A quarter of what the cache would retain with one pool for each customer.
  const maxBytes = (CUSTOMER_COUNT * Buffer.poolSize) / 4;
  // Buffers that nothing references are freed shortly after a garbage collection.
  await eventually(`less than ${maxBytes} bytes of buffers for ${CUSTOMER_COUNT} customers`, async () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - beforeBytes < maxBytes;
  });
  assert.ok(identities.decrypt(buildRow('cus_0', '12345678909')), 'the cache is still in use');
});
