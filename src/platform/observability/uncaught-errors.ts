import { isUnavailableError } from '../database/db.ts';
import type { Log } from './log.ts';

/** The number of uncaught errors since the process started. */
export const uncaughtErrors = { rejection: 0, exception: 0 };

/**
 * The process continues after a rejection, and after an exception about a lost connection. After any other exception its memory may
 * be inconsistent: it shuts down as on SIGTERM, with an error code, and its supervisor restarts it.
 */
export function watchUncaughtErrors(log: Log, shutDown: () => void): void {
  process.on('unhandledRejection', (error) => {
    uncaughtErrors.rejection += 1;
    log.error({ err: error }, 'unhandled rejection');
  });
  process.on('uncaughtException', (error) => {
    uncaughtErrors.exception += 1;
    log.fatal({ err: error }, 'uncaught exception');
    if (isLostConnection(error)) return;
    log.fatal('shutting down after an uncaught exception');
    shutDown();
  });
}

function isLostConnection(error: Error & { syscall?: string }): boolean {
  return isUnavailableError(error) || /^(?:read|write|connect|shutdown)$/.test(error.syscall ?? '');
}

/** Exits when everything has stopped, with an error code if something could not stop cleanly. */
export const exitWhenStopped = (stopPromise: Promise<void>, code: number, log: Log): Promise<void> =>
  stopPromise.then(
    () => process.exit(code),
    (error: unknown) => {
      log.error({ err: error }, 'could not stop cleanly');
      process.exit(1);
    },
  );
