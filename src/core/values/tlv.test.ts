import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crc16 } from './br-code.ts';
import { readTlv, writeTlv } from './tlv.ts';

test('CRC-16/CCITT-FALSE of its check text', () => {
  assert.equal(crc16('123456789'), '29B1');
  assert.equal(crc16(''), 'FFFF');
});

test('written fields are read back', () => {
  const id = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'));
  const field = fc.record({ id, value: fc.string({ maxLength: 99 }) }, { noNullPrototype: true });
  fc.assert(fc.property(fc.array(field), (fields) => assert.deepEqual(readTlv(writeTlv(fields)), fields)));
});

test('a value over 99 characters cannot be written', () => {
  assert.throws(() => writeTlv([{ id: '26', value: 'x'.repeat(100) }]), /field 26 has 100 characters/);
});

test('a truncation and a wrong length are distinguished', () => {
  assert.deepEqual(readTlv('0005abc'), {
    reason: 'truncated',
    detail: 'field 00 has a length of 5, but only 3 characters are left',
  });
  assert.deepEqual(readTlv('0002ab01'), { reason: 'truncated', detail: 'ends within an id or length: "01"' });
  assert.deepEqual(readTlv('0001abc'), {
    reason: 'length_mismatch',
    detail: 'expected an id and a length after field 00, found "bc"',
  });
  assert.deepEqual(readTlv('0504***', '62'), {
    reason: 'length_mismatch',
    detail: 'field 05 inside field 62 has a length of 4, but only 3 characters are left',
  });
});
