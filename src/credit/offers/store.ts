import type { Cents } from '#core/money.ts';
import type { Terms } from '#core/terms.ts';
import { hashPhone, listPhoneOwners } from '#customers';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { Vault } from '#platform/vault.ts';
import { OFFER_LIFE_MS } from '../acceptance.ts';
import type { PayoutTerms } from '../purchases/merchant-plan.ts';
import { terms, termsColumnsOf } from '../purchases/terms-columns.ts';
import { type ClaimKeys, hashCode, hashToken, openClaimKeys, sealClaimKeys } from './claim-keys.ts';
import type { ClosedStatus, OfferStatus } from './states.ts';

/** The amount is of the whole quantity. */
export type OfferItem = { readonly name: string; readonly quantity: number; readonly amount_cents: number };

const made = columns({
  id: column.text(),
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  /** See `phoneOf`. Null: an open offer. */
  phone_sealed: column.bytea().nullable(),
  phone_hash: column.bytea().nullable(),
  /** See `claimKeysOf`. Null: an offer to a phone. */
  claim_sealed: column.bytea().nullable(),
  token_hash: column.bytea().nullable(),
  code_hash: column.bytea().nullable(),
  member_id: column.text().nullable(),
  reference: column.text().nullable(),
  description: column.text().nullable(),
  items: column.jsonb<string>(),
  return_url: column.text().nullable(),
  amount_cents: column.bigint(),
  installments: column.smallint(),
  ...terms.declared,
  merchant_fee_ppm: column.integer(),
  payout_days: column.smallint(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz(),
});

export type OfferRow = Omit<RowOf<typeof made>, 'items'> & {
  items: OfferItem[];
  /** As stored: see `statusOf`. */
  status: OfferStatus;
  closed_at: Date | null;
  /** Who has claimed or accepted it. */
  customer_id: string | null;
  claimed_at: Date | null;
  checkout_hash: string | null;
  accepted_installments: number | null;
};

export type NewOffer = {
  id: string;
  merchant: { id: number; slug: string; name: string };
  /** To a phone, or for whoever claims it. */
  to: { phone: string } | { claimKeys: ClaimKeys };
  /** Which member of the merchant makes it. */
  memberId?: string | null;
  reference: string | null;
  description: string | null;
  items: readonly OfferItem[];
  returnUrl: string | null;
  amount: Cents;
  installments: number;
  terms: Terms;
  payout: PayoutTerms;
  createdAt: Date;
  expiresAt: Date;
};

/** Undefined when the merchant has a live offer of this reference, or the code is taken. Waits for a concurrent insert. */
export async function insertOffer(tx: Tx, offer: NewOffer): Promise<OfferRow | undefined> {
  const { merchant, payout } = offer;
  const row = {
    id: offer.id,
    merchant_id: merchant.id,
    merchant_slug: merchant.slug,
    merchant_name: merchant.name,
    ...addressee(tx.vault, offer),
    member_id: offer.memberId ?? null,
    reference: offer.reference,
    description: offer.description,
    items: JSON.stringify(offer.items),
    return_url: offer.returnUrl,
    amount_cents: offer.amount,
    installments: offer.installments,
    ...termsColumnsOf(offer.terms),
    merchant_fee_ppm: payout.merchantFee,
    payout_days: payout.days,
    created_at: offer.createdAt,
    expires_at: offer.expiresAt,
  };
  return tx.row(sql`insert into offers ${made.values(row)} on conflict do nothing returning *`);
}

const TO_A_PHONE = { token_hash: null, code_hash: null, claim_sealed: null };
const TO_NOBODY = { phone_sealed: null, phone_hash: null };

function addressee(vault: Vault, { id, to }: NewOffer) {
  if ('phone' in to)
    return {
      ...TO_A_PHONE,
      phone_sealed: sealPhone(vault, id, to.phone),
      phone_hash: hashPhone(vault, to.phone),
    };
  return {
    ...TO_NOBODY,
    token_hash: hashToken(vault, to.claimKeys.token),
    code_hash: hashCode(vault, to.claimKeys.code),
    claim_sealed: sealClaimKeys(vault, id, to.claimKeys),
  };
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

/** The token or the code of an open offer, as somebody sends it. */
export type ClaimKey = { readonly token: string } | { readonly code: string };

export async function findOpenOffer(db: Queryable, key: ClaimKey): Promise<OfferRow | undefined> {
  if ('token' in key)
    return db.row(sql`select * from offers where token_hash = ${hashToken(db.vault, key.token)}`);
  return db.row(sql`select * from offers where code_hash = ${hashCode(db.vault, key.code)}`);
}

/** By what its link ends with: the token of an open offer, or the id of an offer to a phone. */
export async function findLinkedOffer(db: Queryable, key: string): Promise<OfferRow | undefined> {
  if (!key.startsWith('off_')) return findOpenOffer(db, { token: key });
  const offer = await findOffer(db, key);
  return offer?.phone_hash ? offer : undefined;
}

/** Replaces the hash of an erased phone. */
export const FORGOTTEN = Buffer.of(0);

export const sealPhone = (vault: Vault, offerId: string, phone: string): Buffer =>
  vault.pack(phone, `phone of ${offerId}`);

/** To whom it was made. Null: an open offer. */
export const phoneOf = (vault: Vault, { id, phone_sealed }: OfferRow): string | null =>
  phone_sealed && vault.unpack(phone_sealed, `phone of ${id}`);

/** How it is claimed. Null: an offer to a phone. */
export const claimKeysOf = (vault: Vault, { id, claim_sealed }: OfferRow): ClaimKeys | null =>
  claim_sealed && openClaimKeys(vault, id, claim_sealed);

export async function countPending(tx: Tx, phone: string, now: Date): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*) from offers
    where phone_hash = ${hashPhone(tx.vault, phone)} and status = 'pending' and expires_at > ${now}`);
  return row!.count;
}

/** How many offers of the merchant wait for an answer: none is older than two lives, one open and one claimed. */
export async function countWaitingOffers(db: Queryable, merchantId: number, now: Date): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) from offers
    where merchant_id = ${merchantId} and status = 'pending' and expires_at > ${now}
      and created_at > ${new Date(now.getTime() - 2 * OFFER_LIFE_MS)}`);
  return row!.count;
}

