import type { Queryable, Tx } from '#platform/database/db.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import { versionTaken } from '../problems.ts';
import { FIRST } from './first.ts';
import {
  type AgreementKind,
  type AgreementRow,
  findNewestAgreement,
  insertAgreement,
  type Section,
} from './store.ts';

/** The agreement in force: the newest that was published, or the built-in text. */
export async function findAgreement(
  db: Queryable,
  kind: AgreementKind,
): Promise<Pick<AgreementRow, 'kind' | 'version' | 'sections'>> {
  return (await findNewestAgreement(db, kind)) ?? { kind, ...FIRST[kind] };
}

/** A published text never changes: another text is another version. */
export async function publishAgreement(
  tx: Tx,
  text: { kind: AgreementKind; version: string; sections: Section[] },
  change: Change,
): Promise<AgreementRow> {
  const { kind, version } = text;
  const row = { ...text, published_by: change.actor.id, published_at: change.now };
  const isNew = version !== FIRST[kind].version && (await insertAgreement(tx, row));
  if (!isNew) throw versionTaken(version);
  await recordCreation(tx, change, { kind: 'agreement', id: `${kind} ${version}` }, { version });
  return row;
}

/** Sections of a text file: each begins with `## Title`; undefined: something comes before the first, or one is empty. */
export function readSections(text: string): Section[] | undefined {
  const [before = '', ...parts] = text.replaceAll('\r\n', '\n').split(/^## +/m);
  const sections = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title: title.trim(), text: lines.join('\n').trim() };
  });
  const isWhole = sections.length > 0 && sections.every(({ title, text: of }) => title && of);
  return before.trim() === '' && isWhole ? sections : undefined;
}
