import { type TObject, type TSchema, Type } from 'typebox';
import { columnsOf, sendCsv, wantsCsv } from '#platform/http/csv.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { dayOf, REPORTS, type Reporting, type ReportName } from './reports.ts';
import { ReportQuery } from './schemas.ts';

type ReportBody = Record<string, unknown>;

/** An endpoint whose path ends with the name of its report. */
export const reportEndpoint =
  <N extends ReportName>(route: `GET /admin/reports/${N}`, id: string) =>
  (reporting: Reporting) => {
    const name = route.split('/').at(-1) as N;
    const { schema, summary, description, make } = REPORTS[name];
    return endpoint(route, {
      access: { scope: 'operator', role: 'viewer' },
      id,
      summary,
      description,
      query: ReportQuery,
      answers: { 200: { description: 'The report.', schema: schema as TObject, csv: true } },
      async handler(request, reply) {
        const on = dayOf(request.query.on, reporting.clock);
        const made = await make(reporting, on);
        if (!wantsCsv(request)) return made;
        const { item, rows } = toTable(schema, made);
        async function* batches() {
          yield rows;
        }
        return sendCsv({ request, reply }, `${name}-${on}`, columnsOf(item), batches());
      },
    });
  };

/**
 * A report as rows: those of its `data`, or else a row for each group of figures, named in `figures`. Every row begins with the day.
 * Other figures of a report without `data` are in each row.
 */
function toTable({ properties }: TObject, made: ReportBody): { item: TObject; rows: ReportBody[] } {
  const { on, data, ...others } = properties as Record<string, TSchema>;
  if (data) {
    const { items } = data as TSchema & { items: TObject };
    const rows = (made.data as ReportBody[]).map((row) => ({ on: made.on, ...row }));
    return { item: Type.Object({ on: on!, ...items.properties }), rows };
  }
  const isGroup = (schema: TSchema) => 'properties' in schema;
  const groups = Object.entries(others).filter(([, schema]) => isGroup(schema));
  const plain = Object.fromEntries(Object.entries(others).filter(([, schema]) => !isGroup(schema)));
  const shared = Object.fromEntries(['on', ...Object.keys(plain)].map((field) => [field, made[field]]));
  return {
    item: Type.Object({
      on: on!,
      ...plain,
      figures: Type.String(),
      ...(groups[0]![1] as TObject).properties,
    }),
    rows: groups.map(([group]) => ({ ...shared, figures: group, ...(made[group] as ReportBody) })),
  };
}
