import { DatabaseAway } from '../database/db.ts';
import { WrongMode } from '../database/installation.ts';
import { MigrationFault } from '../database/migrate.ts';
import { PortsTaken } from '../ports.ts';
import { EmbeddedPostgresError } from '../postgres/embedded.ts';
import { WrongKeys } from '../privacy/key-checks.ts';
import { ConfigFaults } from '../settings.ts';
import { KeyGone } from '../vault.ts';

/** Faults that are told by their message alone. */
const MENDABLE = [EmbeddedPostgresError, MigrationFault, WrongMode, WrongKeys, KeyGone, PortsTaken];

type SystemError = Error & { code?: string; syscall?: string; hostname?: string };

/** Errors that the operator can fix are reported without a stack. Others are bugs and show one. Never with a password. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigFaults) {
    return [error.message, ...error.faults.map((fault) => `  - ${fault}`)].join('\n');
  }
  if (MENDABLE.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseAway) return explainDatabase(error.cause as Error);

  const { code = '', syscall, hostname, message } = error as SystemError;
  if (syscall === 'getaddrinfo')
    return `There is no host '${hostname}' (${code}). It stands in DATABASE_URL, HOST or STAFF_HOST.`;
  if (code === 'EACCES' && syscall === 'listen') return `${message}. Ports below 1024 need rights; set PORT.`;
  if (syscall === 'listen') return `${message}. Look at HOST and STAFF_HOST.`;
  if (DATABASE_CODES.test(code) || DATABASE_MESSAGES.test(message)) return explainDatabase(error);
  return error.stack ?? message;
}

/**
 * Unreachable; or PostgreSQL's classes for refused login, no such database, missing rights, too many connections, shutting down.
 */
const DATABASE_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|25006|28...|3D000|42501|53...|57P..)$/;
/** Errors of the driver that have no code. */
const DATABASE_MESSAGES = /^SASL|does not support SSL|Connection terminated|timeout exceeded|timeout expired/;

function explainDatabase(error: Error): string {
  // Several addresses of one name were tried: reports the error of each.
  const reasons =
    error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [error.message];
  return `The database cannot be used: ${reasons.join('; ')}. Look at DATABASE_URL.`;
}
