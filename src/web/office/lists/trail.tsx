import { plural } from '../../text/format.ts';
import { type Column, moment, text } from '../columns.tsx';
import { between, choice } from '../filters.ts';
import { listScreen } from '../list.tsx';
import type { StaffSchemas } from '../staff/client.ts';
import { actionInWords, actorInWords, differences, KIND_NAMES, subjectOf } from './trail-words.ts';

type Entry = StaffSchemas['AuditTrailEntry'];

function Subject({ of }: { of: string }) {
  const { text: kind, id, href } = subjectOf(of);
  return (
    <>
      {kind} {href ? <a href={href}>{id}</a> : id}
    </>
  );
}

/** More than this is opened by who wants it. */
const SHOWN = 4;

function Differences({ of }: { of: Entry }) {
  const all = differences(of);
  const list = (
    <ul class="office-sums">
      {all.map(({ field, text: sides }) => (
        <li key={field}>
          {field}: <b class="figure">{sides}</b>
        </li>
      ))}
    </ul>
  );
  if (all.length <= SHOWN) return list;
  return (
    <details>
      <summary>{plural(all.length, 'campo', 'campos')}</summary>
      {list}
    </details>
  );
}

/** What was done, of an entry of the trail. */
export const DONE: ReadonlyArray<Column<Entry>> = [
  moment('Quando', 'at'),
  { title: 'Fez', show: ({ action }) => actionInWords(action), field: 'action', inFile: actionInWords },
  {
    title: 'Em',
    show: ({ subject }) => <Subject of={subject} />,
    field: 'subject',
    inFile: (cell) => cell.replace(/^[a-z_]+(?=:)/, (kind) => KIND_NAMES[kind] ?? kind),
  },
];

export const trail = listScreen({
  path: '/trilha',
  title: 'Trilha',
  call: 'listAuditTrail',
  filters: [
    { name: 'actor', label: 'Quem (id)', kind: 'linked' },
    choice('subject', 'Em', KIND_NAMES),
    ...between,
  ],
  columns: [
    DONE[0]!,
    {
      title: 'Quem',
      show: ({ actor, actor_name }) => actor_name ?? actorInWords(actor),
      field: 'actor_name',
    },
    ...DONE.slice(1),
    { title: 'O que mudou', show: (entry) => <Differences of={entry} /> },
    text('Motivo', 'reason'),
    text('De onde', 'address'),
  ],
});
