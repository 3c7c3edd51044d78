/** The database cannot be reached, does not answer in time, or takes no work now: the caller may try again. */
export class DatabaseAway extends Error {
  /** SQLSTATE, or the system's error code ('ECONNREFUSED'), or 'timeout', or 'lost'. */
  readonly reason: string;
  constructor(message: string, options: { cause?: unknown; reason?: string } = {}) {
    super(message, options);
    this.reason = options.reason ?? 'lost';
  }
}

/** A lock was not free within the `lock_timeout` of the transaction. Nothing was done. */
export const isLockTimeout = (error: unknown): boolean => (error as DriverError).code === '55P03';

/** The database answers, but a part of it does not: a Citus worker, which has some of the customers. */
export const isPartlyAway = (error: unknown): boolean =>
  error instanceof DatabaseAway && error.reason.startsWith('08');

const READ_ONLY = '25006';
const TIMEOUT = 'timeout';
/** The fault likely concerns every connection: no answer, or a server that has become read-only. */
export const LIKELY_ALL: ReadonlySet<string> = new Set([TIMEOUT, READ_ONLY]);

/**
 * SQLSTATE classes. 08: no connection. 25006: read-only. 25P03, 25P04: transaction timeout. 53: no disk, memory or connections
 * left. 57014: our own statement timeout. 57P0: shutting down or starting. 58: system error.
 */
const AWAY_STATES = /^(?:08|25006|25P03|25P04|53|57014|57P0|58)/;
const AWAY_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;
const AWAY_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|Client was closed/;
const TIMEOUT_MESSAGES = /Query read timeout|timeout e/;

/** Citus lost a worker during the statement. It reports libpq's message as an internal error. */
const LOST_WORKER =
  /server closed the connection|SSL SYSCALL|SSL connection has been closed|could not (?:receive|send) data/;
const CONNECTION_FAILURE = '08006';
/** A deadlock across servers, detected late: the reset of a sandbox locks everything. On one server a deadlock is a bug. */
const DISTRIBUTED_DEADLOCK = /distributed deadlock/;

type DriverError = Error & { code?: string; severity?: string };

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { severity, message } = error as DriverError;
  const code = codeOf(error) ?? '';
  if (severity && DISTRIBUTED_DEADLOCK.test(message)) return true;
  return severity ? AWAY_STATES.test(code) : AWAY_CODES.test(code) || AWAY_MESSAGES.test(message);
}

function codeOf(error: unknown): string | undefined {
  const { code, message } = error as DriverError;
  return code === 'XX000' && LOST_WORKER.test(message) ? CONNECTION_FAILURE : code;
}

export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (TIMEOUT_MESSAGES.test((error as Error).message) ? TIMEOUT : 'lost');
}

/**
 * After an error that PostgreSQL itself reports the connection is usable, unless the error ends it or the server has become
 * read-only. An unreachable Citus worker leaves it usable, too.
 */
export function leavesConnectionUnusable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return (error as DriverError).severity === undefined || /^(?:08P|25006|25P0[34]|57P0)/.test(code);
}
