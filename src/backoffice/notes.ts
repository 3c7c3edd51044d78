import type { Static } from 'typebox';
import { customerErased, lockCustomerById, NO_HASH } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { type Range, readPage } from '#platform/http/listing.ts';
import { newId } from '#platform/ids.ts';
import type { PersonalData, ResealBatch, Storyteller } from '#platform/privacy/personal-data.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import { listNames } from '#staff';
import type { CustomerNote } from './schemas.ts';

type Note = Static<typeof CustomerNote>;
type NoteRow = { id: string; author: string; text: Buffer | null; written_at: Date };
const ownerOf = (id: string) => `customer note ${id}`;

/** Undefined: no such customer. */
export async function writeNote(tx: CustomerTx, customerId: string, text: string, change: Change) {
  const customer = await lockCustomerById(tx, customerId);
  if (!customer) return undefined;
  if (customer.phone_hash.equals(NO_HASH)) throw customerErased();
  const { actor, now } = change;
  const id = newId('not', now);
  const sealed = tx.vault.pack(text.trim(), ownerOf(id));
  await tx.run(sql`
    insert into customer_notes (customer_id, id, author, text, written_at)
    values (${customerId}, ${id}, ${actor.id}, ${sealed}, ${now})`);
  // Without the text: an erasure does not delete it from the trail.
  await recordCreation(tx, change, { kind: 'customer_note', id }, { customer_id: customerId });
  return (await renderNotes(tx, [{ id, author: actor.id, text: sealed, written_at: now }]))[0];
}

/** Newest first: ids grow with time. */
export async function listNotes(db: Queryable, customerId: string, range: Range) {
  const found = sql`
    select id, author, text, written_at from customer_notes where customer_id = ${customerId} and text is not null`;
  const { total, rows } = await readPage<NoteRow>(db, { found, order: sql`id desc` }, range);
  return { total, rows: await renderNotes(db, rows) };
}

async function renderNotes(db: Queryable, rows: readonly NoteRow[]): Promise<Note[]> {
  const names = await listNames(db, [...new Set(rows.map(({ author }) => author))]);
  return rows.map(({ id, author, text, written_at }) => ({
    id,
    text: db.vault.unpack(text!, ownerOf(id)),
    author,
    author_name: names.get(author) ?? 'A operação',
    written_at: written_at.toISOString(),
  }));
}

const tellNotes: Storyteller = async (db, customerId, most) => {
  const { total, rows } = await listNotes(db, customerId, { offset: 0, limit: most });
  const lines = rows.map(({ text, author_name, written_at }) => ({
    at: new Date(written_at),
    kind: 'note',
    text: `${author_name} anotou: ${text}`,
    masked: `${author_name} anotou: ***`,
  }));
  return { total, lines };
};

export const notesData: PersonalData = {
  story: tellNotes,
  tables: {
    customer_notes: {
      forStaff: ['text', 'author'],
      async find(db, { id }, vault) {
        const rows = await db.rows<NoteRow>(sql`
          select id, author, text, written_at from customer_notes where customer_id = ${id} order by id`);
        return rows.map((row) => ({ ...row, text: row.text && vault.unpack(row.text, ownerOf(row.id)) }));
      },
      erase: (tx, { id }) => tx.run(sql`update customer_notes set text = null where customer_id = ${id}`),
      reseal: resealNotes,
    },
  },
};

async function resealNotes(tx: Tx, vault: Vault, { afterId, limit, all }: ResealBatch): Promise<string[]> {
  const rows = await tx.rows<{ customer_id: string; id: string; text: Buffer }>(sql`
    select customer_id, id, text from customer_notes
    where id > ${afterId} and text is not null and (${all} or substr(text, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit}`);
  for (const { customer_id, id, text } of rows)
    await tx.run(sql`
      update customer_notes set text = ${vault.pack(vault.unpack(text, ownerOf(id)), ownerOf(id))}
      where customer_id = ${customer_id} and id = ${id}`);
  return rows.map(({ id }) => id);
}
