import type { Terms } from '#core/finance/terms.ts';
import type { Cents } from '#core/values/money.ts';
import { hashPhone, listPhoneOwners } from '#customers';
import { column, columns, type TableRow } from '#platform/database/columns.ts';
import {
  batchable,
  pluck,
  type Queryable,
  runInBatches,
  type Sql,
  sql,
  type Tx,
} from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import type { Vault } from '#platform/vault.ts';
import { OFFER_TTL_MS } from '../acceptance.ts';
import type { OfferMetadata } from '../fields.ts';
import { offers } from '../generated/tables.ts';
import { type PayoutTerms, toTermsColumns } from '../purchases/terms.ts';
import { type ClaimKeys, formatClaimKeys, hashCode, hashToken, parseClaimKeys } from './claim-keys.ts';
import type { ClosedStatus, OfferStatus } from './states.ts';

/** `amount_cents` is the total of the quantity; negative for a discount. */
export type OfferItem = { readonly name: string; readonly quantity: number; readonly amount_cents: number };

/** An open offer has no phone, and an offer to a phone has no `ClaimKeys`. */
const encryptedColumns = {
  phone_sealed: column.encryptedText({ context: 'phone of' }).nullable(),
  claim_sealed: column.encryptedText({ context: 'claim keys of' }).nullable(),
};
/** Columns that an insert does not set, because they change when an offer is claimed or closed. */
const CHANGING_COLUMNS = [
  'status',
  'closed_at',
  'customer_id',
  'claimed_at',
  'checkout_hash',
  'accepted_installments',
] as const;
export const offerColumns = columns({
  ...omit(offers, ...CHANGING_COLUMNS),
  ...encryptedColumns,
  items: column.jsonb<string>(),
  metadata: column.jsonb<string>(),
});

/** A stored offer, with its JSON columns parsed. `status` is the stored status, while `computeStatus` also considers the deadline. */
export type OfferRow = Omit<TableRow<typeof offers>, 'items' | 'metadata'> & {
  items: OfferItem[];
  metadata: OfferMetadata;
};

export type NewOffer = {
  id: string;
  merchant: { id: number; slug: string; name: string };
  /** The phone that the offer is sent to, or the keys with which a customer claims an open offer. */
  recipient: { phone: string } | { claimKeys: ClaimKeys };
  /** The member who created the offer; null if the merchant's own server or the operator did. */
  memberId?: string | null;
  reference: string | null;
  description: string | null;
  items: readonly OfferItem[];
  metadata?: OfferMetadata;
  returnUrl: string | null;
  amount: Cents;
  installments: number;
  terms: Terms;
  payout: PayoutTerms;
  createdAt: Date;
  expiresAt: Date;
};

/**
 * Inserts an offer. Returns undefined if the merchant has an active offer with this reference, or another offer has the code. Waits for
 * concurrent inserts.
 */
export async function insertOffer(tx: Tx, offer: NewOffer): Promise<OfferRow | undefined> {
  const { merchant, payout } = offer;
  const row = {
    id: offer.id,
    merchant_id: merchant.id,
    merchant_slug: merchant.slug,
    merchant_name: merchant.name,
    ...toRecipientColumns(tx.vault, offer),
    member_id: offer.memberId ?? null,
    reference: offer.reference,
    description: offer.description,
    items: JSON.stringify(offer.items),
    metadata: JSON.stringify(offer.metadata ?? {}),
    return_url: offer.returnUrl,
    amount_cents: offer.amount,
    installments: offer.installments,
    ...toTermsColumns(offer.terms),
    merchant_fee_ppm: payout.merchantFee,
    payout_days: payout.days,
    created_at: offer.createdAt,
    expires_at: offer.expiresAt,
  };
  return tx.row(sql`insert into offers ${offerColumns.values(row)} on conflict do nothing returning *`);
}

const NO_CLAIM_KEYS = { token_hash: null, code_hash: null, claim_sealed: null };
const NO_PHONE = { phone_sealed: null, phone_hash: null };

