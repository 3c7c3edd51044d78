export { type Events, openEvents } from './events.ts';
