import type { Cents } from '#core/money.ts';
import type { Terms } from '#core/terms.ts';
import { hashPhone } from '#customers';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/jobs/housekeeping.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import type { PayoutTerms } from '../purchases/merchant-plan.ts';
import type { TermsColumns } from '../purchases/terms-columns.ts';

export const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

export type OfferRow = TermsColumns & {
  id: string;
  merchant_id: number;
  merchant_slug: string;
  merchant_name: string;
  /** See `phoneOf`. */
  phone_sealed: Buffer;
  phone_hash: Buffer;
  reference: string | null;
  description: string | null;
  amount_cents: number;
  installments: number;
  merchant_fee_ppm: number;
  payout_days: number;
  created_at: Date;
  expires_at: Date;
  /** As stored: see `statusOf`. */
  status: OfferStatus;
  closed_at: Date | null;
  customer_id: string | null;
  checkout_hash: string | null;
  accepted_installments: number | null;
};

export type NewOffer = {
  id: string;
  merchant: { id: number; slug: string; name: string };
  phone: string;
  reference: string | null;
  description: string | null;
  amount: Cents;
  installments: number;
  terms: Terms;
  payout: PayoutTerms;
  createdAt: Date;
  expiresAt: Date;
  message: 'queued' | 'sent';
};

/** Undefined when the merchant has a live offer of this reference. Waits for a concurrent insert of the same reference. */
export async function insertOffer(tx: Tx, offer: NewOffer): Promise<OfferRow | undefined> {
  const { merchant, terms, payout } = offer;
  return tx.row(sql`
    insert into offers (id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, reference, description,
                        amount_cents, installments, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days,
                        extension_limit, cashback_ppm, merchant_fee_ppm, payout_days, created_at, expires_at, message)
    values (${offer.id}, ${merchant.id}, ${merchant.slug}, ${merchant.name},
            ${sealPhone(tx.vault, offer.id, offer.phone)}, ${hashPhone(tx.vault, offer.phone)}, ${offer.reference},
            ${offer.description}, ${offer.amount}, ${offer.installments}, ${terms.weeklyRate}, ${terms.fine},
            ${terms.lateInterest}, ${terms.extensionFee}, ${terms.extensionDays}, ${terms.extensionLimit},
            ${terms.cashback}, ${payout.merchantFee}, ${payout.days}, ${offer.createdAt}, ${offer.expiresAt},
            ${offer.message})
    on conflict (merchant_id, reference) where status in ('pending', 'accepted') do nothing
    returning *`);
}

/** The one that is pending, perhaps past its time, or accepted: there is at most one. */
export async function findLiveOffer(
  db: Queryable,
  merchantId: number,
  reference: string,
): Promise<OfferRow | undefined> {
  return db.row(sql`
    select * from offers
    where merchant_id = ${merchantId} and reference = ${reference} and status in ('pending', 'accepted')`);
}

export async function findOffer(db: Queryable, id: string): Promise<OfferRow | undefined> {
  return db.row(sql`select * from offers where id = ${id}`);
}

/** A transaction that closes an offer locks it: there is one outcome. */
export async function lockOffer(tx: Tx, id: string): Promise<OfferRow | undefined> {
  return tx.row(sql`select * from offers where id = ${id} for no key update`);
}

/** Replaces the hash of an erased phone. */
export const FORGOTTEN = Buffer.of(0);

export const sealPhone = (vault: Vault, offerId: string, phone: string): Buffer =>
  vault.pack(phone, `phone of ${offerId}`);

/** To whom it was made. */
export const phoneOf = (vault: Vault, { id, phone_sealed }: OfferRow): string =>
  vault.unpack(phone_sealed, `phone of ${id}`);

