import { UsageFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { readDay } from '#platform/command-line/values.ts';
import { dayOf, REPORT_NAMES, REPORTS, type ReportName } from '../reports.ts';

export const reportCommand = readingCommand({
  name: 'report',
  summary: 'show how the business stands on a day',
  positionals: [{ name: 'REPORT', help: REPORT_NAMES.join(', ') }],
  options: {
    on: { value: 'DAY', help: 'at the end of this day, e.g. 2026-11-15 (default: today, as of now)' },
  },
  details: REPORT_NAMES.map((name) => `  ${name.padEnd(10)} ${REPORTS[name].summary}`).join('\n'),
  examples: ['semana report aging --on 2026-10-31', 'semana report income --json'],
  async read({ db, clock }, args) {
    const [name = ''] = args.positionals;
    if (!REPORT_NAMES.includes(name as ReportName))
      throw new UsageFault(`There are these reports: ${REPORT_NAMES.join(', ')}.`);
    const on = dayOf(readDay(args, 'on'), clock);
    const made = await REPORTS[name as ReportName].make({ db, clock }, on);
    return { records: [made], text: textOf(made) };
  },
});

/** Single figures as a table of two columns, and `data` as a table of its own. */
function textOf(report: Record<string, unknown>): string {
  const { data, ...figures } = report;
  const lines = Object.entries(figures).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([field, of]) => ({ figure: `${name}: ${field}`, value: of as unknown }))
      : [{ figure: name, value }],
  );
  const summary = tableOf(lines, { FIGURE: 'figure', VALUE: ({ value }) => shown(value) }, '');
  if (!Array.isArray(data)) return summary;
  const fields = Object.keys(data[0] ?? {});
  const columns = Object.fromEntries(
    fields.map((field) => [
      field.toUpperCase().replaceAll('_', ' '),
      (row: Record<string, unknown>) => shown(row[field]),
    ]),
  );
  return `${tableOf(data, columns, 'Nothing.')}\n\n${summary}`;
}

const shown = (value: unknown): string => (value === null ? '-' : String(value));
