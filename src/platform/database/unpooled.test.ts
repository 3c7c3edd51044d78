import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCachedResponse } from '../http/response-cache.ts';
import { copyUnpooled } from './unpooled.ts';

const isUnpooled = (bytes: Buffer) => bytes.buffer.byteLength === bytes.length;

test('a copy has the same bytes in memory of its own', () => {
  for (const text of ['', 'a', 'ação 💊', 'x'.repeat(100_000)]) {
    for (const unpooledBytes of [copyUnpooled(text), copyUnpooled(Buffer.from(text))]) {
      assert.equal(unpooledBytes.toString(), text);
      assert.ok(isUnpooled(unpooledBytes));
    }
  }
  const unpooledBytes = copyUnpooled('abc');
  assert.equal(copyUnpooled(unpooledBytes), unpooledBytes, 'bytes outside the pool are not copied again');
});

test('a cached response does not keep the pool in memory', () => {
  assert.ok(!isUnpooled(Buffer.from('{"data":[]}')), 'a small buffer is a slice of the pool');
  for (const body of ['{"data":[]}', Buffer.from('{"data":[]}'), Buffer.concat([Buffer.from('{}')])])
    assert.ok(isUnpooled(createCachedResponse(body).body));
});
