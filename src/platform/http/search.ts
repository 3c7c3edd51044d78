import { Type } from 'typebox';
import { type Sql, sql } from '../database/db.ts';
import { validationFailed } from '../problem.ts';
import { Text } from './schemas.ts';

/** In the order in which they are shown. */
export const HIT_KINDS = [
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

/** Something that a search of the staff door finds. */
export type Hit = {
  readonly kind: (typeof HIT_KINDS)[number];
  /** What its own address has in it. */
  readonly id: string;
  /** A few words in Portuguese, without personal data. */
  readonly title: string;
  readonly customer_id?: string | null;
  /** The customer's name, masked for who may not see it. */
  readonly customer_name?: string | null;
  /** Of a merchant: what tables call it. */
  readonly merchant_id?: number;
};

/** A module's part of the search: by id, or by words. Returns at most so many of a kind, the best first. */
export type Finder = (q: string, most: number) => Promise<Hit[]>;

/** How many of one kind are shown. */
export const HITS = 6;

/** What a text that somebody pasted may mean to a list. */
export type SearchTarget = {
  readonly customerIds: readonly string[];
  readonly merchantIds: readonly number[];
  /** The text itself, and the ids of what it is another name of: a purchase by its reference, a charge by its txid, a merchant's slug. */
  readonly ids: readonly string[];
  /** The customers to whom those things belong. */
  readonly ownerIds: readonly string[];
};

export type ResolveSearch = (q: string | undefined) => Promise<SearchTarget | undefined>;

/** Of customers or merchants: a search that would miss some is refused. */
const MOST_TARGETS = 200;

/** Asks every module. Undefined where nothing is searched for. */
export const resolveSearch =
  (finders: () => readonly Finder[]): ResolveSearch =>
  async (given) => {
    const q = given?.trim();
    if (!q) return undefined;
    const hits = (await Promise.all(finders().map((find) => find(q, MOST_TARGETS + 1)))).flat();
    const things = hits.filter(({ kind }) => kind !== 'customer' && kind !== 'post');
    const target = {
      customerIds: hits.filter(({ kind }) => kind === 'customer').map(({ id }) => id),
      merchantIds: hits.flatMap(({ merchant_id }) => merchant_id ?? []),
      ids: [...new Set([q, ...things.map(({ id }) => id)])],
      ownerIds: [...new Set(things.flatMap(({ customer_id }) => customer_id ?? []))],
    };
    if (Math.max(target.customerIds.length, target.merchantIds.length) > MOST_TARGETS) throw tooMany();
    return target;
  };

const tooMany = () =>
  validationFailed([
    {
      pointer: '/q',
      message: {
        en: `matches more than ${MOST_TARGETS} customers or merchants: write more of the name`,
        pt: `serve para mais de ${MOST_TARGETS} clientes ou lojas: escreva mais do nome`,
      },
    },
  ]);

/** `things`: what else the list finds, e.g. 'a txid'. */
export const searchParameter = (things: string) => ({
  q: Type.Optional(Text(100, { description: `Name, phone or CPF of the customer, or ${things}.` })),
});

/**
 * A condition for `only` of a list: of these customers or merchants, or with one of these ids in a column of `plain`; in one of `owned`, of
 * a customer to whom it belongs. Undefined where nothing is searched for.
 */
export function matchesSearch(
  target: SearchTarget | undefined,
  columns: { customer?: Sql; merchant?: Sql; plain?: readonly Sql[]; owned?: readonly Sql[] },
): Sql | undefined {
  if (target === undefined) return undefined;
  const { customer, merchant, plain = [], owned = [] } = columns;
  const { customerIds, merchantIds, ids, ownerIds } = target;
  const ofCustomer = customer === undefined ? [] : [among(customer, sql`${customerIds}`)];
  const ofMerchant = merchant === undefined ? [] : [among(merchant, sql`${merchantIds}`)];
  const ofOwner =
    customer === undefined
      ? []
      : owned.map((column) => sql`(${among(customer, sql`${ownerIds}`)} and ${column} = any(${ids}))`);
  const either = [
    ...(customerIds.length > 0 ? ofCustomer : []),
    ...(merchantIds.length > 0 ? ofMerchant : []),
    ...plain.map((column) => among(column, sql`${ids}`)),
    ...(ownerIds.length > 0 ? ofOwner : []),
  ];
  return sql`(${either.reduce((all, one) => sql`${all} or ${one}`, sql`false`)})`;
}

/** Not null: an index may leave such rows out. */
const among = (column: Sql, values: Sql): Sql => sql`(${column} = any(${values}) and ${column} is not null)`;
