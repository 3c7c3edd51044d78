import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientIp } from './security.ts';

test('a disconnected visitor has an unknown address; if a proxy forwards no valid address, its own is used', () => {
  assert.equal(readClientIp({ ip: undefined }), '0.0.0.0');
  assert.equal(readClientIp({ ip: undefined, ips: [] }), '0.0.0.0');
  assert.equal(readClientIp({ ip: 'unknown', ips: ['127.0.0.1', 'unknown'] }), '127.0.0.1');
  assert.equal(readClientIp({ ip: 'fe80::1%eth0' }), 'fe80::1');
});
