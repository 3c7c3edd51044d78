import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTemporaryDir } from '../../../test/support/postgres.ts';
import { tryLock, waitForLock } from './file-lock.ts';

test('an exclusive lock excludes all others until it is released', (t) => {
  const path = join(createTemporaryDir(t), 'a.lock');
  const lock = tryLock(path, 'exclusive');
  assert.ok(lock);
  assert.equal(tryLock(path, 'exclusive'), null);
  assert.equal(tryLock(path, 'shared'), null);
  lock.release();
  lock.release(); // has no effect
  const nextLock = tryLock(path, 'exclusive');
  assert.ok(nextLock);
  nextLock.release();
  assert.equal(statSync(path).size, 0);
});

test('shared locks exclude only exclusive locks', (t) => {
  const path = join(createTemporaryDir(t), 'a.lock');
  const firstLock = tryLock(path, 'shared');
  const secondLock = tryLock(path, 'shared');
  assert.ok(firstLock && secondLock);
  firstLock.release();
  assert.equal(tryLock(path, 'exclusive'), null);
  secondLock.release();
  const exclusiveLock = tryLock(path, 'exclusive');
  assert.ok(exclusiveLock);
  exclusiveLock.release();
});

test('the lock of another process ends with the process, also by kill -9', async (t) => {
  const path = join(createTemporaryDir(t), 'a.lock');
  const module = new URL('./file-lock.ts', import.meta.url).href;
  const code = `const { tryLock } = await import(process.argv[1]);
    process.stdout.write(tryLock(process.argv[2], 'exclusive') ? 'locked' : 'refused');
    setInterval(() => globalThis.gc(), 5);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code, module, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  assert.equal(String(output), 'locked');
  // The child has no reference to the lock and collects garbage all the time, but holds the lock.
  assert.equal(await waitForLock(path, 'exclusive', { timeoutMs: 200 }), null);
  child.kill('SIGKILL');
  const lock = await waitForLock(path, 'exclusive', { timeoutMs: 60_000 });
  assert.ok(lock);
  lock.release();
});
