import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import type { EventType } from './catalog.ts';
import type { Event, EventTx, NewEvent } from './event.ts';
import { isPurchaseEvent } from './partner-payload.ts';
import { insertEvents } from './store.ts';

/**
 * Handles an event in the transaction that emitted it. If the handler fails, the transaction rolls back. A handler may emit events.
 */
export type EventHandler<T extends EventType = EventType> = (
  tx: EventTx<T>,
  event: Event<T> & { readonly occurredAt: Date },
  events: Events,
) => Promise<void>;

/** Handlers by event type, in the order in which they are called. */
export type EventHandlers = { readonly [T in EventType]?: ReadonlyArray<EventHandler<T>> };

export type Events = {
  /**
   * Calls the handlers of the event one after the other, in the caller's transaction. All events of the transaction are inserted
   * together right before the commit.
   */
  emit<T extends EventType>(tx: EventTx<T>, event: Event<T>, now: Date): Promise<void>;
};

export function createEvents(allHandlers: readonly EventHandlers[]): Events {
  const findHandlers = <T extends EventType>(type: T) =>
    allHandlers.flatMap((handlers) => (handlers[type] ?? []) as unknown as Array<EventHandler<T>>);
  const events: Events = {
    async emit(tx, event, now) {
      collectEvent(tx, {
        ...event,
        id: newId('evt', now),
        checkoutHash: findCheckoutHash(event),
        occurredAt: now,
      });
      for (const handle of findHandlers(event.type)) await handle(tx, { ...event, occurredAt: now }, events);
    },
  };
  return events;
}

/** The events to be inserted by each open transaction. */
const pendingEventsByTx = new WeakMap<Tx, NewEvent[]>();

function collectEvent(tx: Tx, event: NewEvent): void {
  const pendingEvents = pendingEventsByTx.get(tx);
  if (pendingEvents) pendingEvents.push(event);
  else {
    const newEvents = [event];
    pendingEventsByTx.set(tx, newEvents);
    tx.beforeCommit(() => insertEvents(tx, newEvents));
  }
}

/** Returns the hash of the purchase in whose sequence the event is numbered, or null if it is in none. */
function findCheckoutHash({ type, data }: Event): string | null {
  return 'checkout_hash' in data && isPurchaseEvent(type) ? data.checkout_hash : null;
}

/** What a function needs to emit events, in addition to its transaction. `now` is when the events occur. */
export type EventContext = { readonly events: Events; readonly now: Date };
