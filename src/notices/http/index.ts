export { deleteWalletCalendarFeed } from './delete-wallet-calendar-feed.ts';
export { getCalendarSecretIcs } from './get-calendar-secret.ics.ts';
export { getWalletCalendar } from './get-wallet-calendar.ts';
export { postWalletCalendarFeed } from './post-wallet-calendar-feed.ts';
