import { type DestinationStream, type Logger, pino } from 'pino';
import { formatLogLine } from './pretty-log.ts';

export type Log = Logger;

/** Personal data is never logged: no URLs, bodies and headers, and of database errors only the names of tables. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, serializers: { err: describeError } };
  if (destination) return pino(options, destination);
  return process.stdout.isTTY ? pino(options, TERMINAL) : pino(options);
}

const TERMINAL: DestinationStream = { write: (line) => void process.stdout.write(formatLogLine(line)) };

type DatabaseError = Error & { code?: string; table?: string; constraint?: string; severity?: string };

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint, severity } = error as DatabaseError;
  // PostgreSQL quotes values in its messages ("invalid input syntax for ...: "x""), which are removed here.
  const removeValues = (text: string) => (severity ? text.replace(/"[^"]*"/g, '"…"') : text);
  return {
    type: error.name,
    message: removeValues(error.message),
    ...(code && { code }),
    ...(table && { table }),
    ...(constraint && { constraint }),
    stack: error.stack && removeValues(error.stack),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
