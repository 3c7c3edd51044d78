import type { Queryable, Tx } from '#platform/database/db.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { versionTaken } from '../problems.ts';
import { BUILT_IN_AGREEMENTS } from './built-in.ts';
import {
  type AgreementKind,
  type AgreementRow,
  findNewestAgreement,
  insertAgreement,
  type Section,
} from './store.ts';

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
