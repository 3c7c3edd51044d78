import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateCode } from './fields.ts';

test('a state is a code of one of the 27 Brazilian states, in upper or lower case', () => {
  assert.equal(stateCode('sp'), 'SP');
  assert.throws(() => stateCode('XX'));
});
