import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import { readPhone } from '#platform/http/formats.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import type { ResealBatch } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { searchTokens, wordTokens } from './search/word-tokens.ts';

/** What the sender wrote, and the note of staff: stored encrypted. */
type LeadContent = {
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

const LEADS = sql`select id, partner_id, kind, content_sealed, status, received_at from leads`;

const seal = (vault: Vault, id: string, content: LeadContent) => vault.pack(JSON.stringify(content), id);

export const openLead = (vault: Vault, { content_sealed, ...row }: LeadRow): Lead => ({
  ...row,
  ...(JSON.parse(vault.unpack(content_sealed, row.id)) as LeadContent),
});

const hashOf = (vault: Vault, kind: 'phone' | 'email', value: string | null): Buffer | null =>
  value === null ? null : vault.hash(`lead ${kind}`, value);

/** Search tokens of a lead: words of name, company and e-mail. The message has too many words. */
const tokensOf = (vault: Vault, { name, company, email }: LeadContent) =>
  wordTokens(vault, 'lead', [name, company, email].join(' '));

type NewLead = {
  id: string;
  partnerId: string;
  kind: string;
  content: LeadContent;
  receivedAt: Date;
};

/**
 * Stores the lead unless the same content arrived after `sameSince`, and returns the stored lead or that earlier one. The row
 * of the fingerprint is locked by the insert, so of two equal leads at once only one is stored.
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

export const purgeFingerprints = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from lead_fingerprints
      where fingerprint in (select fingerprint from lead_fingerprints where received_at < ${before} limit 1000)
        and received_at < ${before}`),
  );

export async function findLead(db: Queryable, id: string): Promise<Lead | undefined> {
  const row = await db.row<LeadRow>(sql`${LEADS} where id = ${id}`);
  return row && openLead(db.vault, row);
}

export async function lockLead(tx: Tx, id: string): Promise<Lead | undefined> {
  const row = await tx.row<LeadRow>(sql`${LEADS} where id = ${id} for no key update`);
  return row && openLead(tx.vault, row);
}

type LeadFilter = {
  kind?: string | undefined;
  status?: LeadStatus | undefined;
  /** Beginnings of words of name, company or e-mail; or the whole phone. */
  text?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

function textCondition(vault: Vault, text: string) {
  const phone = readPhone(text);
  if (phone !== null) return sql`phone_hash = ${hashOf(vault, 'phone', phone)}`;
  const tokens = searchTokens(vault, 'lead', text);
  // Only punctuation: there is no word to search for.
  return tokens.length === 0 ? sql`false` : sql`tokens @> ${tokens}::bigint[]`;
}

export const listedLeads = (vault: Vault, { kind, status, text, ...days }: LeadFilter): Listing<LeadRow> => ({
  of: LEADS,
  where: [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(text === undefined ? [] : [textCondition(vault, text)]),
    ...onDays(sql`received_at`, days),
  ],
  // `+ interval '0'` keeps the planner from walking the index of dates, which is slow for a rare word: the index of tokens is used.
  by: [text === undefined ? sql`received_at` : sql`received_at + interval '0'`, sql`id`],
  keyOf: ({ received_at, id }) => [received_at, id],
});

export async function updateLead(tx: Tx, { id, status, name, email, phone, company, message, note }: Lead) {
  const content = { name, email, phone, company, message, note };
  await tx.run(sql`
    update leads set status = ${status}, content_sealed = ${seal(tx.vault, id, content)} where id = ${id}`);
}

/** Called before a lead is deleted or erased: the same content is then a new lead. */
const purgeFingerprint = (tx: Tx, id: string) =>
  tx.run(sql`
    delete from lead_fingerprints f using leads l
    where l.id = ${id} and f.received_at = l.received_at and f.lead_id = l.id`);

export async function deleteLead(tx: Tx, id: string): Promise<void> {
  await purgeFingerprint(tx, id);
  await tx.run(sql`delete from leads where id = ${id}`);
}

/** All leads with this phone or this e-mail. */
export async function listLeadsOf(
  db: Queryable,
  vault: Vault,
  { phone, email }: { phone: string; email: string },
): Promise<Lead[]> {
  const rows = await db.rows<LeadRow>(sql`
    ${LEADS} where phone_hash = ${hashOf(vault, 'phone', phone)} or email_hash = ${hashOf(vault, 'email', email)}
    order by received_at, id`);
  return rows.map((row) => openLead(vault, row));
}

/** Removes the personal data and everything the lead could be found by. */
export async function eraseLead(tx: Tx, vault: Vault, id: string, erased: string): Promise<void> {
  const content = { name: erased, email: erased, phone: null, company: null, message: null, note: null };
  await purgeFingerprint(tx, id);
  await tx.run(sql`
    update leads set content_sealed = ${seal(vault, id, content)}, phone_hash = null, email_hash = null, tokens = '{}'
    where id = ${id}`);
}

/** Encrypts with the current key and, if `all`, recomputes the hashes and tokens they are found by. Returns their ids. */
export async function resealLeads(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: ResealBatch,
): Promise<string[]> {
  const rows = await tx.rows<LeadRow & { tokens: unknown[] }>(sql`
    select id, partner_id, kind, content_sealed, status, received_at, tokens from leads
    where id > ${afterId} and (${all} or substr(content_sealed, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const { tokens, ...row } of rows) {
    const { name, email, phone, company, message, note } = openLead(vault, row);
    const content = { name, email, phone, company, message, note };
    await tx.run(sql`update leads set content_sealed = ${seal(vault, row.id, content)} where id = ${row.id}`);
    // Erased leads have no tokens, and get none.
    if (all && tokens.length > 0)
      await tx.run(sql`
        update leads set phone_hash = ${hashOf(vault, 'phone', phone)}, email_hash = ${hashOf(vault, 'email', email)},
          tokens = ${tokensOf(vault, content)}
        where id = ${row.id}`);
  }
  return rows.map(({ id }) => id);
}

export async function countNewLeads(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(sql`select count(*) as n from leads where status = 'new'`);
  return row!.n;
}
