export {
  deleteCalendarFeed,
  findCalendarFeed,
  findCalendarOwner,
  putCalendarFeed,
} from './calendar-feeds.ts';
export type { Channel, Send } from './channels/channel.ts';
export { isChannelFailing, PAUSE_SECONDS } from './health.ts';
export { contacts, inbox, messagesService, NotBefore, type Prepare } from './messages.ts';
export { type Contact, type Contacts, tellCustomer, tellPhone } from './outbox.ts';
export { findPreferences } from './preferences.ts';
export { sumMessages, sumReminders } from './staff-store.ts';
export { hasMessageOn, isRunFinished, listSubjects, listTold, putRun } from './store.ts';
export type { PartsOf } from './templates.ts';
