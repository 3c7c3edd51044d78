import type { Decision } from '#core/finance/decision.ts';
import { DAY_MS } from '#core/values/duration.ts';
import type { Cents } from '#core/values/money.ts';
import type { LockedCustomer } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { defineService } from '#platform/service.ts';

/** How long a customer may consider an offer (CDC art. 54-B), from when the offer was sent to them or they claimed it. */
export const OFFER_TTL_MS = 2 * DAY_MS;

type AcceptanceRequest = {
  readonly buyer: LockedCustomer;
  readonly offerId: string;
  readonly merchant: { readonly id: number; readonly slug: string };
  readonly total: Cents;
  readonly now: Date;
};

/**
 * The decision about an offer. `storeRefusal` saves it after the caller's transaction was rolled back, and returns `retry` if new information
 * arrived and the caller should decide again.
 */
type AcceptanceDecision = Pick<Decision, 'outcome' | 'reasons'> & {
  storeRefusal(): Promise<'stored' | 'retry'>;
};

/**
 * Decides whether an offer may be accepted. Sends all its statements in the same tick, so that they share a round trip with statements
 * of the caller. Stores an approved decision in the transaction. The decisions module provides this function.
 */
export type DecideAcceptance = (tx: CustomerTx, request: AcceptanceRequest) => Promise<AcceptanceDecision>;

export const acceptanceDecider = defineService<DecideAcceptance>('acceptance');

/** Rolls back the transaction that accepts an offer. The decision is then stored in a separate transaction. */
export class AcceptanceRefused extends Error {
  readonly decision: AcceptanceDecision;
  constructor(decision: AcceptanceDecision) {
    super(`credit refused: ${decision.outcome}`);
    this.decision = decision;
  }
}