export async function countPending(tx: Tx, phone: string, now: Date): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*) from offers
    where phone_hash = ${hashPhone(tx.vault, phone)} and status = 'pending' and expires_at > ${now}`);
  return row!.count;
}

/** Whether the merchant has made an offer to the phone that is still kept. */
export async function hasOffered(tx: Tx, merchantId: number, phone: string): Promise<boolean> {
  const row = await tx.row(sql`
    select from offers where phone_hash = ${hashPhone(tx.vault, phone)} and merchant_id = ${merchantId} limit 1`);
  return row !== undefined;
}

type Acceptance = { customerId: string; checkoutHash: string; installments: number };

export async function markClosed(
  tx: Tx,
  id: string,
  status: Exclude<OfferStatus, 'pending'>,
  at: Date,
  accepted: Acceptance | null = null,
): Promise<OfferRow> {
  const row = await tx.row<OfferRow>(sql`
    update offers set
      status = ${status}, closed_at = ${at}, customer_id = ${accepted?.customerId ?? null},
      checkout_hash = ${accepted?.checkoutHash ?? null}, accepted_installments = ${accepted?.installments ?? null}
    where id = ${id} returning *`);
  return row!;
}

/** A batch of offers past their deadline. Locked ones are skipped until the next run. */
export async function markExpired(tx: Tx, now: Date, limit: number): Promise<OfferRow[]> {
  return tx.rows(sql`
    update offers set status = 'expired', closed_at = expires_at
    where id in (select id from offers where status = 'pending' and expires_at <= ${now}
                 order by expires_at limit ${limit} for no key update skip locked)
    returning *`);
}

/** When offers that wait will expire, up to an instant. */
export async function listExpiries(tx: Tx, { after, until }: { after: Date; until: Date }): Promise<Date[]> {
  const rows = await tx.rows<{ expires_at: Date }>(sql`
    select distinct expires_at from offers
    where status = 'pending' and expires_at > ${after} and expires_at <= ${until}`);
  return rows.map(({ expires_at }) => expires_at);
}

/** To which phone each of these offers was made. */
export async function listOfferedPhones(
  db: Queryable,
  offerIds: readonly string[],
): Promise<Array<{ offerId: string; phoneHash: Buffer }>> {
  return db.rows(sql`
    select id as "offerId", phone_hash as "phoneHash" from offers where id = any(${offerIds})`);
}

export async function markMessage(db: Queryable, id: string, message: 'sent' | 'failed'): Promise<void> {
  await db.run(sql`update offers set message = ${message} where id = ${id}`);
}

/** Pending offers made before an instant whose message is still queued: by then its job should have run. */
export async function listUntold(tx: Tx, madeBefore: Date, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from offers
    where status = 'pending' and expires_at > ${now} and message = 'queued' and created_at < ${madeBefore}
    order by expires_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

export type Whose = { merchantId: number; reference?: string | undefined } | { phoneHash: Buffer };
export type Window = { offset: number; limit: number };

/** A page of a merchant's offers, or of those to a phone, newest first, and how many there are: one statement. */
export async function listOffers(
  db: Queryable,
  whose: Whose,
  status: OfferStatus | null,
  now: Date,
  { offset, limit }: Window,
): Promise<{ total: number; offers: OfferRow[] }> {
  const own = belongingTo(whose);
  const wanted = status === null ? own : sql`${own} and ${inStatus(status, now)}`;
  const rows = await db.rows<{ total: number } & (OfferRow | { id: null })>(sql`
    select counted.total, listed.*
    from (select count(*) as total from offers where ${wanted}) as counted
    left join lateral (
      select * from offers where ${wanted} order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as listed on true
    order by listed.created_at desc, listed.id desc`);
  return { total: rows[0]!.total, offers: rows.filter((row) => row.id !== null) };
}

function belongingTo(whose: Whose): Sql {
  if ('phoneHash' in whose) return sql`phone_hash = ${whose.phoneHash}`;
  const { merchantId, reference } = whose;
  if (reference === undefined) return sql`merchant_id = ${merchantId}`;
  return sql`merchant_id = ${merchantId} and reference = ${reference}`;
}

/** Time alone moves an offer from pending to expired. */
export function inStatus(status: OfferStatus, now: Date): Sql {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or status = 'pending' and expires_at <= ${now})`;
  return sql`status = ${status}`;
}

/** Deletes offers that were closed without a purchase, and the phones in them. */
export async function purgeOffers(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from offers where id in (
        select id from offers
        where status in ('declined', 'expired', 'cancelled') and closed_at < ${before} limit 1000)`),
  );
}

/** Reencrypts phones with the current key; with `all`, recomputes their hashes as well. Returns the ids. */
export async function resealOffers(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: { afterId: string; limit: number; all: boolean },
): Promise<string[]> {
  const rows = await tx.rows<OfferRow>(sql`
    select * from offers
    where id > ${afterId} and (${all} or substr(phone_sealed, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const row of rows) {
    const phone = phoneOf(vault, row);
    await tx.run(
      sql`update offers set phone_sealed = ${sealPhone(vault, row.id, phone)} where id = ${row.id}`,
    );
    // Erased phones stay empty.
    if (all && row.phone_hash.length > FORGOTTEN.length)
      await tx.run(sql`update offers set phone_hash = ${hashPhone(vault, phone)} where id = ${row.id}`);
  }
  return rows.map(({ id }) => id);
}