/** Whether the merchant has made an offer to the phone that is still kept. */
export async function hasOffered(tx: Tx, merchantId: number, phone: string): Promise<boolean> {
  const row = await tx.row(sql`
    select from offers where phone_hash = ${hashPhone(tx.vault, phone)} and merchant_id = ${merchantId} limit 1`);
  return row !== undefined;
}

type Claim = { customerId: string; now: Date; expiresAt: Date };

export async function markClaimed(
  tx: Tx,
  id: string,
  { customerId, now, expiresAt }: Claim,
): Promise<OfferRow> {
  const row = await tx.row<OfferRow>(sql`
    update offers set customer_id = ${customerId}, claimed_at = ${now}, expires_at = ${expiresAt}
    where id = ${id} returning *`);
  return row!;
}

type Acceptance = { customerId: string; checkoutHash: string; installments: number };

export async function markClosed(
  tx: Tx,
  id: string,
  status: Exclude<ClosedStatus, 'expired'>,
  at: Date,
  accepted: Acceptance | null = null,
): Promise<OfferRow> {
  const row = await tx.row<OfferRow>(sql`
    update offers set
      status = ${status}, closed_at = ${at}, customer_id = coalesce(${accepted?.customerId ?? null}, customer_id),
      checkout_hash = ${accepted?.checkoutHash ?? null}, accepted_installments = ${accepted?.installments ?? null}
    where id = ${id} returning *`);
  return row!;
}

/** A batch of pending offers past their deadline. Those that somebody else has locked are left to the next run. */
export async function lockDue(tx: Tx, now: Date, limit: number): Promise<OfferRow[]> {
  return tx.rows(sql`
    select * from offers where status = 'pending' and expires_at <= ${now}
    order by expires_at limit ${limit} for no key update skip locked`);
}

export async function markExpired(tx: Tx, ids: readonly string[]): Promise<OfferRow[]> {
  return tx.rows(sql`
    update offers set status = 'expired', closed_at = expires_at where id = any(${ids}) returning *`);
}

