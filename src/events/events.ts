import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import type { EventType } from './catalog.ts';
import type { Event, EventTx, NewEvent } from './event.ts';
import { insertEvents } from './store.ts';
import { isOfPurchase } from './told.ts';

/**
 * Handles an event in the transaction that emitted it: if the handler fails, the transaction rolls back. It may emit events
 * itself.
 */
export type EventHandler<T extends EventType = EventType> = (
  tx: EventTx<T>,
  event: Event<T> & { readonly occurredAt: Date },
  events: Events,
) => Promise<void>;

/** The handlers of each type, in the order in which they are called. */
export type EventHandlers = { readonly [T in EventType]?: ReadonlyArray<EventHandler<T>> };

export type Events = {
  /**
   * Calls the handlers of the event one after the other, in the caller's transaction. All events of the transaction are written
   * together right before the commit.
   */
  emit<T extends EventType>(tx: EventTx<T>, event: Event<T>, now: Date): Promise<void>;
};

export function openEvents(all: readonly EventHandlers[]): Events {
  const handlersOf = <T extends EventType>(type: T) =>
    all.flatMap((handlers) => (handlers[type] ?? []) as unknown as Array<EventHandler<T>>);
  const events: Events = {
    async emit(tx, event, now) {
      gather(tx, { ...event, id: newId('evt', now), checkoutHash: checkoutOf(event), occurredAt: now });
      for (const handle of handlersOf(event.type)) await handle(tx, { ...event, occurredAt: now }, events);
    },
  };
  return events;
}

/** The events to be written with each open transaction. */
const gathered = new WeakMap<Tx, NewEvent[]>();

function gather(tx: Tx, event: NewEvent): void {
  const events = gathered.get(tx);
  if (events) return void events.push(event);
  const first = [event];
  gathered.set(tx, first);
  tx.beforeCommit(() => insertEvents(tx, first));
}

/** The purchase in whose sequence the event is numbered: the merchant gets these events, too. */
function checkoutOf({ type, data }: Event): string | null {
  return 'checkout_hash' in data && isOfPurchase(type) ? data.checkout_hash : null;
}

/** What a verb needs to emit events, beside its transaction; `now` is when it happened. */
export type EventContext = { readonly events: Events; readonly now: Date };
