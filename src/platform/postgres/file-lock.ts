import { chownSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, getMessage, hasCode } from './errors.ts';

/**
 * The kernel holds a lock until the process ends, so a lock is never stale. Node has no flock, but its SQLite takes such locks. Never open
 * a lock file with `node:fs`: POSIX drops a process's locks on a file when the process closes any descriptor of this file.
 */
export type FileLock = { release(): void };

type LockMode = 'exclusive' | 'shared';

// The set keeps references, because a garbage-collected database is closed, which releases its lock.
const openDatabases = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;
const POLL_INTERVAL_MS = 20;
const ON_WAIT_DELAY_MS = 1_000;

/** Returns null if another process, or another lock of this process, holds the file. */
export function tryLock(path: string, mode: LockMode): FileLock | null {
  createLockFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // Creates no journal file in the directory. Nothing is written, so no journal is needed.
    database.exec('PRAGMA journal_mode = MEMORY');
    // A transaction that is not exclusive takes its shared lock only when it reads.
    database.exec(mode === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    throw new EmbeddedPostgresError(
      `Cannot lock ${path} (${getMessage(error)}). The data directory must be on a local disk and writable by this user.`,
      { cause: error },
    );
  }
  const lockedDatabase = database;
  openDatabases.add(lockedDatabase);
  return {
    release() {
      if (openDatabases.delete(lockedDatabase)) lockedDatabase.close();
    },
  };
}

/** Polls until it gets the lock. Returns null on timeout. Calls `onWait` once if the wait takes more than a second. */
export async function waitForLock(
  path: string,
  mode: LockMode,
  options: { timeoutMs: number; onWait?: () => void },
): Promise<FileLock | null> {
  const startMs = performance.now();
  let hasCalledOnWait = false;
  for (;;) {
    const lock = tryLock(path, mode);
    if (lock) return lock;
    const waitedMs = performance.now() - startMs;
    if (waitedMs >= options.timeoutMs) return null;
    if (waitedMs >= ON_WAIT_DELAY_MS && !hasCalledOnWait) {
      hasCalledOnWait = true;
      options.onWait?.();
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

function createLockFile(path: string): void {
  try {
    // 'wx' fails on an existing file without opening it, so it cannot drop a lock of this process.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw new EmbeddedPostgresError(`Cannot create ${path}: ${getMessage(error)}`, { cause: error });
  }
  chownToDirectoryOwner(path);
}

/** Gives the file to the owner of its directory: root must not leave files in a user's data directory that the user cannot open. */
export function chownToDirectoryOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const directory = statSync(dirname(path));
  if (directory.uid !== 0) chownSync(path, directory.uid, directory.gid);
}

function isBusy(error: unknown): boolean {
  // Only the low byte is compared, because the extended codes distinguish kinds of "busy", which does not matter here.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
