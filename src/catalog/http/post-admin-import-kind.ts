import { Type } from 'typebox';
import { requireRole } from '#partners';
import type { NumberedRecord } from '#platform/files/read-csv.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { fileParameters, readBody, refuseUnreadable } from '#platform/http/file-body.ts';
import { preferredLanguage } from '#platform/http/problem-body.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { fileRefused } from '#platform/problem.ts';
import type { Content } from '../admin/content.ts';
import { PLAN_FIELDS } from '../admin/resources.ts';
import { columnsOf } from '../import/check-record.ts';
import { type ChangedRecord, importRecords } from '../import/import-records.ts';
import { KINDS, type KindName } from '../import/kinds.ts';
import { readRecords } from '../import/read-records.ts';
import { ImportOutcome } from '../schemas.ts';

const MOST_SHOWN = 200;
const TYPES = ['text/csv', 'application/x-ndjson'] as const;

export const postAdminImportKind = ({ db, clock }: Content) =>
  endpoint('POST /admin/import/:kind', {
    access: { scope: 'operator', role: 'content' },
    id: 'importContent',
    summary: 'Add or change content from a file',
    description:
      'The body is the file itself, CSV or JSON Lines, as `semana export` writes it: at most 2 MiB, larger ones by `semana import`. A record with the ' +
      'same key is changed, only in the columns that the file has. If a line is wrong nothing is imported. With `dry_run` nothing is written: ' +
      'the answer tells what would change. Columns of a merchant’s plan take the role `finance`.',
    params: Type.Object({ kind: Type.Enum(Object.keys(KINDS) as KindName[]) }),
    notFound: { en: 'There is no such content.', pt: 'Não há este tipo de conteúdo.' },
    query: Type.Object(fileParameters(['csv', 'jsonl'])),
    rawBody: true,
    rawTypes: TYPES,
    answers: { 200: { description: 'What changed, or would.', schema: ImportOutcome } },
    problems: [fileRefused],
    async handler(request) {
      const { kind } = request.params;
      const { dry_run, format = 'csv', encoding = 'utf-8' } = request.query;
      const isDry = dry_run === 'true';
      const bytes = await readBody(request.raw);
      const changes: ChangedRecord[] = [];
      const faults: Array<{ line: number; message: string }> = [];
      const records = readRecords([bytes], { format, encoding, columns: columnsOf(KINDS[kind]) });
      const language = preferredLanguage(request.headers['accept-language']);
      const report = await importRecords(
        db,
        guarded(records, () => requireRole(request.caller, 'finance')),
        {
          kind,
          keep: isDry ? 'dry' : 'none',
          change: changeBy(request, clock.now()),
          onFault: (line, fault) => void faults.push({ line, message: fault[language] }),
          onProgress: () => undefined,
          onChange: (changed) => void changes.push(changed),
        },
      ).catch(refuseUnreadable);
      if (report.bad > 0 && !isDry) throw fileRefused({ lines: report.bad });
      const added = changes.filter(({ isNew }) => isNew).length;
      return {
        added,
        changed: changes.length - added,
        unchanged: report.good - changes.length,
        bad: report.bad,
        changes: changes
          .slice(0, MOST_SHOWN)
          .map(({ key, isNew, fields }) => ({ key, is_new: isNew, fields })),
        faults: faults.slice(0, MOST_SHOWN),
      };
    },
  });

/** Importing terms and fees needs the role that may change them. */
async function* guarded(records: AsyncIterable<NumberedRecord>, require: () => void) {
  for await (const numbered of records) {
    if ('record' in numbered && PLAN_FIELDS.some((name) => Object.hasOwn(numbered.record, name))) require();
    yield numbered;
  }
}
