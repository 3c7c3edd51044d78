export { type CustomerPartner, customerPartners } from './audience.ts';
export type { EventData } from './catalog.ts';
export { type EventHandler, type EventHandlers, type Events, openEvents } from './events.ts';
