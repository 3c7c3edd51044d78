import type { Readable } from 'node:stream';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { columnsOf, sendCsv, wantsCsv } from '#platform/http/csv.ts';
import type { Sent } from '#platform/http/sent.ts';
import { dayOf, REPORTS, type Reporting, type ReportName } from './reports.ts';
import { ReportQuery } from './schemas.ts';

type Request = {
  query: { on?: string };
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
};
type Reply = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): Sent } };
};
type ReportBody = Record<string, unknown>;

/** The part of a report's endpoint that all reports share. */
export function answerReport<N extends ReportName>(name: N, reporting: Reporting) {
  const { schema, summary, description, make } = REPORTS[name];
  return {
    summary,
    description,
    query: ReportQuery,
    answers: { 200: { description: 'The report.', schema, csv: true } } as const,
    async handler(request: Request, reply: Reply): Promise<Static<typeof schema> | Sent> {
      const on = dayOf(request.query.on, reporting.clock);
      const made = await make(reporting, on);
      if (!wantsCsv(request)) return made;
      const { item, rows } = toTable(schema, made);
      async function* batches() {
        yield rows;
      }
      return sendCsv({ request, reply }, `${name}-${on}`, columnsOf(item), batches());
    },
  };
}

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
