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
  /** The customer it is about. */
  readonly customer_id?: string | null;
  /** The customer's name, masked for who may not see it. */
  readonly customer_name?: string | null;
};

/** A module's part of the search: by id, or by words. Returns a few, the best first. */
export type Finder = (q: string) => Promise<Hit[]>;

/** How many of one kind are shown. */
export const HITS = 6;
