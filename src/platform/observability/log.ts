import { styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The levels of pino by their numbers. */
const LEVELS: Record<number, { name: string; style: Parameters<typeof styleText>[0] }> = {
  20: { name: 'debug', style: 'gray' },
  30: { name: 'info', style: 'green' },
  40: { name: 'warn', style: 'yellow' },
  50: { name: 'error', style: 'red' },
  60: { name: 'fatal', style: 'red' },
};

type LogLine = { level: number; time: number; msg?: string; err?: LoggedError; [field: string]: unknown };
type LoggedError = { type?: string; message?: string; stack?: string; cause?: LoggedError };

export function formatLogLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const { name, style } = LEVELS[level] ?? { name: String(level), style: 'white' };
  const timeOfDay = new Date(time).toTimeString().slice(0, 8);
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const segments = [styleText('gray', timeOfDay), styleText(style, name.padEnd(5)), msg];
  if (details.length > 0) segments.push(styleText('gray', details.join(' ')));
  return `${segments.join(' ')}\n${err ? formatError(err) : ''}`;
}

function formatError({ type, message, stack, cause }: LoggedError): string {
  const text = stack ?? `${type}: ${message}`;
  const indentedText = `${text.replace(/^/gm, '  ')}\n`;
  return cause ? `${indentedText}  because of\n${formatError(cause)}` : indentedText;
}

export type Log = Logger;

/** Creates a log without personal data: it has no URLs, bodies and headers, and only the names of tables from database errors. */
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
