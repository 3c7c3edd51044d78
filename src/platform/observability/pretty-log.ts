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
  const indented = `${text.replace(/^/gm, '  ')}\n`;
  return cause ? `${indented}  because of\n${formatError(cause)}` : indented;
}
