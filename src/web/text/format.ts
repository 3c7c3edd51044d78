import { effectiveDueDay } from '#core/calendar.ts';
import { type Day, daysBetween, parseDay, saoPauloDay } from '#core/day.ts';

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const day = (options: Intl.DateTimeFormatOptions) => {
  const { format } = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', ...options });
  // Portuguese writes the first of a month as an ordinal, which Intl does not do. Periods after short months and weekdays are
  // removed: they would be doubled at the end of a sentence.
  return {
    format: (instant: Date) =>
      format(instant)
        .replace(/(?<!\d)1 de /, '1º de ')
        .replaceAll('.', ''),
  };
};
const long = day({ day: 'numeric', month: 'long', year: 'numeric' });
const short = day({ weekday: 'short', day: 'numeric', month: 'short' });

const time = day({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

const timeOfYear = day({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const shortOfYear = day({ day: 'numeric', month: 'short', year: 'numeric' });

const hour = day({ hour: '2-digit', minute: '2-digit' });
const weekday = day({ weekday: 'long' });

/** R$ 1.234,56 */
export const inReais = (value: number) => money.format(value);
/** 1234,56, as in an input. */
export const plainReais = (value: number) => value.toFixed(2).replace('.', ',');
/** 2,5% */
export const percent = (value: number) => `${number.format(value)}%`;
/** 1.234 */
export const count = (value: number) => number.format(value);
/** 15 de novembro de 2026 */
export const longDate = (instant: string) => long.format(new Date(instant));
/** sex, 20 de nov. Formatted at noon, so that the day is the same in every time zone. */
export const shortDay = (of: string) => short.format(new Date(`${of}T12:00:00-03:00`));

/** "vence hoje", "vence amanhã", "vence em 5 dias", "venceu há 2 dias". On a weekend or holiday nothing is late before the next banking day has passed. */
export function dueWords(dueOn: string, now: Date): string {
  const today = saoPauloDay(now.getTime());
  const days = daysBetween(today, dueOn as Day);
  if (days === 0) return 'vence hoje';
  if (days === 1) return 'vence amanhã';
  if (days > 1) return days <= 14 ? `vence em ${days} dias` : `vence ${shortDay(dueOn)}`;
  const lastDay = effectiveDueDay(dueOn as Day);
  const late = daysBetween(lastDay, today);
  if (late <= 0) return `sem multa até ${late === 0 ? 'hoje' : shortDay(lastDay)}`;
  return late === 1 ? 'venceu ontem' : `venceu há ${late} dias`;
}

/** 17:05 */
export const clockTime = (instant: string) => hour.format(new Date(instant));
/** 15 de nov, 17:05 */
export const shortTime = (instant: string) => time.format(new Date(instant));
/** 15 de nov, 17:05; of another year 15 de nov de 2025, 17:05. */
export const timeInYear = (instant: string, now: Date) =>
  (isInYear(instant, now) ? time : timeOfYear).format(new Date(instant));
/** sex, 20 de nov; of another year 20 de nov de 2025. */
export const dayInYear = (of: string, now: Date) =>
  isInYear(of, now) ? shortDay(of) : shortOfYear.format(new Date(`${of}T12:00:00-03:00`));
const isInYear = (at: string, now: Date) => at.slice(0, 4) === String(now.getUTCFullYear());
/** The last minute before the end: 23:59 and not 00:00 of the next day. */
export const lastMinute = (end: string) => time.format(new Date(Date.parse(end) - 1));
/** 20 de novembro de 2026, of a day. */
export const longDay = (of: string) => longDate(`${of}T12:00:00-03:00`);

/** quinta-feira */
export const weekdayOf = (of: string) => weekday.format(new Date(`${of}T12:00:00-03:00`));

export const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

/** Text of the service with no-break spaces in amounts. */
export const whole = (text: string) => text.replace(/R\$ (?=\d)/g, 'R$\u00a0');

/** Without accents and case, to compare what people type. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Brazilian numbers such as (11) 98765-0001 as E.164; anything else is returned as typed, and the service validates it. */
export function readPhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.trim().startsWith('+')) return `+${digits}`;
  if (/^0?\d{10,11}$/.test(digits)) return `+55${digits.replace(/^0/, '')}`;
  return /^55\d{10,11}$/.test(digits) ? `+${digits}` : text.trim();
}

/** Characters that XML does not allow, not even escaped: one makes the document invalid. */
const NOT_XML = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

/** Text for XML and SVG. */
export const xml = (text: string) =>
  text
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** (11) 98765-0001; foreign numbers unchanged. */
export const showPhone = (phone: string) => phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');

/** Whether it has the form of a date but does not exist: 31/02/1990. */
export function isNoDay(text: string): boolean {
  const read = readDate(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(read) && parseDay(read) === null;
}

/** 31/05/1990 as 1990-05-31; anything else is returned as typed, and the service validates it. */
export function readDate(text: string): string {
  const [, date, month, year] = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(text.trim()) ?? [];
  if (date && month && year) return `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const [, d, m, y] = /^(\d{2})(\d{2})(\d{4})$/.exec(text.trim()) ?? [];
  return d && m && y ? `${y}-${m}-${d}` : text.trim();
}
