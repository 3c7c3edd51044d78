import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Release = {
  /** As in package.json and CHANGELOG.md. */
  readonly version: string;
  /** null where it is not known. */
  readonly commit: string | null;
};

const PROJECT = join(import.meta.dirname, '../..');
/** Written where an image is built, which has no git: see deploy/Containerfile. */
const COMMIT_FILE = 'commit.txt';
const COMMIT = /^[0-9a-f]{7,40}$/;
const GIT_MS = 2_000;

let known: Release | undefined;

export function thisRelease(): Release {
  known ??= readRelease(PROJECT);
  return known;
}

/** `0.2.0 (3bdaed1f0c2a)` */
export const shownRelease = ({ version, commit } = thisRelease()): string =>
  commit === null ? version : `${version} (${commit})`;

export function readRelease(directory: string): Release {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Release;
  const commit = (commitFromFile(directory) ?? commitFromGit(directory) ?? '').trim();
  return { version, commit: COMMIT.test(commit) ? commit : null };
}

function commitFromFile(directory: string): string | undefined {
  const path = join(directory, COMMIT_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function commitFromGit(directory: string): string | undefined {
  // A checkout of its own, and not merely a folder somewhere in another one.
  if (!existsSync(join(directory, '.git'))) return undefined;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_MS,
    });
  } catch {
    return undefined; // no git here, or not ours to ask
  }
}
