import { isUnavailableError } from '../database/db.ts';
import type { Log } from './log.ts';

/** The number of uncaught errors since the process started. */
export const uncaughtErrors = { rejection: 0, exception: 0 };

/**
 * Logs and counts uncaught errors. After an unhandled rejection the process continues, because the rest of its state is intact. It also
 * continues after an exception that is only a lost connection, because a failure of a database or a PSP must not end the process. After
 * any other exception memory may be inconsistent: the process shuts down as on SIGTERM, finishing running requests first, with an error
 * code, and its supervisor restarts it.
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
