import { offerClaimed, offerClosed, offerExpired } from '../problems.ts';

export const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];
export type ClosedStatus = Exclude<OfferStatus, 'pending'>;

/** A pending offer is `open` until somebody claims it, and `bound` to whoever has its phone or has claimed it. */
export type OfferState = 'open' | 'bound' | ClosedStatus;
type Verb = 'claim' | 'accept' | 'decline' | 'cancel' | 'expire';

/**
 * What can happen to an offer, drawn in docs/selling.md. One with a phone begins as `bound`, one without as `open`. A verb that leads
 * to the same state changes nothing.
 */
export const TRANSITIONS: Readonly<Record<OfferState, Readonly<Partial<Record<Verb, OfferState>>>>> = {
  open: { claim: 'bound', cancel: 'cancelled', expire: 'expired' },
  bound: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', expire: 'expired' },
  accepted: {},
  declined: { decline: 'declined' },
  cancelled: { cancel: 'cancelled' },
  expired: { expire: 'expired' },
};

/** The columns that decide the state. */
export type Stateful = {
  readonly status: OfferStatus;
  readonly phone_hash: Buffer | null;
  readonly customer_id: string | null;
  readonly expires_at: Date;
};

/** The state as of now: time alone expires an offer, whether a job has written that or not. */
export function stateOf(offer: Stateful, now: Date): OfferState {
  const isOpen = offer.phone_hash === null && offer.customer_id === null;
  const written = offer.status === 'pending' ? (isOpen ? 'open' : 'bound') : offer.status;
  return offer.expires_at <= now ? (TRANSITIONS[written].expire ?? written) : written;
}

/** The state as partners see it. */
export function statusOf(offer: Stateful, now: Date): OfferStatus {
  const state = stateOf(offer, now);
  return state === 'open' || state === 'bound' ? 'pending' : state;
}

/** The next state after a verb. Throws if the verb is not possible now. Permission was checked before. */
export function transition(offer: Stateful, verb: Exclude<Verb, 'expire'>, now: Date): OfferState {
  const state = stateOf(offer, now);
  const next = TRANSITIONS[state][verb];
  if (next !== undefined) return next;
  if (state === 'expired') throw offerExpired(offer.expires_at);
  if (state === 'open' || state === 'bound') throw offerClaimed();
  throw offerClosed(state);
}