function toRecipientColumns(vault: Vault, { id, recipient }: NewOffer) {
  if ('phone' in recipient)
    return {
      ...NO_CLAIM_KEYS,
      phone_sealed: encryptedColumns.phone_sealed.encrypt(vault, id, recipient.phone),
      phone_hash: hashPhone(vault, recipient.phone),
    };
  return {
    ...NO_PHONE,
    token_hash: hashToken(vault, recipient.claimKeys.token),
    code_hash: hashCode(vault, recipient.claimKeys.code),
    claim_sealed: encryptedColumns.claim_sealed.encrypt(vault, id, formatClaimKeys(recipient.claimKeys)),
  };
}

/** Finds the pending or accepted offer with this reference. At most one exists. A pending offer may be past its deadline. */
export const findActiveOffer = (db: Queryable, merchantId: number, reference: string) =>
  db.row<OfferRow>(sql`
    select * from offers
    where merchant_id = ${merchantId} and reference = ${reference} and status in ('pending', 'accepted')`);

export const findOffer = (db: Queryable, id: string) =>
  db.row<OfferRow>(sql`select * from offers where id = ${id}`);

/** Locks an offer. Every transaction that closes an offer does so first, so an offer is closed only once. */
export const lockOffer = (tx: Tx, id: string) => tx.row<OfferRow>(lockOffers({ batchKey: id }));

/** `batchKey` is the id of the offer. Locks in the order of ids, which prevents deadlocks. */
const lockOffers = batchable(
  (rows: ReadonlyArray<{ batchKey: string }>) => sql`
    select id as batch_key, * from offers where id = any(${pluck(rows, 'batchKey')}) order by id for no key update`,
);

/** One of the two `ClaimKeys`, as a customer sends it. */
export type ClaimKey = { readonly token: string } | { readonly code: string };

/** Finds the offer without a phone that has this token or code, also if it was claimed or closed. */
export async function findOfferByClaimKey(db: Queryable, key: ClaimKey): Promise<OfferRow | undefined> {
  if ('token' in key)
    return db.row(sql`select * from offers where token_hash = ${hashToken(db.vault, key.token)}`);
  return db.row(sql`select * from offers where code_hash = ${hashCode(db.vault, key.code)}`);
}

/** Finds an offer by the last segment of its link: the token of an open offer, or the id of an offer to a phone. */
export async function findOfferByLink(db: Queryable, linkKey: string): Promise<OfferRow | undefined> {
  if (!linkKey.startsWith('off_')) return findOfferByClaimKey(db, { token: linkKey });
  const offer = await findOffer(db, linkKey);
  return offer?.phone_hash ? offer : undefined;
}

/** Replaces the hash of the phone of an erased customer. */
export const ERASED_PHONE_HASH = Buffer.of(0);

/** Decrypts the phone of an offer. Returns null for an open offer. */
export const decryptPhone = (vault: Vault, { id, phone_sealed }: OfferRow): string | null =>
  phone_sealed && encryptedColumns.phone_sealed.decrypt(vault, id, phone_sealed);

/** Decrypts the claim keys of an open offer. Returns null for an offer to a phone. */
export const decryptOfferClaimKeys = (vault: Vault, { id, claim_sealed }: OfferRow): ClaimKeys | null =>
  claim_sealed && parseClaimKeys(encryptedColumns.claim_sealed.decrypt(vault, id, claim_sealed));

export const countPendingOffersToPhone = async (tx: Tx, phone: string, now: Date) =>
  (await tx.value<number>(sql`
    select count(*) from offers
    where phone_hash = ${hashPhone(tx.vault, phone)} and status = 'pending' and expires_at > ${now}`))!;

/**
 * Counts the pending offers of a merchant. The index scan is bounded: a pending offer is at most two TTLs old, one open and one claimed.
 */
export const countPendingOffers = async (db: Queryable, merchantId: number, now: Date) =>
  (await db.value<number>(sql`
    select count(*) from offers
    where merchant_id = ${merchantId} and status = 'pending' and expires_at > ${now}
      and created_at > ${new Date(now.getTime() - 2 * OFFER_TTL_MS)}`))!;

