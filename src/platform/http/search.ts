import { type Sql, sql } from '../database/db.ts';
import { invalidField } from '../problem.ts';
import { type CallerRole, seesUnmasked } from './access.ts';

/** The kinds of search results, in the order in which they are returned. */
export const SEARCH_HIT_KINDS = [
  'customer',
  'checkout',
  'payment',
  'orphan',
  'charge',
  'refund',
  'offer',
  'merchant',
  'post',
] as const;

export type SearchHit = {
  readonly kind: (typeof SEARCH_HIT_KINDS)[number];
  /** The identifier in the URL of the resource. */
  readonly id: string;
  /** A short description in Portuguese, without personal data. */
  readonly title: string;
  readonly customer_id?: string | null;
  /** The customer's name, masked for staff users who may not see it. */
  readonly customer_name?: string | null;
  readonly merchant_id?: number;
};

/** With `wholeWords`, a part of a name or phone does not match, because the caller sees them masked. */
type SearchOptions = { readonly wholeWords: boolean };

/** A module's search by id or by words. Returns at most `maxPerKind` results of each kind, the best first. */
export type Searcher = (q: string, maxPerKind: number, options: SearchOptions) => Promise<SearchHit[]>;

export const searchOptionsFor = (caller: { role: CallerRole }): SearchOptions => ({
  wholeWords: !seesUnmasked(caller),
});

export const MAX_HITS_PER_KIND = 6;

export type SearchTarget = {
  readonly customerIds: readonly string[];
  readonly merchantIds: readonly number[];
  /** The text itself, and the ids of resources with another identifier equal to it: a purchase reference, a txid, a merchant's slug. */
  readonly ids: readonly string[];
  /** The customers to whom the resources of `ids` belong. */
  readonly ownerIds: readonly string[];
};

export type ResolveSearch = (
  q: string | undefined,
  caller: { role: CallerRole },
) => Promise<SearchTarget | undefined>;

/** The maximum number of matching customers or merchants. A search that exceeds it is rejected, because it would miss some. */
const MAX_TARGETS = 200;

/** Creates a function that searches all modules for a text. It returns undefined for an empty text. */
export const createSearchResolver =
  (listSearchers: () => readonly Searcher[]): ResolveSearch =>
  async (text, caller) => {
    const q = text?.trim();
    if (!q) return undefined;
    const options = searchOptionsFor(caller);
    const hits = (
      await Promise.all(listSearchers().map((search) => search(q, MAX_TARGETS + 1, options)))
    ).flat();
    const resources = hits.filter(({ kind }) => kind !== 'customer' && kind !== 'post');
    const target = {
      customerIds: hits.filter(({ kind }) => kind === 'customer').map(({ id }) => id),
      merchantIds: hits.flatMap(({ merchant_id }) => merchant_id ?? []),
      ids: [...new Set([q, ...resources.map(({ id }) => id)])],
      ownerIds: [...new Set(resources.flatMap(({ customer_id }) => customer_id ?? []))],
    };
    if (Math.max(target.customerIds.length, target.merchantIds.length) > MAX_TARGETS) throw tooManyTargets();
    return target;
  };

const tooManyTargets = () =>
  invalidField('/q', {
    en: `matches more than ${MAX_TARGETS} customers or merchants: enter more of the name`,
    pt: `serve para mais de ${MAX_TARGETS} clientes ou lojas: escreva mais do nome`,
  });

export type SearchColumns = {
  readonly customerColumn?: Sql;
  readonly merchantColumn?: Sql;
  readonly idColumns?: readonly Sql[];
  /** Columns of ids that match only in rows of the owner of the id. */
  readonly ownedIdColumns?: readonly Sql[];
};

/** Describes a search. `otherTerms` is what else finds rows of the list, such as 'a txid'. */
export const describeSearch = (otherTerms: string) => `Name, phone or CPF of the customer, or ${otherTerms}.`;

/** Builds the condition for rows of these customers or merchants, with one of these ids, or with an owned id if they belong to its owner. */
export function buildSearchCondition(
  target: SearchTarget | undefined,
  columns: SearchColumns,
): Sql | undefined {
  if (target === undefined) return undefined;
  const { customerColumn, merchantColumn, idColumns = [], ownedIdColumns = [] } = columns;
  const { customerIds, merchantIds, ids, ownerIds } = target;
  const customerConditions =
    customerColumn === undefined ? [] : [buildAnyOf(customerColumn, sql`${customerIds}`)];
  const merchantConditions =
    merchantColumn === undefined ? [] : [buildAnyOf(merchantColumn, sql`${merchantIds}`)];
  const ownerConditions =
    customerColumn === undefined
      ? []
      : ownedIdColumns.map(
          (column) => sql`(${buildAnyOf(customerColumn, sql`${ownerIds}`)} and ${column} = any(${ids}))`,
        );
  const alternatives = [
    ...(customerIds.length > 0 ? customerConditions : []),
    ...(merchantIds.length > 0 ? merchantConditions : []),
    ...idColumns.map((column) => buildAnyOf(column, sql`${ids}`)),
    ...(ownerIds.length > 0 ? ownerConditions : []),
  ];
  return sql`(${alternatives.reduce((joined, alternative) => sql`${joined} or ${alternative}`, sql`false`)})`;
}

/** `is not null` allows the use of indexes that leave null values out. */
const buildAnyOf = (column: Sql, values: Sql): Sql =>
  sql`(${column} = any(${values}) and ${column} is not null)`;
