export {
  deleteCalendarFeed,
  findCalendarFeed,
  findCalendarOwner,
  replaceCalendarFeed,
} from './calendar-feeds.ts';
export type { Channel, Send } from './channels/channel.ts';
export { CHANNEL_PAUSE_SECONDS, isChannelFailing } from './health.ts';
export {
  type Contact,
  type Contacts,
  contactBook,
  inboxService,
  messagesService,
  Postponement,
  type PrepareMessage,
} from './messages.ts';
export { type CustomerMessage, queueCustomerMessage, queuePhoneMessage } from './outbox.ts';
export { findPreferences } from './preferences.ts';
export { countMessagesByOutcome, countRemindersByStep } from './staff-store.ts';
export { hasMessageOn, isRunFinished, listNotifiedSubjects, listSubjects, markRunFinished } from './store.ts';
export type { TemplateData, TemplateName } from './templates.ts';
