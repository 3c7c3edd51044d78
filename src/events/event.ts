import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import type { EventData, EventType } from './catalog.ts';

/**
 * Events about no customer, or about a phone whose owner is looked up later (see audience.ts). All others are emitted in a transaction on
 * the customer.
 */
type GlobalType = 'lead.received' | 'offer.created' | 'offer.expired' | 'offer.cancelled' | 'payout.paid';

/** The kind of transaction in which it is emitted and its handlers run. */
export type EventTx<T extends EventType> = T extends GlobalType ? Tx : CustomerTx;

/** Merchant, offer and the merchant's reference of a purchase, as partners get them. */
type PurchaseContext = {
  readonly merchant: string;
  readonly offer_id: string | null;
  readonly reference: string | null;
};

/**
 * Something that happened. `customerId` is null where it is about no customer. `merchantId` is the merchant of the sale.
 * `partnerId` is the partner through which it came. Only the first event of a purchase must name the merchant.
 */
export type Event<T extends EventType = EventType> = T extends EventType
  ? {
      readonly type: T;
      readonly customerId: T extends GlobalType ? null : string;
      readonly data: EventData<T>;
      readonly merchantId?: number;
      readonly partnerId?: string;
      /** What every event of the purchase carries, given with its first event. */
      readonly purchase?: PurchaseContext;
    }
  : never;

export type NewEvent = Event & { id: string; checkoutHash: string | null; occurredAt: Date };
