export { EVENT_TYPES, type EventData, type EventType, getDescription } from './catalog.ts';
export { CheckoutHashOrNull } from './event-schemas.ts';
export {
  createEvents,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  type Events,
} from './events.ts';
export {
  buildPartnerExample,
  buildPartnerSchema,
  getScopes,
  isPurchaseEvent,
  type RecipientScope,
} from './partner-payload.ts';
export { eventTables, PERSONAL_FIELDS, selectEventIds } from './personal-data.ts';
export {
  buildGlobalEventsInsert,
  deleteGlobalOutboxEvents,
  deleteOutboxEvents,
  EVENTS_TOPIC,
  eventList,
  findCheckoutCustomer,
  findNewestPosition,
  findPosition,
  GLOBAL_KEY,
  listEventsAfter,
  listGlobalOutboxEvents,
  listOutboxEvents,
  type OutboxEvent,
  purgeEvents,
  type StaffEventRow,
  type StoredEvent,
} from './store.ts';
