import { pageLink } from '#platform/config.ts';
import { choice, defineSettings, type Mode, type SettingsOf, text, webUrl } from '#platform/settings.ts';
import type { TwilioSettings } from './channels/twilio.ts';

export const messagesSettings = defineSettings(
  {
    sender: {
      name: 'SMS_SENDER',
      meaning: 'inbox (sandbox only) or twilio; required in live',
      default: { sandbox: 'inbox' },
      neededInLive: 'live mode sends login codes by SMS: set it to twilio',
      read: sender,
    },
    url: {
      name: 'TWILIO_URL',
      meaning: 'address of the SMS gateway',
      default: 'https://api.twilio.com',
      read: webUrl,
    },
    accountSid: { name: 'TWILIO_ACCOUNT_SID', meaning: 'account at the SMS gateway', read: text },
    authToken: { name: 'TWILIO_AUTH_TOKEN', meaning: 'its secret', read: text },
    from: {
      name: 'TWILIO_FROM',
      meaning: 'sending number, or id of a messaging service (MG...)',
      read: text,
    },
    walletLink: pageLink({
      name: 'WALLET_LINK',
      meaning: 'address of a page of the wallet, with {page} in it; required in live, https',
      page: '/carteira/{page}',
      neededInLive: 'messages lead customers to their wallet',
    }),
  },
  ({ sender, walletLink, ...twilio }, { require }) => {
    if (sender === 'inbox') return { sender, walletLink } as const;
    require(['accountSid', 'authToken', 'from'], 'SMS_SENDER=twilio needs it');
    return { sender, walletLink, twilio: twilio as TwilioSettings };
  },
);

export type MessagesSettings = SettingsOf<typeof messagesSettings>;

function sender(given: string, mode: Mode): 'inbox' | 'twilio' {
  return mode === 'live' ? choice('twilio')(given, mode) : choice('inbox', 'twilio')(given, mode);
}
