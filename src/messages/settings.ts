import { defineLinkSetting } from '#platform/config.ts';
import {
  choice,
  defineSettings,
  InvalidValue,
  type Mode,
  type SettingsOf,
  text,
  webUrl,
} from '#platform/settings.ts';
import type { TwilioSettings } from './channels/twilio.ts';
import { TEMPLATES } from './templates.ts';

export const messagesSettings = defineSettings(
  {
    sender: {
      name: 'SMS_SENDER',
      description:
        'who sends messages: inbox (sandbox only, receives the messages of all channels) or twilio; required in live',
      default: { sandbox: 'inbox' },
      requiredInLive: 'live mode sends login codes by SMS: set it to twilio',
      parse: parseSender,
    },
    url: {
      name: 'TWILIO_URL',
      description: 'URL of the SMS gateway',
      default: 'https://api.twilio.com',
      parse: webUrl,
    },
    accountSid: {
      name: 'TWILIO_ACCOUNT_SID',
      description: 'account id at the SMS gateway',
      parse: text,
    },
    authToken: {
      name: 'TWILIO_AUTH_TOKEN',
      description: 'secret of the account at the SMS gateway',
      secret: true,
      parse: text,
    },
    from: {
      name: 'TWILIO_FROM',
      description: 'sender phone number, or id of a messaging service (MG...)',
      parse: text,
    },
    whatsappFrom: {
      name: 'TWILIO_WHATSAPP_FROM',
      description: 'sender phone number for WhatsApp; without it WhatsApp is off',
      parse: text,
    },
    contents: {
      name: 'TWILIO_CONTENTS',
      description: 'content templates approved by WhatsApp, e.g. reminder=HX12,offer=HX34',
      default: '',
      parse: parseContents,
    },
    smtpUrl: {
      name: 'SMTP_URL',
      description: 'SMTP server, e.g. smtps://user:secret@mail.example:465; without it e-mail is off',
      parse: parseSmtpUrl,
    },
    smtpFrom: {
      name: 'SMTP_FROM',
      description: 'sender of e-mails, e.g. Semana <avisos@semana.example>',
      parse: text,
    },
    vapidSubject: {
      name: 'VAPID_SUBJECT',
      description: 'contact of the Web Push sender: a mailto: or https: URL; without it Web Push is off',
      parse: text,
    },
    vapidPublicKey: {
      name: 'VAPID_PUBLIC_KEY',
      description: 'public key for Web Push, base64url',
      parse: text,
    },
    vapidPrivateKey: {
      name: 'VAPID_PRIVATE_KEY',
      secret: true,
      description: 'private key for Web Push, base64url',
      parse: text,
    },
    walletLink: defineLinkSetting({
      name: 'WALLET_LINK',
      description: 'URL of a page of the wallet, with the placeholder {page}; required in live, https',
      page: '/carteira/{page}',
      requiredInLive: 'messages lead customers to their wallet',
    }),
  },
  (values, { requireSet }) => {
    const { sender, walletLink, smtpUrl, smtpFrom, vapidSubject, vapidPublicKey, vapidPrivateKey } = values;
    if (sender === 'twilio') requireSet(['accountSid', 'authToken', 'from'], 'SMS_SENDER=twilio requires it');
    if (smtpUrl !== null) requireSet(['smtpFrom'], 'SMTP_URL requires it');
    if (vapidSubject !== null) requireSet(['vapidPublicKey', 'vapidPrivateKey'], 'VAPID_SUBJECT requires it');
    const { url, accountSid, authToken, from, whatsappFrom, contents } = values;
    return {
      sender,
      walletLink,
      twilio: { url, accountSid, authToken, from, whatsappFrom, contents } as Omit<
        TwilioSettings,
        'getCallbackUrl'
      >,
      smtp: smtpUrl === null ? null : { url: smtpUrl, from: smtpFrom! },
      vapid:
        vapidSubject === null
          ? null
          : { subject: vapidSubject, publicKey: vapidPublicKey!, privateKey: vapidPrivateKey! },
    };
  },
);

export type MessagesSettings = SettingsOf<typeof messagesSettings>;

function parseSender(value: string, mode: Mode): 'inbox' | 'twilio' {
  return mode === 'live' ? choice('twilio')(value, mode) : choice('inbox', 'twilio')(value, mode);
}

function parseSmtpUrl(value: string): string {
  if (/^smtps?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  throw new InvalidValue('must be a URL like smtps://user:secret@mail.example:465.');
}

function parseContents(value: string): Record<string, string> {
  const pairs = value === '' ? [] : value.split(',').map((pair) => pair.trim().split('='));
  const isValid = ([name = '', id = '']: string[]) => Object.hasOwn(TEMPLATES, name) && /^HX\w+$/.test(id);
  if (pairs.every(isValid)) return Object.fromEntries(pairs) as Record<string, string>;
  throw new InvalidValue(`is '${value}'; write template names with ids: reminder=HX12,offer=HX34.`);
}
