import { isAway } from '../database/db.ts';
import type { Log } from '../observability/log.ts';

/** How many there were since the process began; it is the process that they happen to. */
export const uncaughtErrors = { rejection: 0, exception: 0 };

/**
 * What nobody caught is logged whole and counted.
 *
 * A rejected promise that nobody waited for has left everything else as it was: the process goes on. So it does after an
 * exception that is only the end of a connection, because nothing that a database or a PSP does may end us. Any other
 * exception was thrown through code that did not expect it, and may have left memory half changed: the process ends as on
 * SIGTERM, running requests first, with an error, and whoever supervises it starts it again.
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
