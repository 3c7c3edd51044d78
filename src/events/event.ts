import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import type { EventData, EventType } from './catalog.ts';

/**
 * The types of events that concern no customer, or a phone whose owner is looked up later (see webhooks/recipients.ts). Events of all other types
 * are emitted in a transaction of their customer.
 */
type GlobalEventType =
  | 'lead.received'
  | 'offer.created'
  | 'offer.expired'
  | 'offer.cancelled'
  | 'payout.paid';

/** The kind of transaction in which an event is emitted and its handlers run. */
export type EventTx<T extends EventType> = T extends GlobalEventType ? Tx : CustomerTx;

/** The merchant, offer and merchant's reference of a purchase, as partners receive them. */
type PurchaseContext = {
  readonly merchant: string;
  readonly offer_id: string | null;
  readonly reference: string | null;
};

/**
 * A published fact. `customerId` is null if it concerns no customer. `merchantId` is the merchant of the sale. `partnerId` is the partner
 * whose API call caused the event. Only the first event of a purchase must set the merchant.
 */
export type Event<T extends EventType = EventType> = T extends EventType
  ? {
      readonly type: T;
      readonly customerId: T extends GlobalEventType ? null : string;
      readonly data: EventData<T>;
      readonly merchantId?: number;
      readonly partnerId?: string;
      /** The context that all events of the purchase include; set by its first event. */
      readonly purchase?: PurchaseContext;
    }
  : never;

export type NewEvent = Event & { id: string; checkoutHash: string | null; occurredAt: Date };
