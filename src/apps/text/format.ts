import { computeEffectiveDueDay } from '#core/values/calendar.ts';
import { type Day, daysBetween, parseDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { centsToReais } from '#core/values/money.ts';

const moneyFormat = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const numberFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const createFormat = (options: Intl.DateTimeFormatOptions) => {
  const { format } = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', ...options });
  // Portuguese writes the first of a month as an ordinal, which Intl does not do. The periods after short months and weekdays
  // are removed, because a sentence that ends with one would have two periods.
  return {
    format: (instant: Date) =>
      format(instant)
        .replace(/(?<!\d)1 de /, '1º de ')
        .replaceAll('.', ''),
  };
};
const longDateFormat = createFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const shortDayFormat = createFormat({ weekday: 'short', day: 'numeric', month: 'short' });
const shortTimeFormat = createFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const shortTimeWithYearFormat = createFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const dayWithYearFormat = createFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const longDayFormat = createFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const clockFormat = createFormat({ hour: '2-digit', minute: '2-digit' });
const weekdayFormat = createFormat({ weekday: 'long' });

/** Returns noon in Brasília, when the date is the same in every time zone of Brazil. */
const toNoon = (day: string) => new Date(startOfDay(day as Day) + 12 * HOUR_MS);

/** Returns the exact sum of amounts in reais, unlike floating-point addition. Negate an amount to subtract it. */
export const sumReais = (...amounts: number[]): number =>
  centsToReais(amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0));

/** Example: R$ 1.234,56 */
export const formatReais = (value: number) => moneyFormat.format(value);
/** Example: 1234,56, as typed into an input. */
export const formatReaisInput = (value: number) => value.toFixed(2).replace('.', ',');
/** Example: 2,5% */
export const formatPercent = (value: number) => `${numberFormat.format(value)}%`;
/** Example: 1.234 */
export const formatNumber = (value: number) => numberFormat.format(value);
/** Example: 15 de novembro de 2026 */
export const formatLongDate = (instant: string) => longDateFormat.format(new Date(instant));
/** Example: sex, 20 de nov */
export const formatShortDay = (day: string) => shortDayFormat.format(toNoon(day));
/** Example: 2 de dez */
export const formatDayAndMonth = (day: string) => formatShortDay(day).split(', ')[1]!;

/** Example: na quarta, 2 de dezembro; no sábado, 5 de dezembro */
export const formatOnWeekday = (day: string) => {
  const text = longDayFormat.format(toNoon(day)).replace('-feira', '');
  return `${/^[sd][áo]/.test(text) ? 'no' : 'na'} ${text}`;
};

/** After this many days a due day is described by its date instead of the number of days. */
const MAX_COUNTED_DAYS = 14;

/** Returns a text such as "vence hoje", "vence em 5 dias" or "venceu há 2 dias". A payment due on a weekend or holiday is late only after the next banking day. */
export function describeDueDay(dueOn: string, now: Date): string {
  const today = saoPauloDay(now.getTime());
  const days = daysBetween(today, dueOn as Day);
  if (days === 0) return 'vence hoje';
  if (days === 1) return 'vence amanhã';
  if (days > 1) return days <= MAX_COUNTED_DAYS ? `vence em ${days} dias` : `vence ${formatShortDay(dueOn)}`;
  const lastDay = computeEffectiveDueDay(dueOn as Day);
  const daysLate = daysBetween(lastDay, today);
  if (daysLate <= 0) return `sem multa até ${daysLate === 0 ? 'hoje' : formatShortDay(lastDay)}`;
  return daysLate === 1 ? 'venceu ontem' : `venceu há ${daysLate} dias`;
}

const saoPauloFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});
/** Example: 2026-11-15 17:05:00, for files and inputs */
export const formatSaoPauloTime = (instant: string) => saoPauloFormat.format(new Date(instant));

/** Example: 17:05 */
export const formatClockTime = (instant: string) => clockFormat.format(new Date(instant));
/** Example: 15 de nov, 17:05 */
export const formatShortTime = (instant: string) => shortTimeFormat.format(new Date(instant));

/** Days are those of São Paulo, so that the last evening of a year does not belong to the next one. */
const isInCurrentYear = (day: string, now: Date) =>
  day.slice(0, 4) === saoPauloDay(now.getTime()).slice(0, 4);
/** Examples: 15 de nov, 17:05; in another year than the current: 15 de nov de 2025, 17:05. */
export const formatShortTimeWithYear = (instant: string, now: Date) =>
  (isInCurrentYear(saoPauloDay(Date.parse(instant)), now) ? shortTimeFormat : shortTimeWithYearFormat).format(
    new Date(instant),
  );
/** Examples: sex, 20 de nov; in another year than the current: 20 de nov de 2025. */
export const formatShortDayWithYear = (day: string, now: Date) =>
  isInCurrentYear(day, now) ? formatShortDay(day) : dayWithYearFormat.format(toNoon(day));

/** Example: 15 de nov, 23:59, for something that ends at midnight, because 00:00 of the next day would be misread. */
export const formatLastMinuteBefore = (end: string) => shortTimeFormat.format(new Date(Date.parse(end) - 1));
/** Example: 20 de novembro de 2026, from a date without a time. */
export const formatLongDay = (day: string) => longDateFormat.format(toNoon(day));

/** Example: quinta-feira */
export const formatWeekday = (day: string) => weekdayFormat.format(toNoon(day));

/** Example: 1 venda, 2 vendas */
export const pluralize = (count: number, singular: string, plural: string) =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** Example: 1 semana, 4 semanas */
export const formatWeeks = (count: number) => pluralize(count, 'semana', 'semanas');

/** Replaces the space in amounts by a no-break space, so that a line never ends after `R$`. */
export const keepAmountsTogether = (text: string) => text.replace(/R\$ (?=\d)/g, 'R$\u00a0');

/** Removes accents and case, so that typed words can be compared. */
export const normalizeForSearch = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a Brazilian number such as (11) 98765-0001 as E.164. Other input is returned unchanged: the API validates it. */
export function parsePhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.trim().startsWith('+')) return `+${digits}`;
  if (/^0?\d{10,11}$/.test(digits)) return `+55${digits.replace(/^0/, '')}`;
  return /^55\d{10,11}$/.test(digits) ? `+${digits}` : text.trim();
}

/** Control characters but tabs and line breaks, lone surrogates, and noncharacters: XML forbids them even when escaped. */
const FORBIDDEN_IN_XML = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

/** Escapes text for XML and SVG. */
export const escapeXml = (text: string) =>
  text
    .replaceAll(FORBIDDEN_IN_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Example: (11) 98765-0001. Foreign numbers are returned unchanged. */
export const formatPhone = (phone: string) => phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');

/** Whether the text is written like a date but names a day that does not exist, such as 31/02/1990. */
export function isImpossibleDate(text: string): boolean {
  const date = parseDate(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && parseDay(date) === null;
}

/** Returns 31/05/1990 and 31051990 as 1990-05-31. Other input is returned unchanged: the API validates it. */
export function parseDate(text: string): string {
  const input = text.trim();
  const [, day, month, year] =
    /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(input) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(input) ?? [];
  return day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : input;
}

/** The code of an invitation, as it appears in links and forms. */
export const REFERRAL_CODE_PATTERN = /^[A-Za-z0-9-]{4,20}$/;

/** How many characters of a purchase's hash the customer and the shop compare at the counter. */
export const SHORT_HASH_LENGTH = 6;
