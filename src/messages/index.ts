export type { Channel, Send } from './channels/channel.ts';
export { isChannelFailing, PAUSE_SECONDS } from './health.ts';
export { contacts, inbox, messagesService, type Prepare } from './messages.ts';
export { type Contact, type Contacts, tellCustomer, tellPhone } from './outbox.ts';
export { findPreferences } from './preferences.ts';
export { hasMessageOn, isRunFinished, listSubjects, listTold, putRun } from './store.ts';
export type { PartsOf } from './templates.ts';
