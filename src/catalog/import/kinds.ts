import { cents, toReais } from '#core/values/money.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import * as fields from './fields.ts';
import {
  listCategoriesAfter,
  listFaqAfter,
  listMerchantsAfter,
  listPostsAfter,
  lockCategories,
  lockFaq,
  lockMerchants,
  lockPosts,
  upsertCategories,
  upsertFaq,
  upsertMerchants,
  upsertPosts,
} from './store.ts';

/** A value of one cell of an import or export file. */
export type CellValue = string | number | boolean | string[] | null;

/** A kind of record that can be imported and exported: its fields, its key and how it is stored. */
export type ImportKind<R = Record<string, unknown>> = {
  /** The kind of entity in the audit trail. */
  auditKind: string;
  fields: { [F in keyof R]: fields.Field<R[F]> };
  key: keyof R & string;
  /** Locks and reads the stored records with these keys. */
  lock(tx: Tx, keys: string[]): Promise<R[]>;
  /** Lists the records after this key, in key order. */
  listAfter(db: Queryable, key: string, limit: number): Promise<R[]>;
  /** The record as an export writes it; an import parses it back to the same record. */
  toCells(record: R): Record<string, CellValue>;
  /** Upserts a batch. Returns the violations of records that were not written, by their index in the batch. */
  write(tx: Tx, records: R[]): Promise<Map<number, fields.FieldViolation>>;
};

const defineKind = <R>(definition: ImportKind<R>): ImportKind => definition as unknown as ImportKind;
const {
  required,
  optional,
  text,
  slug,
  address,
  percent,
  reais,
  integer,
  integerBetween,
  yesOrNo,
  words,
  instant,
  uf,
} = fields;

export const KINDS = {
  categories: defineKind({
    auditKind: 'category',
    key: 'slug',
    fields: { slug: required(slug), name: required(text(100)) },
    lock: lockCategories,
    listAfter: listCategoriesAfter,
    toCells: (record) => record,
    write: upsertCategories,
  }),
  merchants: defineKind({
    auditKind: 'merchant',
    key: 'slug',
    fields: {
      slug: required(slug),
      name: required(text(200)),
      category: required(slug),
      description: optional(text(2_000), null),
      logo_url: optional(address, null),
      city: optional(text(100), null),
      state: optional(uf, null),
      website: optional(address, null),
      cashback_percent: optional(percent, '0'),
      weekly_rate_percent: optional(percent, '0'),
      max_installments: optional(integerBetween(1, 52), 12),
      min_amount: optional(reais, 10_00),
      max_amount: optional(reais, 5_000_00),
      merchant_fee_percent: optional(percent, '0'),
      payout_days: optional(integerBetween(0, 90), 2),
      listed: optional(yesOrNo, true),
    },
    lock: lockMerchants,
    listAfter: listMerchantsAfter,
    toCells: (record) => ({
      ...record,
      cashback_percent: Number(record.cashback_percent),
      weekly_rate_percent: Number(record.weekly_rate_percent),
      min_amount: toReais(cents(record.min_amount)),
      max_amount: toReais(cents(record.max_amount)),
      merchant_fee_percent: Number(record.merchant_fee_percent),
    }),
    write: upsertMerchants,
  }),
  faq: defineKind({
    auditKind: 'faq',
    key: 'id',
    fields: {
      id: required(slug),
      topic: required(slug),
      question: required(text(500)),
      answer: required(text(5_000)),
      position: optional(integer, 0),
      listed: optional(yesOrNo, true),
    },
    lock: lockFaq,
    listAfter: listFaqAfter,
    toCells: (record) => record,
    write: upsertFaq,
  }),
  posts: defineKind({
    auditKind: 'post',
    key: 'slug',
    fields: {
      slug: required(slug),
      title: required(text(300)),
      summary: required(text(1_000)),
      cover_url: optional(address, null),
      author: required(text(200)),
      tags: optional(words, []),
      published_at: optional(instant, null),
      body: required(text(200_000)),
    },
    lock: lockPosts,
    listAfter: listPostsAfter,
    toCells: (record) => ({ ...record, published_at: record.published_at?.toISOString() ?? null }),
    write: upsertPosts,
  }),
} satisfies Record<string, ImportKind>;

export type KindName = keyof typeof KINDS;
