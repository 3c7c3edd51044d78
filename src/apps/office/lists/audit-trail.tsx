import type { StaffSchemas } from '#staff-client';
import { plural } from '../../text/format.ts';
import { type Column, text, timestamp } from '../columns.tsx';
import { choiceFilter, dateRangeFilters } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import {
  describeAction,
  describeActor,
  describeSubject,
  listDifferences,
  SUBJECT_KIND_LABELS,
} from './audit-trail-texts.ts';

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

const timeColumn: Column<Entry> = timestamp('Quando', 'at');
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
export const AUDIT_ACTION_COLUMNS = [timeColumn, actionColumn, subjectColumn];

export const auditTrail = defineListScreen({
  path: '/trilha',
  title: 'Trilha',
  call: 'listAuditTrail',
  filters: [
    { name: 'actor', label: 'Quem (id)', kind: 'linked' },
    choiceFilter('subject', 'Em', SUBJECT_KIND_LABELS),
    ...dateRangeFilters,
  ],
  columns: [
    timeColumn,
    {
      title: 'Quem',
      render: ({ actor, actor_name }) => actor_name ?? describeActor(actor),
      csvField: 'actor_name',
    },
    actionColumn,
    subjectColumn,
    { title: 'O que mudou', render: (entry) => <Differences entry={entry} /> },
    text('Motivo', 'reason'),
    text('De onde', 'address'),
  ],
});
