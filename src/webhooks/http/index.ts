export { getAdminEvents } from './admin-events.ts';
export { getEvents, getEventsStream } from './events.ts';
export { getMerchantEvents } from './merchant-events.ts';
export { getWalletEvents } from './wallet-events.ts';
