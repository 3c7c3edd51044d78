import type { Static } from 'typebox';
import { customerErased, ERASED_PHONE_HASH, lockCustomerById } from '#customers';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { ListTimeline, PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { listStaffNames } from '#staff';
import { customer_notes } from './generated/tables.ts';
import type { CustomerNote } from './schemas.ts';

type Note = Static<typeof CustomerNote>;
/** `text` is null if the customer is erased. */
const noteColumns = columns({
  ...customer_notes,
  text: column.encryptedText({ context: 'customer note' }).nullable(),
});
type NoteRow = Omit<RowOf<typeof noteColumns>, 'customer_id'>;
const { text: encryptedText } = noteColumns.declarations;

/** Returns undefined if the customer does not exist. */
export async function writeNote(
  tx: CustomerTx,
  customerId: string,
  text: string,
  auditContext: AuditContext,
) {
  const customer = await lockCustomerById(tx, customerId);
  if (!customer) return undefined;
  if (customer.phone_hash.equals(ERASED_PHONE_HASH)) throw customerErased();
  const { actor, now } = auditContext;
  const id = newId('not', now);
  const note = {
    id,
    author: actor.id,
    text: encryptedText.encrypt(tx.vault, id, text.trim()),
    written_at: now,
  };
  await tx.run(sql`insert into customer_notes ${noteColumns.values({ customer_id: customerId, ...note })}`);
  // The entry omits the text, because an erasure would not delete it from the audit trail.
  await recordAuditEntry(tx, auditContext, { kind: 'customer_note', id }, { customer_id: customerId });
  const [renderedNote] = await renderNotes(tx, [note]);
  return renderedNote;
}

/** Lists the newest notes first: ids start with the creation time. */
export async function listNotes(db: Queryable, customerId: string, range: PageRange) {
  const statement = sql`
    select id, author, text, written_at from customer_notes where customer_id = ${customerId} and text is not null`;
  const { total, rows } = await queryPage<NoteRow>(db, { statement, orderBy: sql`id desc` }, range);
  return { total, rows: await renderNotes(db, rows) };
}

async function renderNotes(db: Queryable, rows: readonly NoteRow[]): Promise<Note[]> {
  const staffNames = await listStaffNames(db, [...new Set(rows.map(({ author }) => author))]);
  return rows.map(({ id, author, text, written_at }) => ({
    id,
    text: encryptedText.decrypt(db.vault, id, text!),
    author,
    // A note from the command line has no staff user as its author.
    author_name: staffNames.get(author) ?? 'A operação',
    written_at: written_at.toISOString(),
  }));
}

const listNoteTimeline: ListTimeline = async (db, customerId, limit) => {
  const { total, rows } = await listNotes(db, customerId, { offset: 0, limit });
  const entries = rows.map(({ text, author_name, written_at }) => ({
    at: new Date(written_at),
    kind: 'note',
    text: `${author_name} anotou: ${text}`,
    masked: `${author_name} anotou: ***`,
  }));
  return { total, entries };
};

export const notesPersonalData: PersonalData = {
  timeline: listNoteTimeline,
  tables: definePersonalTables({
    customer_notes: {
      orderBy: 'id',
      columns: noteColumns,
      key: ['customer_id', 'id'],
      staffOnlyFields: ['text', 'author'],
      erase: { text: null },
    },
  }),
};