/** Whether the merchant has sent an offer to the phone before. Purged offers do not count. */
export async function hasSentOffer(tx: Tx, merchantId: number, phone: string): Promise<boolean> {
  const row = await tx.row(sql`
    select from offers where phone_hash = ${hashPhone(tx.vault, phone)} and merchant_id = ${merchantId} limit 1`);
  return row !== undefined;
}

type Claim = { customerId: string; now: Date; expiresAt: Date };

/** Queues the update of an open offer that a customer claims. The caller has locked the offer, and checked that it is open. */
export function markOfferClaimed(tx: Tx, offer: OfferRow, { customerId, now, expiresAt }: Claim): OfferRow {
  tx.queueWrite(saveClaims({ batchKey: offer.id, customerId, now, expiresAt }));
  return { ...offer, customer_id: customerId, claimed_at: now, expires_at: expiresAt };
}

const saveClaims = batchable(
  (rows: ReadonlyArray<Claim & { batchKey: string }>) => sql`
    update offers set customer_id = input.customer_id, claimed_at = input.now, expires_at = input.expires_at
    from unnest(${pluck(rows, 'batchKey')}::text[], ${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'now')}::timestamptz[],
                ${pluck(rows, 'expiresAt')}::timestamptz[]) as input (id, customer_id, now, expires_at)
    where offers.id = input.id`,
);

type PurchaseOfOffer = { customerId: string; checkoutHash: string; installments: number };
type Closing = {
  status: Exclude<ClosedStatus, 'expired'>;
  closedAt: Date;
  /** The purchase of an accepted offer. */
  purchase?: PurchaseOfOffer;
};

/** Queues the update of an offer that is closed, and returns the closed offer. The caller has locked the offer, and checked that it is pending. */
export function markOfferClosed(tx: Tx, offer: OfferRow, { status, closedAt, purchase }: Closing): OfferRow {
  const closedOffer = {
    ...offer,
    status,
    closed_at: closedAt,
    customer_id: purchase?.customerId ?? offer.customer_id,
    checkout_hash: purchase?.checkoutHash ?? null,
    accepted_installments: purchase?.installments ?? null,
  };
  tx.queueWrite(saveClosings({ ...closedOffer, batchKey: offer.id }));
  return closedOffer;
}

/** `batchKey` is the id of the offer. */
const saveClosings = batchable(
  (rows: ReadonlyArray<OfferRow & { batchKey: string }>) => sql`
    update offers set
      status = input.status, closed_at = input.closed_at, customer_id = input.customer_id, checkout_hash = input.checkout_hash,
      accepted_installments = input.accepted_installments
    from unnest(${pluck(rows, 'id')}::text[], ${pluck(rows, 'status')}::text[], ${pluck(rows, 'closed_at')}::timestamptz[],
                ${pluck(rows, 'customer_id')}::text[], ${pluck(rows, 'checkout_hash')}::text[],
                ${pluck(rows, 'accepted_installments')}::smallint[])
         as input (id, status, closed_at, customer_id, checkout_hash, accepted_installments)
    where offers.id = input.id`,
);

/** Locks a batch of pending offers past their deadline. Skips offers that another transaction has locked; the next run handles them. */
export const lockExpiredOffers = (tx: Tx, now: Date, limit: number) =>
  tx.rows<OfferRow>(sql`
    select * from offers where status = 'pending' and expires_at <= ${now}
    order by expires_at limit ${limit} for no key update skip locked`);

export const markOffersExpired = (tx: Tx, ids: readonly string[]) =>
  tx.rows<OfferRow>(sql`
    update offers set status = 'expired', closed_at = expires_at where id = any(${ids}) returning *`);

/** Lists the distinct instants at which pending offers expire. */
export const listExpiries = (tx: Tx, { after, until }: { after: Date; until: Date }) =>
  tx.values<Date>(sql`
    select distinct expires_at from offers
    where status = 'pending' and expires_at > ${after} and expires_at <= ${until}`);

