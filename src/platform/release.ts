import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Release = { readonly version: string; readonly commit: string | null };

/** A release, and whether this code has changes that are not part of it. */
type Build = Release & { readonly isLater: boolean };

const PROJECT = join(import.meta.dirname, '../..');
/** Written when a container image is built, which has no git: see deploy/Containerfile. */
const COMMIT_FILE = 'commit.txt';
const COMMIT = /^[0-9a-f]{7,40}$/;
const GIT_TIMEOUT_MS = 2_000;

let cachedBuild: Build | undefined;

function currentBuild(): Build {
  cachedBuild ??= readRelease(PROJECT);
  return cachedBuild;
}

export function currentRelease(): Release {
  const { version, commit } = currentBuild();
  return { version, commit };
}

/** `0.2.0 (3bdaed1f0c2a)`, or `0.2.0+unreleased (3bdaed1f0c2a)` with later changes. */
export function formatRelease({ version, commit, isLater } = currentBuild()): string {
  const name = isLater ? `${version}+unreleased` : version;
  return commit === null ? name : `${name} (${commit})`;
}

export function readRelease(directory: string): Build {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Release;
  const file = join(directory, COMMIT_FILE);
  const commit = (existsSync(file) ? readFileSync(file, 'utf8') : (commitFromGit(directory) ?? '')).trim();
  return { version, commit: COMMIT.test(commit) ? commit : null, isLater: hasUnreleasedChanges(directory) };
}

/** A release leaves no section of unreleased changes in the changelog. */
function hasUnreleasedChanges(directory: string): boolean {
  const path = join(directory, 'CHANGELOG.md');
  return existsSync(path) && /^## Unreleased$/m.test(readFileSync(path, 'utf8'));
}

function commitFromGit(directory: string): string | undefined {
  // Only the root of a checkout counts, not a folder inside another one.
  if (!existsSync(join(directory, '.git'))) return undefined;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_TIMEOUT_MS,
    });
  } catch {
    return undefined; // git is not installed, or refuses this directory
  }
}
