import { styleText } from 'node:util';
import { Problem } from '../problem.ts';
import { ConfigFaults } from '../settings.ts';
import { CommandFault, UsageFault } from './command.ts';
import { explain } from './explain.ts';

/** Why the command `name` did not do what it was told, for standard error; and the exit code. */
export function describeFault(error: unknown, name: string): { text: string; code: number } {
  const isUsage = error instanceof UsageFault || error instanceof ConfigFaults;
  const text = error instanceof UsageFault ? `${error.message} See 'semana ${name} --help'.` : told(error);
  return { text: styleText('red', text, { stream: process.stderr }), code: isUsage ? 2 : 1 };
}

function told(error: unknown): string {
  if (error instanceof CommandFault) return error.message;
  if (!(error instanceof Problem)) return explain(error);
  const { errors = [] } = error.detail;
  const more = errors.filter(({ message }) => !error.message.includes(message.en));
  return [
    error.message,
    ...more.map(({ pointer, message }) => `  - ${pointer.slice(1)}: ${message.en}`),
  ].join('\n');
}
