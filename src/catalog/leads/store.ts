import { type Static, type TObject, Type } from 'typebox';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import {
  buildListParameters,
  buildListQuery,
  defineList,
  type FilterValues,
  filterBy,
  filterByDays,
} from '#platform/http/list.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { Personal, PersonalOrNull } from '#platform/http/masking.ts';
import { omit } from '#platform/omit.ts';
import type { Vault } from '#platform/vault.ts';
import * as tables from '../generated/tables.ts';
import { buildQueryTokens, buildWordTokens } from '../search/word-tokens.ts';

/** Includes the role `content`, whose users answer leads. */
export const LEAD_ROLES = ['content', ...CUSTOMER_ROLES] as const;

/** The sender's input and the note of staff. They are stored encrypted; masks, export, erasure and reencryption follow from this. */
export const leadContentFields = {
  name: Personal('name', { unmaskedFor: LEAD_ROLES, examples: ['Joana Prado'] }),
  email: PersonalOrNull('email', { unmaskedFor: LEAD_ROLES, examples: [null] }),
  phone: PersonalOrNull('phone', { unmaskedFor: LEAD_ROLES, examples: [null] }),
  company: PersonalOrNull('text', { unmaskedFor: LEAD_ROLES, examples: [null] }),
  message: PersonalOrNull('text', { unmaskedFor: LEAD_ROLES, examples: [null] }),
  note: PersonalOrNull('text', {
    unmaskedFor: LEAD_ROLES,
    description: 'Note that staff wrote about the lead.',
  }),
};
export type LeadContent = Readonly<Static<TObject<typeof leadContentFields>>>;

