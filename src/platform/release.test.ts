import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandLine } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { readRelease, shownRelease, thisRelease } from './release.ts';

const PROJECT = join(import.meta.dirname, '../..');
const directory = await mkdtemp(join(tmpdir(), 'semana-release-'));
after(() => rm(directory, { recursive: true }));

test('a build without git knows its commit from a file; without that it is not known', async () => {
  await writeFile(join(directory, 'package.json'), '{"version":"1.2.3"}');
  assert.deepEqual(readRelease(directory), { version: '1.2.3', commit: null });
  await writeFile(join(directory, 'commit.txt'), '0123abcd4567\n');
  assert.deepEqual(readRelease(directory), { version: '1.2.3', commit: '0123abcd4567' });
  assert.equal(shownRelease(readRelease(directory)), '1.2.3 (0123abcd4567)');
  await writeFile(join(directory, 'commit.txt'), '/somewhere/on/a/machine');
  assert.equal(shownRelease(readRelease(directory)), '1.2.3');
});

test('semana --version and /healthz at both doors say which release this is', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const { stdout } = await commandLine(['--version']);
  assert.match(stdout, /^semana \d+\.\d+\.\d+(?: \([0-9a-f]{7,40}\))?\n$/);
  assert.ok(stdout.startsWith(`semana ${version}`));
  const service = await openService({ demo: false });
  const shown = { status: 'ok', version, commit: thisRelease().commit };
  assert.deepEqual((await service.get('/healthz', { key: null })).body, shown);
  assert.deepEqual((await service.staff('GET', '/healthz', { key: null })).body, shown);
});

test('the release has a chapter in CHANGELOG.md', async () => {
  const text = await readFile(join(PROJECT, 'CHANGELOG.md'), 'utf8');
  assert.ok(text.includes(`\n## ${thisRelease().version}\n`));
});
