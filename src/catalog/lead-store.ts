import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Vault } from '#platform/vault.ts';
import { searchTokens, wordTokens } from './search/word-tokens.ts';

/** What somebody wrote, and what staff wrote about it: kept sealed. */
export type LeadContent = {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly message: string | null;
  readonly note: string | null;
};

export const LEAD_STATUSES = ['new', 'handled'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

type LeadRow = {
  id: string;
  partner_id: string;
  kind: string;
  content_sealed: Buffer;
  status: LeadStatus;
  received_at: Date;
};

export type Lead = Omit<LeadRow, 'content_sealed'> & LeadContent;

const seal = (vault: Vault, id: string, content: LeadContent) => vault.pack(JSON.stringify(content), id);

const opened = (vault: Vault, { content_sealed, ...row }: LeadRow): Lead => ({
  ...row,
  ...(JSON.parse(vault.unpack(content_sealed, row.id)) as LeadContent),
});

const hashOf = (vault: Vault, kind: 'phone' | 'email', value: string | null): Buffer | null =>
  value === null ? null : vault.hash(`lead ${kind}`, value);

/** What a lead is searched by: words of the name, the company and the e-mail. Not those of the message, which are too many. */
const tokensOf = (vault: Vault, { name, company, email }: LeadContent) =>
  wordTokens(vault, 'lead', [name, company, email].join(' '));

export type NewLead = {
  id: string;
  partnerId: string;
  kind: string;
  content: LeadContent;
  receivedAt: Date;
};

/**
 * Stores the lead unless the same content arrived after `sameSince`; answers with the lead that counts. One statement:
 * the fingerprint's row lock lets only one of two equal leads that race be the first.
 */
export async function insertLead(
  tx: Tx,
  { id, partnerId, kind, content, receivedAt }: NewLead,
  sameSince: Date,
): Promise<{ id: string; received_at: Date }> {
  const { vault } = tx;
  const fingerprint = vault.hash('lead', JSON.stringify([partnerId, kind, content]));
  const row = await tx.row<{ id: string; received_at: Date }>(sql`
    with first as (
      insert into lead_fingerprints as f (fingerprint, lead_id, received_at)
      values (${fingerprint}, ${id}, ${receivedAt})
      on conflict (fingerprint) do update set
        lead_id = case when f.received_at > ${sameSince} then f.lead_id else excluded.lead_id end,
        received_at = case when f.received_at > ${sameSince} then f.received_at else excluded.received_at end
      returning lead_id, received_at
    ), stored as (
      insert into leads (id, partner_id, kind, content_sealed, phone_hash, email_hash, tokens, received_at)
      select ${id}, ${partnerId}, ${kind}, ${seal(vault, id, content)}, ${hashOf(vault, 'phone', content.phone)}::bytea,
             ${hashOf(vault, 'email', content.email)}::bytea, ${tokensOf(vault, content)}::bigint[], ${receivedAt}
      from first where first.lead_id = ${id}
    )
    select lead_id as id, received_at from first`);
  return row!;
}

export async function purgeFingerprints(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from lead_fingerprints
      where fingerprint in (select fingerprint from lead_fingerprints where received_at < ${before} limit 1000)
        and received_at < ${before}`),
  );
}

export async function findLead(db: Queryable, id: string): Promise<Lead | undefined> {
  const row = await db.row<LeadRow>(sql`
    select id, partner_id, kind, content_sealed, status, received_at from leads where id = ${id}`);
  return row && opened(db.vault, row);
}

/** Held until the end of the transaction. */
export async function lockLead(tx: Tx, id: string): Promise<Lead | undefined> {
  const row = await tx.row<LeadRow>(sql`
    select id, partner_id, kind, content_sealed, status, received_at from leads where id = ${id} for no key update`);
  return row && opened(tx.vault, row);
}

export type LeadFilter = {
  kind?: string | undefined;
  status?: LeadStatus | undefined;
  /** How words of name, company or e-mail begin; or the whole phone. */
  text?: string | undefined;
  since?: Date | undefined;
  before?: Date | undefined;
};

const E164 = /^\+[1-9][0-9]{6,14}$/;
const ANY = sql`true`;

function textCondition(vault: Vault, text: string | undefined) {
  if (text === undefined) return ANY;
  if (E164.test(text)) return sql`phone_hash = ${hashOf(vault, 'phone', text)}`;
  const tokens = searchTokens(vault, 'lead', text);
  // Of nothing but marks there is no word to look for.
  return tokens.length === 0 ? sql`false` : sql`tokens @> ${tokens}::bigint[]`;
}

function conditionOf(vault: Vault, { kind, status, text, since, before }: LeadFilter) {
  const byText = textCondition(vault, text);
  return sql`
    ${kind === undefined ? ANY : sql`kind = ${kind}`} and ${status === undefined ? ANY : sql`status = ${status}`}
    and ${since === undefined ? ANY : sql`received_at >= ${since}`}
    and ${before === undefined ? ANY : sql`received_at < ${before}`} and ${byText}`;
}

/** Newest first. */
export async function listLeads(
  db: Queryable,
  filter: LeadFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; leads: Lead[] }> {
  const where = conditionOf(db.vault, filter);
  // Texts are looked up in their index: walking along the date until enough were found takes long for a rare one.
  const order =
    filter.text === undefined
      ? sql`received_at desc, id desc`
      : sql`received_at + interval '0' desc, id desc`;
  const [rows, counted] = await Promise.all([
    db.rows<LeadRow>(sql`
      select id, partner_id, kind, content_sealed, status, received_at from leads
      where ${where} order by ${order} offset ${offset} limit ${limit}`),
    db.row<{ total: number }>(sql`select count(*) as total from leads where ${where}`),
  ]);
  return { total: counted!.total, leads: rows.map((row) => opened(db.vault, row)) };
}

/** The same, all of them, a few at a time. */
export async function* listAllLeads(db: Queryable, filter: LeadFilter): AsyncGenerator<Lead[]> {
  let last: Lead | undefined;
  for (;;) {
    const where = conditionOf(db.vault, filter);
    const after = last === undefined ? ANY : sql`(received_at, id) < (${last.received_at}, ${last.id})`;
    const rows: LeadRow[] = await db.rows(sql`
      select id, partner_id, kind, content_sealed, status, received_at from leads
      where ${where} and ${after} order by received_at desc, id desc limit 500`);
    if (rows.length === 0) return;
    const leads = rows.map((row) => opened(db.vault, row));
    last = leads.at(-1);
    yield leads;
  }
}

export async function updateLead(
  tx: Tx,
  { id, status, name, email, phone, company, message, note }: Lead,
): Promise<void> {
  const content = { name, email, phone, company, message, note };
  await tx.run(sql`
    update leads set status = ${status}, content_sealed = ${seal(tx.vault, id, content)} where id = ${id}`);
}

export async function deleteLead(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from leads where id = ${id}`);
}

