import type { Static } from 'typebox';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import { MOST_VIEWS, tooManyViews, viewNamesPerson } from './problems.ts';
import type { SavedView, ViewForm } from './schemas.ts';

type View = Static<typeof SavedView>;
type ViewRow = Omit<View, 'saved_at'> & { saved_at: Date };

/** Lists whose text search is not for customers or leads. */
const OF_THINGS = new Set([
  'listMerchantForStaff',
  'listCategoryForStaff',
  'listFaqEntryForStaff',
  'listPostForStaff',
  'listPartners',
  'listKeys',
  'listStaff',
  'listPayouts',
  'listPixOrphans',
]);
const PERSONAL = new Set(['name', 'phone', 'cpf', 'email']);

function refusePersons({ list, query }: Static<typeof ViewForm>): void {
  for (const [field, value] of new URLSearchParams(query)) {
    const isPhone = (field === 'customer' || field === 'referrer') && !/^[a-z]+_/.test(value);
    if (isPhone || PERSONAL.has(field) || (field === 'q' && !OF_THINGS.has(list)))
      throw viewNamesPerson(field);
  }
}

export async function listViews(db: Queryable, personId: string, list: string | undefined): Promise<View[]> {
  const rows = await db.rows<ViewRow>(sql`
    select id, list, name, query, saved_at from saved_views
    where person_id = ${personId} and (${list ?? null}::text is null or list = ${list ?? null})
    order by list, lower(name), id`);
  return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }));
}

/** Replaces a view of the same name. */
export async function saveView(tx: Tx, personId: string, form: Static<typeof ViewForm>, change: Change) {
  refusePersons(form);
  // Serialized, because the number of views is limited.
  await lockKey(tx, 'saved views', personId);
  const { list, query } = form;
  const made = { id: newId('vie', change.now), list, name: form.name.trim(), query, saved_at: change.now };
  const kept = await tx.row<{ id: string; total: number }>(sql`
    insert into saved_views (id, person_id, list, name, query, saved_at)
    values (${made.id}, ${personId}, ${list}, ${made.name}, ${query}, ${made.saved_at})
    on conflict (person_id, list, name) do update set query = excluded.query, saved_at = excluded.saved_at
    returning id, (select count(*) from saved_views where person_id = ${personId}) as total`);
  // The count is from before this insert.
  const { id, total } = kept!;
  if (id === made.id && total >= MOST_VIEWS) throw tooManyViews();
  const view = { ...made, id, saved_at: made.saved_at.toISOString() };
  await recordCreation(tx, change, { kind: 'saved_view', id }, view);
  return view;
}

/** False: the person has none with this id. */
export async function removeView(tx: Tx, personId: string, id: string, change: Change): Promise<boolean> {
  const gone = await tx.run(sql`delete from saved_views where person_id = ${personId} and id = ${id}`);
  if (gone > 0) await recordCreation(tx, change, { kind: 'saved_view', id }, { removed: true });
  return gone > 0;
}
