import type { Tx } from '#platform/db.ts';
import { newId } from '#platform/ids.ts';
import { insertEvent } from './store.ts';

export const EVENT_TYPES = [
  'lead.received',
  'customer.registered',
  'checkout.created',
  'checkout.paid',
  'checkout.overdue',
  'installment.paid',
  'installment.overdue',
  'installment.extended',
  /** A payment was taken back by the payer's bank: what was paid is owed again. */
  'installment.reopened',
  'pix.created',
  'pix.paid',
  'pix.expired',
  'pix.refunded',
  'cashback.changed',
  'referral.rewarded',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type Event = {
  readonly type: EventType;
  /** null where it concerns no customer. */
  readonly customerId: string | null;
  readonly checkoutHash: string | null;
  /** What partners are told: names and units as on the wire. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Somebody who acts on what happened, in the transaction in which it happened: if it fails, nothing happened. It may emit
 * events of its own.
 */
export type EventHandler = (
  tx: Tx,
  event: Event & { readonly occurredAt: Date },
  events: Events,
) => Promise<void>;

/** Who acts on which type. */
export type Reaction = { readonly type: EventType; readonly listener: EventHandler };

export type Events = {
  /** Writes the event down and tells the listeners, one after the other, all in the caller's transaction. */
  emit(tx: Tx, event: Event, now: Date): Promise<void>;
};

/** `reactions`: in the order in which they are to be. */
export function openEvents(reactions: readonly Reaction[]): Events {
  const events: Events = {
    async emit(tx, event, now) {
      await insertEvent(tx, { ...event, id: newId('evt', now) }, now);
      for (const { type, listener } of reactions) {
        if (type === event.type) await listener(tx, { ...event, occurredAt: now }, events);
      }
    },
  };
  return events;
}
