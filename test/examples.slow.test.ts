import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { PROJECT } from './generated.ts';
import { openService } from './harness.ts';

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('the example in Python goes from a key to a paid Pix and a verified webhook', {
  skip: hasPython() ? false : 'python3 is not installed',
}, async () => {
  const service = await openService();
  const { stdout } = await promisify(execFile)('python3', [join(PROJECT, 'examples/python/pay.py')], {
    env: { ...process.env, SEMANA_URL: service.partnerUrl },
  });
  assert.equal(stdout, 'Paid 50.00, and the webhook is verified.\n');
});
