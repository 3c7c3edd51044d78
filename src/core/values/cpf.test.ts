import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskCpf, parseCpf } from './cpf.ts';

test('valid numbers are accepted, plain or with punctuation', () => {
  for (const cpf of ['12345678909', '52998224725', '11144477735', '39053344705', '00000000191'])
    assert.equal(parseCpf(cpf), cpf);
  assert.equal(parseCpf('123.456.789-09'), '12345678909');
});

test('wrong check digits, equal digits and other forms are rejected', () => {
  for (const text of [
    '12345678900',
    '12345678919',
    '11111111111',
    '00000000000',
    '1234567890',
    '123456789012',
    '123.456.78909',
    ' 12345678909',
    '',
    12345678909,
    null,
  ]) {
    assert.equal(parseCpf(text), null, String(text));
  }
});

test('nine digits have one pair of check digits, unless all are equal', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{9}$/), (nineDigits) => {
      const candidates = Array.from({ length: 100 }, (_, n) => nineDigits + String(n).padStart(2, '0'));
      const validCpfs = candidates.filter((text) => parseCpf(text) !== null);
      assert.equal(validCpfs.length, /^(\d)\1{8}$/.test(nineDigits) ? 0 : 1);
    }),
  );
});

test('the mask hides the first three and the last two digits', () => {
  assert.equal(maskCpf(parseCpf('12345678909')!), '***.456.789-**');
});
