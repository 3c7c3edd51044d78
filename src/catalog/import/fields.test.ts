import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uf } from './fields.ts';

test('a state is one of the 27 of Brazil, in any case', () => {
  assert.equal(uf('sp'), 'SP');
  assert.throws(() => uf('XX'));
});
