export { deleteWalletCalendarFeed, getWalletCalendar, postWalletCalendarFeed } from './wallet-calendar.ts';
