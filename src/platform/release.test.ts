import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCli } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { formatRelease, getCurrentRelease, readRelease } from './release.ts';

const PROJECT = join(import.meta.dirname, '../..');
const directory = await mkdtemp(join(tmpdir(), 'semana-release-'));
after(() => rm(directory, { recursive: true }));

test('a build without git reads its commit from a file; without a valid file the commit is unknown', async () => {
  await writeFile(join(directory, 'package.json'), '{"version":"1.2.3"}');
  assert.deepEqual(readRelease(directory), {
    version: '1.2.3',
    commit: null,
    hasUnreleasedChanges: false,
  });
  await writeFile(join(directory, 'commit.txt'), '0123abcd4567\n');
  assert.deepEqual(readRelease(directory), {
    version: '1.2.3',
    commit: '0123abcd4567',
    hasUnreleasedChanges: false,
  });
  assert.equal(formatRelease(readRelease(directory)), '1.2.3 (0123abcd4567)');
  await writeFile(join(directory, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 1.2.3\n');
  assert.equal(formatRelease(readRelease(directory)), '1.2.3+unreleased (0123abcd4567)');
  await rm(join(directory, 'CHANGELOG.md'));
  await writeFile(join(directory, 'commit.txt'), '/somewhere/on/a/machine');
  assert.equal(formatRelease(readRelease(directory)), '1.2.3');
});

test('semana --version and /healthz of both API servers report the release', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const { stdout } = await runCli(['--version']);
  assert.match(stdout, /^semana \d+\.\d+\.\d+(?:\+unreleased)?(?: \([0-9a-f]{7,40}\))?\n$/);
  assert.ok(stdout.startsWith(`semana ${version}`));
  const service = await openService({ demo: false });
  const expectedBody = { status: 'ok', version, commit: getCurrentRelease().commit };
  assert.deepEqual((await service.get('/healthz', { key: null })).body, expectedBody);
  assert.deepEqual((await service.staff('GET', '/healthz', { key: null })).body, expectedBody);
});

test('the release has a section in CHANGELOG.md', async () => {
  const text = await readFile(join(PROJECT, 'CHANGELOG.md'), 'utf8');
  assert.ok(text.includes(`\n## ${getCurrentRelease().version}\n`));
});
