import { DatabaseUnavailable } from '../database/db.ts';
import { WrongKeysError, WrongModeError } from '../database/installation.ts';
import { MigrationError } from '../database/migrate.ts';
import { PortsInUseError } from '../ports.ts';
import { EmbeddedPostgresError } from '../postgres/embedded.ts';
import { Problem } from '../problem.ts';
import { ConfigErrors } from '../settings.ts';
import { MissingKeyError } from '../vault.ts';

const SELF_EXPLANATORY_ERRORS = [
  EmbeddedPostgresError,
  MigrationError,
  WrongModeError,
  WrongKeysError,
  MissingKeyError,
  PortsInUseError,
];

type SystemError = Error & { code?: string; syscall?: string; hostname?: string };

/** Explains an error that the operator can fix, without a stack. Other errors are bugs, and include the stack. No text contains a password. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigErrors) {
    return [error.message, ...error.errors.map((configError) => `  - ${configError}`)].join('\n');
  }
  if (error instanceof Problem) return explainProblem(error);
  if (SELF_EXPLANATORY_ERRORS.some((errorClass) => error instanceof errorClass)) return error.message;
  if (error instanceof DatabaseUnavailable) return explainDbError(error.cause as Error);

  const { code = '', syscall, hostname, message } = error as SystemError;
  if (syscall === 'getaddrinfo')
    return `The host '${hostname}' was not found (${code}). Check DATABASE_URL, HOST and STAFF_HOST.`;
  if (code === 'EACCES' && syscall === 'listen')
    return `${message}. Ports below 1024 require privileges; set PORT.`;
  if (syscall === 'listen') return `${message}. Check HOST and STAFF_HOST.`;
  if (DATABASE_ERROR_CODES.test(code) || DATABASE_ERROR_MESSAGES.test(message)) return explainDbError(error);
  return error.stack ?? message;
}

function explainProblem({ message, detail: { errors = [] } }: Problem): string {
  const otherErrors = errors.filter((fieldError) => !message.includes(fieldError.message.en));
  return [
    message,
    ...otherErrors.map((fieldError) => `  - ${fieldError.pointer.slice(1)}: ${fieldError.message.en}`),
  ].join('\n');
}

/** The codes of network errors, and PostgreSQL's classes for failed login, unknown database, privileges, connections and shutdown. */
const DATABASE_ERROR_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|25006|28...|3D000|42501|53...|57P..)$/;
const DATABASE_ERROR_MESSAGES =
  /^SASL|does not support SSL|Connection terminated|timeout exceeded|timeout expired/;

function explainDbError(error: Error): string {
  // An aggregate error means that the driver tried several addresses of one host name. The message has the error of each.
  const reasons =
    error instanceof AggregateError ? error.errors.map((attempt: Error) => attempt.message) : [error.message];
  return `The database cannot be used: ${reasons.join('; ')}. Check DATABASE_URL.`;
}
