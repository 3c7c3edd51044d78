import type { StaffSchemas } from '#staff-client';
import { plural } from '../text/format.ts';
import {
  describeAction,
  describeActor,
  describeSubject,
  listDifferences,
  SUBJECT_KIND_LABELS,
} from './audit-trail-texts.ts';
import type { Column } from './columns.tsx';
import { defineListScreen } from './list.tsx';

type Entry = StaffSchemas['AuditTrailEntry'];

function Subject({ subject }: { subject: string }) {
  const { text: kind, id, href } = describeSubject(subject);
  return (
    <>
      {kind} {href ? <a href={href}>{id}</a> : id}
    </>
  );
}

/** A longer list is folded. */
const MAX_INLINE_DIFFERENCES = 4;

function Differences({ entry }: { entry: Entry }) {
  const differences = listDifferences(entry);
  const list = (
    <ul class="office-sums">
      {differences.map(({ field, text: change }) => (
        <li key={field}>
          {field}: <b class="figure">{change}</b>
        </li>
      ))}
    </ul>
  );
  if (differences.length <= MAX_INLINE_DIFFERENCES) return list;
  return (
    <details>
      <summary>{plural(differences.length, 'campo', 'campos')}</summary>
      {list}
    </details>
  );
}

const actionColumn: Column<Entry> = {
  title: 'Fez',
  render: ({ action }) => describeAction(action),
  csvField: 'action',
  formatForCsv: describeAction,
};
const subjectColumn: Column<Entry> = {
  title: 'Em',
  render: ({ subject }) => <Subject subject={subject} />,
  csvField: 'subject',
  formatForCsv: (cell) => cell.replace(/^[a-z_]+(?=:)/, (kind) => SUBJECT_KIND_LABELS[kind] ?? kind),
};

/** The columns for the entries of one actor. */
export const AUDIT_ACTION_COLUMNS = ['at', actionColumn, subjectColumn] as const;

export const auditTrail = defineListScreen({
  path: '/trilha',
  title: 'Trilha',
  call: 'listAuditTrail',
  labels: { subject: SUBJECT_KIND_LABELS },
  columns: [
    'at',
    'actor_name',
    actionColumn,
    subjectColumn,
    { title: 'O que mudou', render: (entry) => <Differences entry={entry} /> },
    'reason',
    'address',
  ],
  cells: { actor_name: ({ actor, actor_name }) => actor_name ?? describeActor(actor) },
});