/** Returns the authors and metadata of these offers, by offer id. */
export async function listOfferOrigins(db: Queryable, offerIds: readonly string[]) {
  if (offerIds.length === 0) return new Map();
  const rows = await db.rows<OfferOrigin & { id: string }>(sql`
    select id, member_id, metadata from offers where id = any(${offerIds}::text[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

type OfferOrigin = Pick<OfferRow, 'member_id' | 'metadata'>;

/** Returns the metadata of these offers, by offer id. Omits offers without metadata. */
export async function listOfferMetadata(db: Queryable, offerIds: readonly string[]) {
  if (offerIds.length === 0) return new Map();
  const rows = await db.rows<Pick<OfferRow, 'id' | 'metadata'>>(sql`
    select id, metadata from offers where id = any(${offerIds}::text[]) and metadata <> '{}'`);
  return new Map(rows.map(({ id, metadata }) => [id, metadata]));
}

/** Returns the customers who claimed these offers or own the phones they were sent to, by offer id. Omits offers without a customer. */
export async function findOfferRecipients(db: Queryable, offerIds: readonly string[]) {
  if (offerIds.length === 0) return new Map();
  const rows = await db.rows<Pick<OfferRow, 'id' | 'phone_hash' | 'customer_id'>>(sql`
    select id, phone_hash, customer_id from offers where id = any(${offerIds})`);
  const hashes = rows.flatMap(({ phone_hash }) => phone_hash ?? []);
  const owners = await listPhoneOwners(db, hashes);
  const customerByPhone = new Map(owners.map((owner) => [owner.phoneHash.toString('hex'), owner.customerId]));
  const recipients = new Map<string, string>();
  for (const { id, phone_hash, customer_id } of rows) {
    const recipientId = phone_hash === null ? customer_id : customerByPhone.get(phone_hash.toString('hex'));
    if (recipientId) recipients.set(id, recipientId);
  }
  return recipients;
}

/** Selects the offers of a merchant, optionally filtered, or the offers to a customer. */
type OfferScope =
  | {
      merchantId: number;
      reference?: string | undefined;
      code?: string | undefined;
      since?: Date | undefined;
    }
  | { customerId: string; phoneHash: Buffer };
type PageRange = { offset: number; limit: number };

/** Returns a page of the offers of a merchant or to a customer, newest first, and the total count. A null `status` means any status. */
export async function listOffers(
  db: Queryable,
  scope: OfferScope,
  status: OfferStatus | null,
  now: Date,
  { offset, limit }: PageRange,
): Promise<{ total: number; offers: OfferRow[] }> {
  const scopeCondition = buildScopeCondition(db.vault, scope);
  const condition = status === null ? scopeCondition : sql`${scopeCondition} and ${hasStatus(status, now)}`;
  const rows = await db.rows<{ total: number } & (OfferRow | { id: null })>(sql`
    select counted.total, listed.*
    from (select count(*) as total from offers where ${condition}) as counted
    left join lateral (
      select * from offers where ${condition} order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as listed on true
    order by listed.created_at desc, listed.id desc`);
  return { total: rows[0]!.total, offers: rows.filter((row) => row.id !== null) };
}

const EPOCH = new Date(0);

function buildScopeCondition(vault: Vault, scope: OfferScope): Sql {
  if ('phoneHash' in scope)
    return sql`(phone_hash = ${scope.phoneHash} or phone_hash is null and customer_id = ${scope.customerId})`;
  const { merchantId, reference, code, since } = scope;
  if (code !== undefined) return sql`merchant_id = ${merchantId} and code_hash = ${hashCode(vault, code)}`;
  if (reference !== undefined) return sql`merchant_id = ${merchantId} and reference = ${reference}`;
  return sql`merchant_id = ${merchantId} and created_at >= ${since ?? EPOCH}`;
}

/** SQL condition. A pending offer past its deadline counts as expired, even before a job stores that status. */
export function hasStatus(status: OfferStatus, now: Date): Sql {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or status = 'pending' and expires_at <= ${now})`;
  return sql`status = ${status}`;
}

/** Deletes offers that were closed without a purchase before this instant, and so their phones. */
export async function purgeOffers(db: Queryable, closedBefore: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from offers where id in (
        select id from offers
        where status in ('declined', 'expired', 'cancelled') and closed_at < ${closedBefore} limit 1000)`),
  );
}
