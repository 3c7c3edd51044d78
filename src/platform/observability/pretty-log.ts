import { styleText } from 'node:util';

const LEVELS: Record<number, { name: string; style: Parameters<typeof styleText>[0] }> = {
  20: { name: 'debug', style: 'gray' },
  30: { name: 'info', style: 'green' },
  40: { name: 'warn', style: 'yellow' },
  50: { name: 'error', style: 'red' },
  60: { name: 'fatal', style: 'red' },
};

type LogLine = { level: number; time: number; msg?: string; err?: LoggedError; [field: string]: unknown };
type LoggedError = { type?: string; message?: string; stack?: string; cause?: LoggedError };

/** A line of the log as people read it on a terminal: time, level, what happened, then the details. */
export function prettyLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const { name, style } = LEVELS[level] ?? { name: String(level), style: 'white' };
  const clock = new Date(time).toTimeString().slice(0, 8);
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const words = [styleText('gray', clock), styleText(style, name.padEnd(5)), msg];
  if (details.length > 0) words.push(styleText('gray', details.join(' ')));
  return `${words.join(' ')}\n${err ? prettyError(err) : ''}`;
}

function prettyError({ type, message, stack, cause }: LoggedError): string {
  const text = stack ?? `${type}: ${message}`;
  const own = `${text.replace(/^/gm, '  ')}\n`;
  return cause ? `${own}  because of\n${prettyError(cause)}` : own;
}