export const LEAD_STATUSES = ['new', 'handled'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export const leads = columns({
  ...omit(tables.leads, 'phone_hash', 'email_hash', 'tokens'),
  content_sealed: column.encryptedFields(leadContentFields, { context: '' }),
});
export type LeadRow = RowOf<typeof leads>;
const { content_sealed: encryptedContent } = leads.declarations;

export type Lead = Omit<LeadRow, 'content_sealed'> & LeadContent;

const SELECT_LEADS = sql`select ${leads.selectFrom('lead')} from leads lead`;

export const decryptLead = (vault: Vault, { content_sealed, ...row }: LeadRow): Lead => ({
  ...row,
  ...encryptedContent.decrypt(vault, row.id, content_sealed),
});

export const hashContact = (vault: Vault, kind: 'phone' | 'email', value: string | null): Buffer | null =>
  value === null ? null : vault.hash(`lead ${kind}`, value);

/** Builds search tokens of name, company and e-mail. The message would add too many. */
export const buildLeadTokens = (vault: Vault, { name, company, email }: LeadContent) =>
  buildWordTokens(vault, 'lead', [name, company, email].join(' '));

type NewLead = {
  id: string;
  partnerId: string;
  kind: string;
  content: LeadContent;
  receivedAt: Date;
};

/**
 * Stores the lead and returns it. If the same content arrived after `duplicateSince`, returns the earlier lead instead. The insert locks
 * the row of the fingerprint, so of two concurrent equal leads only one is stored.
 */
export async function insertLead(
  tx: Tx,
  { id, partnerId, kind, content, receivedAt }: NewLead,
  duplicateSince: Date,
): Promise<{ id: string; received_at: Date }> {
  const { vault } = tx;
  const fingerprint = vault.hash('lead', JSON.stringify([partnerId, kind, content]));
  const row = await tx.row<{ id: string; received_at: Date }>(sql`
    with current_lead as (
      insert into lead_fingerprints as fingerprint (fingerprint, lead_id, received_at)
      values (${fingerprint}, ${id}, ${receivedAt})
      on conflict (fingerprint) do update set
        lead_id = case when fingerprint.received_at > ${duplicateSince} then fingerprint.lead_id else excluded.lead_id end,
        received_at = case when fingerprint.received_at > ${duplicateSince} then fingerprint.received_at else excluded.received_at end
      returning lead_id, received_at
    ), inserted as (
      insert into leads (id, partner_id, kind, content_sealed, phone_hash, email_hash, tokens, received_at)
      select ${id}, ${partnerId}, ${kind}, ${encryptedContent.encrypt(vault, id, content)}, ${hashContact(vault, 'phone', content.phone)}::bytea,
             ${hashContact(vault, 'email', content.email)}::bytea, ${buildLeadTokens(vault, content)}::bigint[], ${receivedAt}
      from current_lead where current_lead.lead_id = ${id}
    )
    select lead_id as id, received_at from current_lead`);
  return row!;
}

export const purgeLeadFingerprints = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from lead_fingerprints
      where fingerprint in (select fingerprint from lead_fingerprints where received_at < ${before} limit 1000)
        and received_at < ${before}`),
  );

export async function findLead(db: Queryable, id: string): Promise<Lead | undefined> {
  const row = await db.row<LeadRow>(sql`${SELECT_LEADS} where id = ${id}`);
  return row && decryptLead(db.vault, row);
}

export async function lockLead(tx: Tx, id: string): Promise<Lead | undefined> {
  const row = await tx.row<LeadRow>(sql`${SELECT_LEADS} where id = ${id} for no key update`);
  return row && decryptLead(tx.vault, row);
}

function buildTextCondition(vault: Vault, text: string, wholeWords: boolean) {
  const phone = normalizePhone(text);
  if (phone !== null) return sql`phone_hash = ${hashContact(vault, 'phone', phone)}`;
  const tokens = buildQueryTokens(vault, 'lead', text, { wholeWords });
  // A text of only punctuation has no word to search for.
  return tokens.length === 0 ? sql`false` : sql`tokens @> ${tokens}::bigint[]`;
}

const leadList = defineList({
  select: SELECT_LEADS,
  filters: {
    kind: filterBy(
      Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', description: 'Kind of form, e.g. `partner`.' }),
      sql`kind`,
    ),
    status: filterBy(Type.Enum([...LEAD_STATUSES]), sql`status`),
    ...filterByDays('Received', sql`received_at`),
  },
  orderBy: [sql`received_at`, sql`id`],
  keyOf: ({ received_at, id }: LeadRow) => [received_at, id],
});

export const leadParameters = {
  ...buildListParameters(leadList),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Beginnings of words of name, company or e-mail, or a whole phone number, e.g. +5511987654321.',
    }),
  ),
};

export type LeadFilter = FilterValues<typeof leadList.filters> & {
  q?: string | undefined;
  /** Only complete words match. */
  wholeWords?: boolean;
};

export const buildLeadListQuery = (
  vault: Vault,
  { q, wholeWords = false, ...filters }: LeadFilter,
  now: Date,
): ListQuery<LeadRow> => ({
  ...buildListQuery(leadList, filters, now),
  searchCondition: q === undefined ? undefined : buildTextCondition(vault, q, wholeWords),
});

export async function updateLead(tx: Tx, { id, status, name, email, phone, company, message, note }: Lead) {
  const content = { name, email, phone, company, message, note };
  await tx.run(sql`
    update leads set status = ${status}, content_sealed = ${encryptedContent.encrypt(tx.vault, id, content)} where id = ${id}`);
}

/** Must be called before a lead is deleted or erased, so that the same content is a new lead afterwards. */
export const deleteFingerprint = (tx: Tx, id: string) =>
  tx.run(sql`
    delete from lead_fingerprints fingerprint using leads lead
    where lead.id = ${id} and fingerprint.received_at = lead.received_at and fingerprint.lead_id = lead.id`);

export async function deleteLead(tx: Tx, id: string): Promise<void> {
  await deleteFingerprint(tx, id);
  await tx.run(sql`delete from leads where id = ${id}`);
}

export const countNewLeads = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) as n from leads where status = 'new'`))!;
