import type { Decision } from '#core/decision.ts';
import { DAY_MS } from '#core/duration.ts';
import type { Cents } from '#core/money.ts';
import type { LockedCustomer } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { service } from '#platform/service.ts';

/** The time to consider an offer (CDC art. 54-B), from when somebody has it. */
export const OFFER_LIFE_MS = 2 * DAY_MS;

export type WantedPurchase = {
  readonly buyer: LockedCustomer;
  readonly offerId: string;
  readonly merchant: { readonly id: number; readonly slug: string };
  readonly total: Cents;
  readonly now: Date;
};

/**
 * The decision. `keep` stores it after the caller's transaction was rolled back. `again`: there is new information, so it is to be
 * decided once more.
 */
export type AcceptanceDecision = Pick<Decision, 'outcome' | 'reasons'> & {
  keep(): Promise<'kept' | 'again'>;
};

/**
 * Decides whether an offer may be accepted. All its statements are sent in the tick of the call. An approval is stored in the
 * transaction. Provided by decisions.
 */
export type DecideAcceptance = (tx: CustomerTx, wanted: WantedPurchase) => Promise<AcceptanceDecision>;

export const acceptance = service<DecideAcceptance>('acceptance');

/** The offer is not accepted: the transaction rolls back, and the decision is stored in another. */
export class NotGranted extends Error {
  readonly decision: AcceptanceDecision;
  constructor(decision: AcceptanceDecision) {
    super(`not granted: ${decision.outcome}`);
    this.decision = decision;
  }
}
