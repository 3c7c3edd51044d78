import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '#core/values/duration.ts';
import { DataDirInUseError, EmbeddedPostgresError, type PrintLine } from './errors.ts';
import { type FileLock, giveToOwnerOfDirectory, tryLock, waitForLock } from './file-lock.ts';
import { inspectProcess } from './processes.ts';

/**
 * The processes that use a data directory, recorded by three locks that the kernel holds:
 *
 * - `service.lock`, exclusive: held by the one service while it runs.
 * - `commands.lock`, shared: held by each command while it runs.
 * - `transition.lock`, exclusive: held while a process creates, starts, adopts or stops the server.
 *
 * Every decision about the server is made under `transition`, so no process can arrive between the check that the server is unused and
 * its stop. The kernel releases the locks of killed processes.
 */
export type Claims = ReturnType<typeof openClaims>;

// A process that only tests a lock holds it for microseconds, which must not count as in use.
const SERVICE_LOCK_TIMEOUT_MS = 300;
// As long as crash recovery may take, because the holder may be waiting for that.
const TRANSITION_TIMEOUT_MS = 10 * MINUTE_MS;
const TRANSITION_AT_END_TIMEOUT_MS = 30_000;

export function openClaims(dataDir: string, log: PrintLine) {
  const locksDir = join(dataDir, 'locks');
  mkdirSync(locksDir, { recursive: true, mode: 0o755 });
  giveToOwnerOfDirectory(locksDir);
  const serviceLock = join(locksDir, 'service.lock');
  const commandsLock = join(locksDir, 'commands.lock');
  const transitionLock = join(locksDir, 'transition.lock');
  const serviceInfo = join(locksDir, 'service.json');

  return {
    async claimService(label: string): Promise<FileLock> {
      const lock = await waitForLock(serviceLock, 'exclusive', { timeoutMs: SERVICE_LOCK_TIMEOUT_MS });
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
      if (!lock) throw new EmbeddedPostgresError(`Cannot lock ${commandsLock}: another process holds it.`);
      return lock;
    },

    /** Whether a process uses the server. Only meaningful under `transition`. */
    isUsed(): boolean {
      return isHeld(serviceLock) || isHeld(commandsLock);
    },

    /** `isStopping`: for a service that stops. A stuck process must not keep it from stopping its server. */
    async transition<T>(work: () => Promise<T>, { isStopping = false } = {}): Promise<T> {
      const lock = await waitForLock(transitionLock, 'exclusive', {
        timeoutMs: isStopping ? TRANSITION_AT_END_TIMEOUT_MS : TRANSITION_TIMEOUT_MS,
        onWait: () => log(`Waiting: another Semana is starting or stopping the database in ${dataDir}.`),
      });
      if (!lock && !isStopping)
        throw new EmbeddedPostgresError(
          `Another Semana has been starting or stopping the database in ${dataDir} for too long.`,
        );
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
  // Renamed into place, so that no process reads an incomplete file.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o644 });
  giveToOwnerOfDirectory(temporary);
  renameSync(temporary, path);
}

/** Reads the lock holder for an error message. The holder writes the file right after taking the lock, so a missing or outdated file is read again. */
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
