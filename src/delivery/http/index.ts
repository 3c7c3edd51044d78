export { getAdminEvents } from './get-admin-events.ts';
export { getEvents } from './get-events.ts';
export { getEventsStream } from './get-events-stream.ts';
export { getMerchantEvents } from './get-merchant-events.ts';
export { getWalletEvents } from './get-wallet-events.ts';
