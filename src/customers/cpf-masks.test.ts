import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cpf } from '#core/cpf.ts';
import { CpfMasks } from './cpf-masks.ts';
import { sealPerson } from './create-customer.ts';
import { vault } from './testing.ts';

const rowOf = (id: string, cpf: string) => {
  const { bytes, version } = sealPerson(vault, id, { name: 'Ana', cpf: cpf as Cpf }).cpf;
  return { id, cpf_sealed: bytes, cpf_key_version: version };
};

test('a mask is kept with its seal: another CPF of the customer is another mask, and a seal opens for its customer only', () => {
  const masks = new CpfMasks(vault);
  const row = rowOf('cus_1', '12345678909');
  assert.equal(masks.of(row), '***.456.789-**');
  assert.equal(masks.of(row), '***.456.789-**');
  assert.equal(masks.of(rowOf('cus_1', '11144477735')), '***.444.777-**');
  assert.throws(() => masks.of({ ...row, id: 'cus_2' }));
});

const CUSTOMERS = 1_000;

test('what is kept of a customer is their mask, not the pool of buffers the row came in', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const masks = new CpfMasks(vault);
  collect();
  const beforeBytes = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < CUSTOMERS; i++) {
    masks.of(rowOf(`cus_${i}`, '12345678909'));
    // What other requests take from the pool meanwhile.
    for (let taken = 0; taken < Buffer.poolSize; taken += 8_192) Buffer.allocUnsafe(8_192);
  }
  collect();
  const grownBytes = process.memoryUsage().arrayBuffers - beforeBytes;
  const wouldBeBytes = CUSTOMERS * Buffer.poolSize;
  assert.ok(grownBytes < wouldBeBytes / 4, `${grownBytes} bytes of buffers for ${CUSTOMERS} customers`);
});
