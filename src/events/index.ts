export { descriptionOf, EVENT_TYPES, type EventData, type EventType, STAFF_EVENT_TYPES } from './catalog.ts';
export {
  type EventContext,
  type EventHandler,
  type EventHandlers,
  type Events,
  openEvents,
} from './events.ts';
export {
  deleteWaiting,
  deleteWaitingGlobal,
  listWaitingEvents,
  listWaitingGlobalEvents,
  type WaitingEvent,
} from './outbox-store.ts';
export { eventTables, listEventIds, PERSONAL_FIELDS } from './personal-data.ts';
export { findCheckoutCustomer, listedEvents, narrowed, type StaffEventRow } from './staff-store.ts';
export {
  EVENTS_TOPIC,
  findNewestPosition,
  findPosition,
  insertGlobalEventsFrom,
  listEventsAfter,
  NOBODY,
  purgeEvents,
  type WrittenEvent,
} from './store.ts';
export { type AudienceScope, isOfPurchase, scopesOf, toldExampleOf, toldSchemaOf } from './told.ts';
