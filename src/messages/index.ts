export type { Channel, Send } from './channels/channel.ts';
export { isChannelFailing, PAUSE_SECONDS } from './health.ts';
export { contacts, inbox, messagesService, type Prepare } from './messages.ts';
export { type Contact, type Contacts, tellCustomer, tellPhone } from './outbox.ts';
