import { offerClaimed, offerClosed, offerExpired } from '../problems.ts';

export const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];
export type ClosedStatus = Exclude<OfferStatus, 'pending'>;

/** A pending offer is `open` if any customer may claim it, and `bound` once a customer has claimed it or if it was sent to a phone. */
export type OfferState = 'open' | 'bound' | ClosedStatus;
type OfferAction = 'claim' | 'accept' | 'decline' | 'cancel' | 'expire';

/**
 * The state machine of offers, drawn in docs/selling.md. An offer with a phone starts as `bound`, an offer without a phone as `open`. An
 * action that leads to the same state changes nothing.
 */
export const TRANSITIONS: Readonly<Record<OfferState, Readonly<Partial<Record<OfferAction, OfferState>>>>> = {
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

/** Computes the current state. An offer expires at its deadline, even before a job stores that status. */
export function computeState(offer: OfferStateColumns, now: Date): OfferState {
  const pendingState = offer.phone_hash === null && offer.customer_id === null ? 'open' : 'bound';
  const storedState = offer.status === 'pending' ? pendingState : offer.status;
  return offer.expires_at <= now ? (TRANSITIONS[storedState].expire ?? storedState) : storedState;
}

/** Computes the status that the API returns. */
export function computeStatus(offer: OfferStateColumns, now: Date): OfferStatus {
  const state = computeState(offer, now);
  return state === 'open' || state === 'bound' ? 'pending' : state;
}

/** Returns the state after the action. Throws a problem if the action is not allowed in the current state. Does not check permissions. */
export function checkTransition(offer: OfferStateColumns, action: Exclude<OfferAction, 'expire'>, now: Date) {
  const state = computeState(offer, now);
  const nextState = TRANSITIONS[state][action];
  if (nextState !== undefined) return nextState;
  if (state === 'expired') throw offerExpired(offer.expires_at);
  if (state === 'open' || state === 'bound') throw offerClaimed();
  throw offerClosed(state);
}
