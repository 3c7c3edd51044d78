import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedResponse } from '../http/response-cache.ts';
import { unpooled } from './unpooled.ts';

const isUnpooled = (bytes: Buffer) => bytes.buffer.byteLength === bytes.length;

test('the same bytes, in memory of their own', () => {
  for (const text of ['', 'a', 'ação 💊', 'x'.repeat(100_000)]) {
    for (const own of [unpooled(text), unpooled(Buffer.from(text))]) {
      assert.equal(own.toString(), text);
      assert.ok(isUnpooled(own));
    }
  }
  const own = unpooled('abc');
  assert.equal(unpooled(own), own, 'what has its own is not copied again');
});

test('an answer that is kept keeps nothing but itself', () => {
  assert.ok(!isUnpooled(Buffer.from('{"data":[]}')), 'a small buffer is a slice of the pool');
  for (const body of ['{"data":[]}', Buffer.from('{"data":[]}'), Buffer.concat([Buffer.from('{}')])])
    assert.ok(isUnpooled(cachedResponse(body).body));
});
