import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './generated.ts';
import { openService } from './harness.ts';

const service = await openService();

test('openapi.json has no error and no warning under the recommended rules of Redocly', async () => {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const { stdout, stderr } = await run(process.execPath, [
    cli,
    'lint',
    '--extends=recommended',
    '--format=json',
    'openapi.json',
  ]);
  const { totals, problems } = JSON.parse(stdout) as { totals: Record<string, number>; problems: unknown[] };
  assert.deepEqual(
    totals,
    { errors: 0, warnings: 0, ignored: 0 },
    `${JSON.stringify(problems, null, 2)}${stderr}`,
  );
});

function run(program: string, words: string[]): Promise<{ stdout: string; stderr: string }> {
  // Nothing is asked of or told to anybody outside.
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(program, words, { cwd: PROJECT, env }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test('POST /public/leads accepts the example of openapi.json', async () => {
  const operation = (await service.get('/openapi.json')).body.paths['/public/leads'].post;
  const { example } = operation.requestBody.content['application/json'];
  assert.equal((await service.post('/public/leads', example)).status, 201);
});

test('/docs brings everything it needs along: no address outside is loaded', async () => {
  const page = await service.get('/docs/');
  assert.equal(page.status, 200);
  const loaded = Array.from(
    page.text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g),
    ([, address]) => address!,
  );
  assert.ok(loaded.length > 0);
  for (const address of loaded) {
    const { origin, pathname } = new URL(address, `${service.frontUrl}/docs/`);
    assert.equal(origin, service.frontUrl);
    assert.equal((await service.get(pathname)).status, 200);
  }
  assert.match(page.headers.get('content-security-policy')!, /connect-src 'self'/);
});
