import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cpf } from '#core/cpf.ts';
import { eventually } from '../../test/harness.ts';
import { vault } from '../../test/support/customers.ts';
import { People, sealIdentity } from './people.ts';

const rowOf = (id: string, cpf: string) => {
  const ana = { name: 'Ana', phone: '+5511987650001', email: 'ana@example.com', birth_date: null };
  return { id, person_sealed: sealIdentity(vault, id, { ...ana, cpf: cpf as Cpf }) };
};

test('what is shown is kept with its seal: another CPF of the customer is another seal, and a seal opens for its customer only', () => {
  const people = new People(vault);
  const row = rowOf('cus_1', '12345678909');
  assert.equal(people.of(row).cpf, '***.456.789-**');
  assert.equal(people.of(row).cpf, '***.456.789-**');
  assert.equal(people.of(rowOf('cus_1', '11144477735')).cpf, '***.444.777-**');
  assert.throws(() => people.of({ ...row, id: 'cus_2' }));
});

const CUSTOMERS = 200;

test('what is kept of a customer is what is shown, not the pool of buffers the row came in', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const people = new People(vault);
  collect();
  const beforeBytes = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < CUSTOMERS; i++) {
    people.of(rowOf(`cus_${i}`, '12345678909'));
    // Connections that other requests take meanwhile.
    for (let taken = 0; taken < Buffer.poolSize; taken += 8_192) Buffer.allocUnsafe(8_192);
  }
  const mostBytes = (CUSTOMERS * Buffer.poolSize) / 4;
  // Buffers that nothing references are freed shortly after a garbage collection.
  await eventually(`less than ${mostBytes} bytes of buffers for ${CUSTOMERS} customers`, async () => {
    collect();
    return process.memoryUsage().arrayBuffers - beforeBytes < mostBytes;
  });
  assert.ok(people.of(rowOf('cus_0', '12345678909')), 'all the while it keeps them');
});
