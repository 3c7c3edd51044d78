import { parseDay } from '#core/day.ts';
import { isText, readPhone } from '../http/formats.ts';
import { type Arguments, UsageFault } from './command.ts';

export function readText(args: Arguments, name: string, most: number): string {
  const text = args.option(name)?.trim() ?? '';
  if (!isText(text) || text.length > most) throw new UsageFault(`--${name} has 1 to ${most} characters.`);
  return text;
}

/** Customers are named by id or by phone. What is neither is looked for as it stands, and not found. */
export function readCustomer(text: string): string {
  return readPhone(text) ?? text.trim();
}

/** Undefined when it is not given. */
export function readDay(args: Arguments, name: string): string | undefined {
  const text = args.option(name);
  if (text !== undefined && (parseDay(text) === null || !/^2[01]/.test(text)))
    throw new UsageFault(`--${name} is '${text}'; write a day, like 2026-11-15.`);
  return text;
}
