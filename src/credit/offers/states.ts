import { offerClaimed, offerClosed, offerExpired } from '../problems.ts';

export const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];
export type ClosedStatus = Exclude<OfferStatus, 'pending'>;

/** A pending offer is `open` until a customer claims it. It is `bound` once it was claimed, or if it was sent to a phone. */
export type OfferState = 'open' | 'bound' | ClosedStatus;
type Verb = 'claim' | 'accept' | 'decline' | 'cancel' | 'expire';

/**
 * The state machine of offers, drawn in docs/selling.md. An offer with a phone starts as `bound`, one without as `open`. A verb that
 * leads to the same state changes nothing.
 */
export const TRANSITIONS: Readonly<Record<OfferState, Readonly<Partial<Record<Verb, OfferState>>>>> = {
  open: { claim: 'bound', cancel: 'cancelled', expire: 'expired' },
  bound: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', expire: 'expired' },
  accepted: {},
  declined: { decline: 'declined' },
  cancelled: { cancel: 'cancelled' },
  expired: { expire: 'expired' },
};

export type OfferStateColumns = {
  readonly status: OfferStatus;
  readonly phone_hash: Buffer | null;
  readonly customer_id: string | null;
  readonly expires_at: Date;
};

/** Computes the state as of now. An offer expires at its deadline, whether or not a job has stored that. */
export function computeState(offer: OfferStateColumns, now: Date): OfferState {
  const isOpen = offer.phone_hash === null && offer.customer_id === null;
  const storedState = offer.status === 'pending' ? (isOpen ? 'open' : 'bound') : offer.status;
  return offer.expires_at <= now ? (TRANSITIONS[storedState].expire ?? storedState) : storedState;
}

/** Computes the state as the API shows it. */
export function computeStatus(offer: OfferStateColumns, now: Date): OfferStatus {
  const state = computeState(offer, now);
  return state === 'open' || state === 'bound' ? 'pending' : state;
}

/**
 * Returns the state after the verb. Throws a problem if the verb is not allowed in the current state. Does not check permissions.
 */
export function transition(offer: OfferStateColumns, verb: Exclude<Verb, 'expire'>, now: Date): OfferState {
  const state = computeState(offer, now);
  const next = TRANSITIONS[state][verb];
  if (next !== undefined) return next;
  if (state === 'expired') throw offerExpired(offer.expires_at);
  if (state === 'open' || state === 'bound') throw offerClaimed();
  throw offerClosed(state);
}
