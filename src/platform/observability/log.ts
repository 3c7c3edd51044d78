import { type DestinationStream, type Logger, pino } from 'pino';
import { prettyLine } from './pretty-log.ts';

export type Log = Logger;

/**
 * Logs to standard output: JSON lines, or readable lines on a terminal. Personal data never gets here. Routes are logged as
 * patterns, not as addresses. Bodies and headers are not logged. Of a database error only names of tables are logged, not values.
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, serializers: { err: describeError } };
  if (destination) return pino(options, destination);
  return process.stdout.isTTY ? pino(options, TERMINAL) : pino(options);
}

const TERMINAL: DestinationStream = { write: (line) => void process.stdout.write(prettyLine(line)) };

type DatabaseError = Error & { code?: string; table?: string; constraint?: string; severity?: string };

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint, severity } = error as DatabaseError;
  // PostgreSQL quotes offending values in its messages ("invalid input syntax for ...: "x""): they are removed.
  const clean = (text: string) => (severity ? text.replace(/"[^"]*"/g, '"…"') : text);
  return {
    type: error.name,
    message: clean(error.message),
    ...(code && { code }),
    ...(table && { table }),
    ...(constraint && { constraint }),
    stack: error.stack && clean(error.stack),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
