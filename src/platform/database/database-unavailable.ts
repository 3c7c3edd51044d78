const LOST = 'lost';
const TIMEOUT = 'timeout';

/** The database cannot be reached, does not respond in time, or refuses work at the moment. The caller may retry. */
export class DatabaseUnavailable extends Error {
  /** SQLSTATE, or the system's error code ('ECONNREFUSED'), or 'timeout', or 'lost'. */
  readonly reason: string;
  constructor(message: string, options: { cause?: unknown; reason?: string } = {}) {
    super(message, options);
    this.reason = options.reason ?? LOST;
  }
}

/** Whether a statement failed because a lock was not free within the `lock_timeout` of its transaction. */
export const isLockTimeout = (error: unknown): boolean => (error as DriverError).code === '55P03';

/**
 * Whether only a part of the database is unavailable: a Citus worker, which stores some of the customers. The coordinator reports a worker
 * that it cannot reach with a SQLSTATE of class 08. The loss of our own connection has no SQLSTATE.
 */
export const isPartialOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason.startsWith('08');

const READ_ONLY = '25006';
/** Reasons that likely affect all connections: no response, or a server that has become read-only. */
export const AFFECTS_ALL_CONNECTIONS: ReadonlySet<string> = new Set([TIMEOUT, READ_ONLY]);

/**
 * SQLSTATE classes. 08: no connection. 25006: read-only. 25P03, 25P04: transaction timeout. 53: no disk, memory or connections
 * left. 57014: our own statement timeout. 57P0: shutting down or starting. 58: system error.
 */
const UNAVAILABLE_STATES = /^(?:08|25006|25P03|25P04|53|57014|57P0|58)/;
const UNAVAILABLE_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|Client was closed/;
const TIMEOUT_MESSAGES = /Query read timeout|timeout exceeded|timeout expired/;

/** Messages of libpq that Citus reports as an internal error when it loses a worker during a statement. */
const LOST_WORKER_MESSAGES =
  /server closed the connection|SSL SYSCALL|SSL connection has been closed|could not (?:receive|send) data/;
const CONNECTION_FAILURE = '08006';
/** A deadlock across servers, which the reset of a sandbox can cause because it locks everything. On one server a deadlock is a bug. */
const DISTRIBUTED_DEADLOCK = /distributed deadlock/;

/** Only errors that PostgreSQL reports have a severity. */
type DriverError = Error & { code?: string; severity?: string };

export function isUnavailableError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { severity, message } = error as DriverError;
  const code = findCode(error) ?? '';
  if (!severity) return UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(message);
  return UNAVAILABLE_STATES.test(code) || DISTRIBUTED_DEADLOCK.test(message);
}

function findCode(error: unknown): string | undefined {
  const { code, message } = error as DriverError;
  return code === 'XX000' && LOST_WORKER_MESSAGES.test(message) ? CONNECTION_FAILURE : code;
}

export function findReason(error: unknown): string {
  return findCode(error) ?? (TIMEOUT_MESSAGES.test((error as Error).message) ? TIMEOUT : LOST);
}

/**
 * Whether the connection must be closed after this error. An error that PostgreSQL reports leaves it usable, except a protocol violation
 * (08P), a timeout of the transaction (25P03, 25P04), a shutdown (57P0) or a read-only server (25006).
 */
export function leavesConnectionUnusable(error: unknown): boolean {
  const code = findCode(error) ?? '';
  return (error as DriverError).severity === undefined || /^(?:08P|25006|25P0[34]|57P0)/.test(code);
}