/** When offers that wait will expire, up to an instant. */
export async function listExpiries(tx: Tx, { after, until }: { after: Date; until: Date }): Promise<Date[]> {
  const rows = await tx.rows<{ expires_at: Date }>(sql`
    select distinct expires_at from offers
    where status = 'pending' and expires_at > ${after} and expires_at <= ${until}`);
  return rows.map(({ expires_at }) => expires_at);
}

/** Which member made each of these offers; those of nobody are left out. */
export async function listOfferMembers(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; member_id: string }>(sql`
    select id, member_id from offers where id = any(${offerIds}::text[]) and member_id is not null`);
  return new Map(rows.map(({ id, member_id }) => [id, member_id]));
}

/** Who has claimed each of these offers, or has the phone it was made to, by the offer's id. Offers without an owner are left out. */
export async function findOfferedTo(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (offerIds.length === 0) return new Map();
  const offers = await db.rows<Pick<OfferRow, 'id' | 'phone_hash' | 'customer_id'>>(sql`
    select id, phone_hash, customer_id from offers where id = any(${offerIds})`);
  const hashes = offers.flatMap(({ phone_hash }) => phone_hash ?? []);
  const owners = await listPhoneOwners(db, hashes);
  const byPhone = new Map(owners.map((owner) => [owner.phoneHash.toString('hex'), owner.customerId]));
  return new Map(
    offers.flatMap(({ id, phone_hash, customer_id }) => {
      const whose = phone_hash === null ? customer_id : byPhone.get(phone_hash.toString('hex'));
      return whose ? [[id, whose] as const] : [];
    }),
  );
}

export type Whose =
  | {
      merchantId: number;
      reference?: string | undefined;
      code?: string | undefined;
      since?: Date | undefined;
    }
  | { customerId: string; phoneHash: Buffer };
export type Window = { offset: number; limit: number };

/** A page of a merchant's offers, or of those to a customer, newest first, and how many there are: one statement. */
export async function listOffers(
  db: Queryable,
  whose: Whose,
  status: OfferStatus | null,
  now: Date,
  { offset, limit }: Window,
): Promise<{ total: number; offers: OfferRow[] }> {
  const own = belongingTo(db.vault, whose);
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

const BEGINNING = new Date(0);

function belongingTo(vault: Vault, whose: Whose): Sql {
  if ('phoneHash' in whose)
    return sql`(phone_hash = ${whose.phoneHash} or phone_hash is null and customer_id = ${whose.customerId})`;
  const { merchantId, reference, code, since } = whose;
  if (code !== undefined) return sql`merchant_id = ${merchantId} and code_hash = ${hashCode(vault, code)}`;
  if (reference !== undefined) return sql`merchant_id = ${merchantId} and reference = ${reference}`;
  return sql`merchant_id = ${merchantId} and created_at >= ${since ?? BEGINNING}`;
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

/** Reencrypts phones and claim keys with the current key, and recomputes their hashes. Returns the ids. */
export async function resealOffers(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: { afterId: string; limit: number; all: boolean },
): Promise<string[]> {
  const rows = await tx.rows<OfferRow>(sql`
    select * from offers
    where id > ${afterId} and (${all} or substr(coalesce(phone_sealed, claim_sealed), 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const row of rows) {
    const { id } = row;
    const keys = claimKeysOf(vault, row);
    const phone = phoneOf(vault, row);
    const sealed = {
      phone: phone === null ? null : sealPhone(vault, id, phone),
      claim: keys && sealClaimKeys(vault, id, keys),
    };
    await tx.run(sql`
      update offers set phone_sealed = ${sealed.phone}, claim_sealed = ${sealed.claim} where id = ${id}`);
    if (!all) continue;
    // Erased phones stay empty.
    const isErased = row.phone_hash?.length === FORGOTTEN.length;
    const hashes = {
      phone: phone === null ? null : isErased ? FORGOTTEN : hashPhone(vault, phone),
      token: keys && hashToken(vault, keys.token),
      code: keys && hashCode(vault, keys.code),
    };
    await tx.run(sql`
      update offers set phone_hash = ${hashes.phone}, token_hash = ${hashes.token}, code_hash = ${hashes.code} where id = ${id}`);
  }
  return rows.map(({ id }) => id);
}
