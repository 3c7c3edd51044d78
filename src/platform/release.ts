import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Release = { readonly version: string; readonly commit: string | null };

/** A release, and whether this code has changes that are not part of the release. */
type Build = Release & { readonly hasUnreleasedChanges: boolean };

const PROJECT = join(import.meta.dirname, '../..');
/** The file that the build of a container image writes, because the image has no git: see deploy/Containerfile. */
const COMMIT_FILE = 'commit.txt';
/** Other contents of the file or of git are no commit id, so the commit counts as unknown. */
const COMMIT_PATTERN = /^[0-9a-f]{7,40}$/;
const GIT_TIMEOUT_MS = 2_000;

let cachedBuild: Build | undefined;

function getCurrentBuild(): Build {
  cachedBuild ??= readRelease(PROJECT);
  return cachedBuild;
}

export function getCurrentRelease(): Release {
  const { version, commit } = getCurrentBuild();
  return { version, commit };
}

/** Formats a release as `0.2.0 (3bdaed1f0c2a)`, or with later changes as `0.2.0+unreleased (3bdaed1f0c2a)`. */
export function formatRelease({ version, commit, hasUnreleasedChanges } = getCurrentBuild()): string {
  const name = hasUnreleasedChanges ? `${version}+unreleased` : version;
  return commit === null ? name : `${name} (${commit})`;
}

export function readRelease(directory: string): Build {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Release;
  const commitPath = join(directory, COMMIT_FILE);
  const commit = (
    existsSync(commitPath) ? readFileSync(commitPath, 'utf8') : (readGitCommit(directory) ?? '')
  ).trim();
  return {
    version,
    commit: COMMIT_PATTERN.test(commit) ? commit : null,
    hasUnreleasedChanges: hasUnreleasedSection(directory),
  };
}

/** Whether the changelog has a section of unreleased changes, which a release removes. */
function hasUnreleasedSection(directory: string): boolean {
  const path = join(directory, 'CHANGELOG.md');
  return existsSync(path) && /^## Unreleased$/m.test(readFileSync(path, 'utf8'));
}

function readGitCommit(directory: string): string | undefined {
  // The directory must be the root of a checkout, not a folder inside another repository.
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