/** All that came with the phone or the e-mail. */
export async function listLeadsOf(
  db: Queryable,
  vault: Vault,
  { phone, email }: { phone: string; email: string },
): Promise<Lead[]> {
  const rows = await db.rows<LeadRow>(sql`
    select id, partner_id, kind, content_sealed, status, received_at from leads
    where phone_hash = ${hashOf(vault, 'phone', phone)} or email_hash = ${hashOf(vault, 'email', email)}
    order by received_at, id`);
  return rows.map((row) => opened(vault, row));
}

/** Nothing finds it any more, and nothing in it tells whose it was. */
export async function eraseLead(tx: Tx, vault: Vault, id: string, erased: string): Promise<void> {
  const content = { name: erased, email: erased, phone: null, company: null, message: null, note: null };
  await tx.run(sql`
    update leads set content_sealed = ${seal(vault, id, content)}, phone_hash = null, email_hash = null, tokens = '{}'
    where id = ${id}`);
}

/** Seals with the key that seals now, and makes what finds them anew. Answers which. */
export async function resealLeads(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: { afterId: string; limit: number; all: boolean },
): Promise<string[]> {
  const rows = await tx.rows<LeadRow & { tokens: unknown[] }>(sql`
    select id, partner_id, kind, content_sealed, status, received_at, tokens from leads
    where id > ${afterId} and (${all} or substr(content_sealed, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const { tokens, ...row } of rows) {
    const { name, email, phone, company, message, note } = opened(vault, row);
    const content = { name, email, phone, company, message, note };
    await tx.run(sql`update leads set content_sealed = ${seal(vault, row.id, content)} where id = ${row.id}`);
    // Of who was erased there are none.
    if (all && tokens.length > 0)
      await tx.run(sql`
        update leads set phone_hash = ${hashOf(vault, 'phone', phone)}, email_hash = ${hashOf(vault, 'email', email)},
          tokens = ${tokensOf(vault, content)}
        where id = ${row.id}`);
  }
  return rows.map(({ id }) => id);
}
