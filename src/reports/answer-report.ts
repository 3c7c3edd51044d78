import { dayOf, REPORTS, type Reporting, type ReportName } from './reports.ts';
import { ReportQuery } from './schemas.ts';

/** The part of a report's endpoint that all reports share. */
export function answerReport<N extends ReportName>(name: N, reporting: Reporting) {
  const { schema, summary, description, make } = REPORTS[name];
  return {
    tag: 'Reports',
    summary,
    description,
    query: ReportQuery,
    answers: { 200: { description: 'The report.', schema } },
    handler: (request: { query: { on?: string } }) =>
      make(reporting, dayOf(request.query.on, reporting.clock)),
  };
}
