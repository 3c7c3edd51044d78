import { type TObject, type TSchema, Type } from 'typebox';
import { reportNotReady } from '#credit';
import { buildColumns, sendCsv, wantsCsv } from '#platform/http/csv.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { REPORTS, type ReportDeps, type ReportName, resolveReportDay } from '../reports.ts';
import { ReportQuery } from '../schemas.ts';

type ReportBody = Record<string, unknown>;

/** Defines the endpoint of a report. Its path ends with the name of the report. */
const defineReportEndpoint =
  <N extends ReportName>(route: `GET /admin/reports/${N}`, id: string) =>
  (deps: ReportDeps) => {
    const name = route.split('/').at(-1) as N;
    const { schema, subject, description, compute } = REPORTS[name];
    return endpoint(route, {
      access: { scope: 'operator', role: 'viewer' },
      id,
      summary: `Get the ${name} report`,
      description: `${subject}. ${description}`,
      query: ReportQuery,
      responses: { 200: { description: 'The report.', schema: schema as TObject, csv: true } },
      problems: [reportNotReady],
      async handler(request, reply) {
        const day = resolveReportDay(request.query.on, deps.clock);
        const report = await compute(deps, day);
        if (!wantsCsv(request)) return report;
        const { rowSchema, rows } = toTable(schema, report);
        // sendCsv streams batches of rows. A report is a single batch.
        async function* generateSingleBatch() {
          yield rows;
        }
        return sendCsv({ request, reply }, `${name}-${day}`, buildColumns(rowSchema), generateSingleBatch());
      },
    });
  };

export const reportEndpoints = {
  aging: defineReportEndpoint('GET /admin/reports/aging', 'getAgingReport'),
  autopay: defineReportEndpoint('GET /admin/reports/autopay', 'getAutopayReport'),
  cashback: defineReportEndpoint('GET /admin/reports/cashback', 'getCashbackReport'),
  cohorts: defineReportEndpoint('GET /admin/reports/cohorts', 'getCohortsReport'),
  income: defineReportEndpoint('GET /admin/reports/income', 'getIncomeReport'),
  merchants: defineReportEndpoint('GET /admin/reports/merchants', 'getMerchantsReport'),
  messages: defineReportEndpoint('GET /admin/reports/messages', 'getMessagesReport'),
  pix: defineReportEndpoint('GET /admin/reports/pix', 'getPixReport'),
  portfolio: defineReportEndpoint('GET /admin/reports/portfolio', 'getPortfolioReport'),
  refusals: defineReportEndpoint('GET /admin/reports/refusals', 'getRefusalsReport'),
  reminders: defineReportEndpoint('GET /admin/reports/reminders', 'getRemindersReport'),
  weekly: defineReportEndpoint('GET /admin/reports/weekly', 'getWeeklyReport'),
};

/**
 * Converts a report to rows for CSV, which all start with the day. A report with `data` has the rows of `data`. Any other report has
 * groups of figures, all with the same fields: each group becomes a row with the group's name in `figures`, and figures outside of
 * groups are repeated in each row.
 */
function toTable({ properties }: TObject, report: ReportBody): { rowSchema: TObject; rows: ReportBody[] } {
  const { on: daySchema, data: dataSchema, ...otherProperties } = properties as Record<string, TSchema>;
  if (dataSchema) {
    const { items } = dataSchema as TSchema & { items: TObject };
    const rows = (report.data as ReportBody[]).map((row) => ({ on: report.on, ...row }));
    return { rowSchema: Type.Object({ on: daySchema!, ...items.properties }), rows };
  }
  const isGroup = (schema: TSchema) => 'properties' in schema;
  const groups = Object.entries(otherProperties).filter(([, schema]) => isGroup(schema));
  const ungroupedProperties = Object.fromEntries(
    Object.entries(otherProperties).filter(([, schema]) => !isGroup(schema)),
  );
  const sharedFigures = Object.fromEntries(
    ['on', ...Object.keys(ungroupedProperties)].map((field) => [field, report[field]]),
  );
  const [, anyGroupSchema] = groups[0]!;
  return {
    rowSchema: Type.Object({
      on: daySchema!,
      ...ungroupedProperties,
      figures: Type.String(),
      ...(anyGroupSchema as TObject).properties,
    }),
    rows: groups.map(([group]) => ({ ...sharedFigures, figures: group, ...(report[group] as ReportBody) })),
  };
}
