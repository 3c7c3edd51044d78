import { Type } from 'typebox';
import { requireRole } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { negotiateLanguage } from '#platform/http/problem-body.ts';
import { fileParameters, readFileBody, rethrowAsFileProblem } from '#platform/http/raw-body.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { fileRefused } from '#platform/problem.ts';
import type { NumberedRecord } from '#platform/text-file.ts';
import type { ContentDeps } from '../content/content.ts';
import { describeColumns, KINDS, type KindName } from '../content/kinds.ts';
import { PLAN_FIELDS } from '../content/resources.ts';
import { type ChangedRecord, importRecords, readRecords } from '../import/import-records.ts';
import { ImportOutcome } from '../schemas.ts';

const MAX_REPORTED_LINES = 200;
const FILE_TYPES = ['text/csv', 'application/x-ndjson'] as const;

export const postAdminImportKind = ({ db, clock, getMaxRate }: ContentDeps) =>
  endpoint('POST /admin/import/:kind', {
    access: { scope: 'operator', role: 'content' },
    id: 'importContent',
    summary: 'Import content from a file',
    description:
      'The body is the file: CSV or JSON Lines, as `semana export` writes it, at most 2 MiB (use `semana import` for larger files). Records ' +
      'with an existing key are updated, only in the columns of the file. If any line is invalid, nothing is imported. With `dry_run` nothing ' +
      'is written, and the response reports what would change. Columns of a merchant’s plan require the role `finance`.',
    params: Type.Object({ kind: Type.Enum(Object.keys(KINDS) as KindName[]) }),
    notFound: { en: 'There is no such kind of content.', pt: 'Não há este tipo de conteúdo.' },
    query: Type.Object(fileParameters(['csv', 'jsonl'])),
    rawBody: true,
    rawContentTypes: FILE_TYPES,
    cli: { handwritten: 'import merchants' },
    responses: {
      200: {
        description: 'The changes, or with `dry_run` the changes that would be made.',
        schema: ImportOutcome,
      },
    },
    problems: [fileRefused],
    async handler(request) {
      const { kind } = request.params;
      const { dry_run, format = 'csv', encoding = 'utf-8' } = request.query;
      const isDryRun = dry_run === 'true';
      const bytes = await readFileBody(request.raw);
      const changes: ChangedRecord[] = [];
      const invalidLines: Array<{ line: number; message: string }> = [];
      const records = readRecords([bytes], { format, encoding, columns: describeColumns(KINDS[kind]) });
      const language = negotiateLanguage(request.headers['accept-language']);
      const report = await importRecords(
        db,
        guardPlanFields(records, () => requireRole(request.caller, 'finance')),
        {
          kind,
          mode: isDryRun ? 'dry-run' : 'all-or-nothing',
          getMaxRate,
          auditContext: createAuditContext(request, clock.now()),
          onInvalidLine: (line, message) => void invalidLines.push({ line, message: message[language] }),
          onChange: (change) => void changes.push(change),
        },
      ).catch(rethrowAsFileProblem);
      if (report.invalidCount > 0 && !isDryRun) throw fileRefused({ lines: report.invalidCount });
      const addedCount = changes.filter(({ isNew }) => isNew).length;
      return {
        added: addedCount,
        changed: changes.length - addedCount,
        unchanged: report.validCount - changes.length,
        bad: report.invalidCount,
        changes: changes
          .slice(0, MAX_REPORTED_LINES)
          .map(({ key, isNew, fields }) => ({ key, is_new: isNew, fields })),
        faults: invalidLines.slice(0, MAX_REPORTED_LINES),
      };
    },
  });

/** Calls `authorise`, which throws if the caller may not change terms and fees, for each record that has them. */
async function* guardPlanFields(records: AsyncIterable<NumberedRecord>, authorise: () => void) {
  for await (const item of records) {
    if ('record' in item && PLAN_FIELDS.some((name) => Object.hasOwn(item.record, name))) authorise();
    yield item;
  }
}
