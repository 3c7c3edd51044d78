import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy } from '#platform/http/list.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { versionTaken } from '../problems.ts';
import { BUILT_IN_AGREEMENTS } from './built-in.ts';
import { type AgreementKind, agreementKind, type Section } from './schemas.ts';

export type AgreementRow = {
  kind: AgreementKind;
  version: string;
  sections: Section[];
  published_by: string;
  published_at: Date;
};

export const findNewestAgreement = (db: Queryable, kind: AgreementKind) =>
  db.row<AgreementRow>(sql`
    select kind, version, sections, published_by, published_at from agreements
    where kind = ${kind} order by published_at desc, version desc limit 1`);

export const agreementList = defineList({
  select: sql`select kind, version, sections, published_by, published_at from agreements`,
  filters: { kind: filterBy(agreementKind, sql`kind`) },
  orderBy: [sql`published_at`, sql`kind`, sql`version`],
  keyOf: (row: AgreementRow) => [row.published_at, row.kind, row.version],
});

export async function insertAgreement(tx: Tx, { kind, version, ...row }: AgreementRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into agreements (kind, version, sections, published_by, published_at)
    values (${kind}, ${version}, ${JSON.stringify(row.sections)}, ${row.published_by}, ${row.published_at})
    on conflict do nothing`);
  return inserted === 1;
}

/** Returns the agreement in force: the newest published version, or the built-in text. */
export async function findCurrentAgreement(db: Queryable, kind: AgreementKind) {
  return (await findNewestAgreement(db, kind)) ?? { kind, ...BUILT_IN_AGREEMENTS[kind] };
}

/** A published version cannot change: another text needs another version. */
export async function publishAgreement(
  tx: Tx,
  agreement: { kind: AgreementKind; version: string; sections: Section[] },
  auditContext: AuditContext,
): Promise<AgreementRow> {
  const { kind, version } = agreement;
  const row = { ...agreement, published_by: auditContext.actor.id, published_at: auditContext.now };
  const isNew = version !== BUILT_IN_AGREEMENTS[kind].version && (await insertAgreement(tx, row));
  if (!isNew) throw versionTaken(version);
  await recordAuditEntry(tx, auditContext, { kind: 'agreement', id: `${kind} ${version}` }, { version });
  return row;
}

/** Parses a text file in which each section begins with `## Title`. Returns undefined if there is text before the first section, or an empty one. */
export function parseSections(text: string): Section[] | undefined {
  const [preamble = '', ...blocks] = text.replaceAll('\r\n', '\n').split(/^## +/m);
  const sections = blocks.map((block) => {
    const [title = '', ...lines] = block.split('\n');
    return { title: title.trim(), text: lines.join('\n').trim() };
  });
  const isComplete = sections.length > 0 && sections.every((section) => section.title && section.text);
  return preamble.trim() === '' && isComplete ? sections : undefined;
}
