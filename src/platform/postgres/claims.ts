import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '#core/duration.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';
import { type FileLock, giveToOwnerOfDirectory, tryLock, waitForLock } from './file-lock.ts';
import { inspectProcess } from './processes.ts';

/**
 * Who uses a data directory, in three kernel-held locks:
 *
 * - `service.lock`, exclusive: the one service, for its whole life.
 * - `commands.lock`, shared: every command, for its whole life.
 * - `transition.lock`, exclusive: whoever creates, starts, adopts or stops the server, only while it does.
 *
 * Every decision about the server is made under `transition`, so "is anybody left?" and "stop it" cannot be
 * overtaken by somebody who just arrived. Locks of killed processes are gone with them.
 */
export type Claims = ReturnType<typeof claimsOn>;

// Processes that only test a lock hold it for microseconds.
const PROBE_ALLOWANCE_MS = 300;
// As long as a recovery after a crash may take: the holder may be waiting for one.
const TRANSITION_TIMEOUT_MS = 10 * MINUTE_MS;
const TRANSITION_AT_END_TIMEOUT_MS = 30_000;

export function claimsOn(dataDir: string, log: (message: string) => void) {
  const locksDir = join(dataDir, 'locks');
  mkdirSync(locksDir, { recursive: true, mode: 0o755 });
  giveToOwnerOfDirectory(locksDir);
  const serviceLock = join(locksDir, 'service.lock');
  const commandsLock = join(locksDir, 'commands.lock');
  const transitionLock = join(locksDir, 'transition.lock');
  const serviceInfo = join(locksDir, 'service.json');

  const waitForTransition = (timeoutMs: number) =>
    waitForLock(transitionLock, 'exclusive', {
      timeoutMs,
      onWait: () => log(`Waiting: another Semana is starting or stopping the database in ${dataDir}.`),
    });

  return {
    async claimService(label: string): Promise<FileLock> {
      const lock = await waitForLock(serviceLock, 'exclusive', { timeoutMs: PROBE_ALLOWANCE_MS });
      if (!lock) throw new DataDirInUseError(dataDir, await readHolder(serviceInfo));
      writeHolder(serviceInfo, { label, pid: process.pid });
      return {
        release() {
          rmSync(serviceInfo, { force: true });
          lock.release();
        },
      };
    },

    async joinCommands(): Promise<FileLock> {
      const lock = await waitForLock(commandsLock, 'shared', { timeoutMs: 10_000 });
      if (!lock) throw new EmbeddedPostgresError(`Cannot get ${commandsLock}: somebody keeps it.`);
      return lock;
    },

    /** Only meaningful under `transition`. */
    isUsed(): boolean {
      return isHeld(serviceLock) || isHeld(commandsLock);
    },

    async transition<T>(work: () => Promise<T>): Promise<T> {
      const lock = await waitForTransition(TRANSITION_TIMEOUT_MS);
      if (!lock) {
        throw new EmbeddedPostgresError(
          `Another Semana has been starting or stopping the database in ${dataDir} for too long.`,
        );
      }
      try {
        return await work();
      } finally {
        lock.release();
      }
    },

    /** For a service that ends: a stuck process must not prevent it from stopping its server. */
    async transitionAnyway<T>(work: () => Promise<T>): Promise<T> {
      const lock = await waitForTransition(TRANSITION_AT_END_TIMEOUT_MS);
      if (!lock)
        log('Another Semana has not finished starting or stopping the database; not waiting for it.');
      try {
        return await work();
      } finally {
        lock?.release();
      }
    },
  };
}

function isHeld(path: string): boolean {
  const lock = tryLock(path, 'exclusive');
  lock?.release();
  return lock === null;
}

type Holder = { label: string; pid: number };

function writeHolder(path: string, holder: Holder): void {
  // Renamed into place, so that no process reads half of it.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o644 });
  giveToOwnerOfDirectory(temporary);
  renameSync(temporary, path);
}

/** For the message only. The holder writes it right after taking the lock, so a missing or old one is read again. */
async function readHolder(path: string): Promise<Holder | null> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
      if (await inspectProcess(holder.pid)) return holder;
    } catch {
      // Not written yet.
    }
    await sleep(25);
  }
  return null;
}
