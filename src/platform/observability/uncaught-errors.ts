import { isAway } from '../database/db.ts';
import type { Log } from './log.ts';

/** How many there were since the process began. */
export const uncaughtErrors = { rejection: 0, exception: 0 };

/**
 * Uncaught errors are logged in full and counted. After an unhandled rejection the process goes on: the rest of its state is
 * intact. It also goes on after an exception that is only a lost connection, because no fault of a database or a PSP may end the
 * process. After any other exception memory may be inconsistent: the process shuts down as on SIGTERM, running requests first,
 * with an error code, and its supervisor restarts it.
 */
export function watchUncaughtErrors(log: Log, end: () => void): void {
  process.on('unhandledRejection', (error) => {
    uncaughtErrors.rejection += 1;
    log.error({ err: error }, 'a rejection that nobody caught');
  });
  process.on('uncaughtException', (error) => {
    uncaughtErrors.exception += 1;
    log.fatal({ err: error }, 'an exception that nobody caught');
    if (isEndOfConnection(error)) return;
    log.fatal('ending because of it');
    end();
  });
}

function isEndOfConnection(error: Error & { syscall?: string }): boolean {
  return isAway(error) || /^(?:read|write|connect|shutdown)$/.test(error.syscall ?? '');
}
