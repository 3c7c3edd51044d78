import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCnpj, parseCnpj } from './cnpj.ts';

test('a CNPJ is accepted with and without punctuation, and formatted with it', () => {
  for (const text of ['11222333000181', '11.222.333/0001-81']) {
    const cnpj = parseCnpj(text);
    assert.equal(cnpj, '11222333000181');
    assert.equal(formatCnpj(cnpj!), '11.222.333/0001-81');
  }
  // The public CNPJ of Banco do Brasil.
  assert.equal(parseCnpj('00.000.000/0001-91'), '00000000000191');
});

test('wrong check digits, equal digits and other lengths are not a CNPJ', () => {
  for (const text of [
    '11222333000182',
    '11222333000191',
    '00000000000000',
    '1122233300018',
    '11.222.333.0001-81',
    '',
    11222333000181,
    null,
  ])
    assert.equal(parseCnpj(text), null, String(text));
});
