import type { Static } from 'typebox';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, namesPerson, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { MAX_VIEWS, tooManyViews, viewNamesPerson } from './problems.ts';
import type { SavedView, ViewForm } from './schemas.ts';

type View = Static<typeof SavedView>;
type ViewRow = Omit<View, 'saved_at'> & { saved_at: Date };

/** Lists whose text search does not find persons. */
const LISTS_WITHOUT_PERSONS = new Set([
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

function assertNoPersonalData({ list, query }: Static<typeof ViewForm>): void {
  for (const [field, value] of new URLSearchParams(query)) {
    if (namesPerson(field, value) && !(field === 'q' && LISTS_WITHOUT_PERSONS.has(list)))
      throw viewNamesPerson(field);
  }
}

export async function listViews(
  db: Queryable,
  staffUserId: string,
  list: string | undefined,
): Promise<View[]> {
  const rows = await db.rows<ViewRow>(sql`
    select id, list, name, query, saved_at from saved_views
    where person_id = ${staffUserId} and (${list ?? null}::text is null or list = ${list ?? null})
    order by list, lower(name), id`);
  return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }));
}

/** Replaces a view with the same name. */
export async function saveView(
  tx: Tx,
  staffUserId: string,
  form: Static<typeof ViewForm>,
  auditContext: AuditContext,
) {
  assertNoPersonalData(form);
  // Serializes concurrent saves, because the number of views is limited.
  await lockKey(tx, 'saved views', staffUserId);
  const { list, query } = form;
  const newView = {
    id: newId('vie', auditContext.now),
    list,
    name: form.name.trim(),
    query,
    saved_at: auditContext.now,
  };
  const row = await tx.row<{ id: string; total: number }>(sql`
    insert into saved_views (id, person_id, list, name, query, saved_at)
    values (${newView.id}, ${staffUserId}, ${list}, ${newView.name}, ${query}, ${newView.saved_at})
    on conflict (person_id, list, name) do update set query = excluded.query, saved_at = excluded.saved_at
    returning id, (select count(*) from saved_views where person_id = ${staffUserId}) as total`);
  // The subquery counts the views before this insert. Another id than the new one means that a view was replaced.
  const { id, total } = row!;
  if (id === newView.id && total >= MAX_VIEWS) throw tooManyViews();
  const view = { ...newView, id, saved_at: newView.saved_at.toISOString() };
  await recordAuditEntry(tx, auditContext, { kind: 'saved_view', id }, view);
  return view;
}

/** Returns false if the staff user has no view with this id. */
export async function removeView(
  tx: Tx,
  staffUserId: string,
  id: string,
  auditContext: AuditContext,
): Promise<boolean> {
  const deletedCount = await tx.run(
    sql`delete from saved_views where person_id = ${staffUserId} and id = ${id}`,
  );
  if (deletedCount > 0)
    await recordAuditEntry(tx, auditContext, { kind: 'saved_view', id }, { removed: true });
  return deletedCount > 0;
}
