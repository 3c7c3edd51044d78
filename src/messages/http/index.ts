export { getWalletMessages } from './get-wallet-messages.ts';
export { getWalletPreferences } from './get-wallet-preferences.ts';
export { putWalletPreferences } from './put-wallet-preferences.ts';
