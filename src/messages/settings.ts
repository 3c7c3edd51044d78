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
      description: {
        en: 'who sends messages: inbox (sandbox only, receives the messages of all channels) or twilio; required in live',
        pt: 'quem envia as mensagens: inbox (só no sandbox: fica com as de todos os canais) ou twilio; obrigatório em produção',
      },
      default: { sandbox: 'inbox' },
      requiredInLive: 'live mode sends login codes by SMS: set it to twilio',
      parse: parseSender,
    },
    url: {
      name: 'TWILIO_URL',
      description: { en: 'URL of the SMS gateway', pt: 'endereço do gateway de SMS' },
      default: 'https://api.twilio.com',
      parse: webUrl,
    },
    accountSid: {
      name: 'TWILIO_ACCOUNT_SID',
      description: { en: 'account id at the SMS gateway', pt: 'conta no gateway de SMS' },
      parse: text,
    },
    authToken: {
      name: 'TWILIO_AUTH_TOKEN',
      description: {
        en: 'secret of the account at the SMS gateway',
        pt: 'segredo da conta no gateway de SMS',
      },
      secret: true,
      parse: text,
    },
    from: {
      name: 'TWILIO_FROM',
      description: {
        en: 'sender phone number, or id of a messaging service (MG...)',
        pt: 'número que envia os SMS, ou id de um serviço de mensagens (MG...)',
      },
      parse: text,
    },
    whatsappFrom: {
      name: 'TWILIO_WHATSAPP_FROM',
      description: {
        en: 'sender phone number for WhatsApp; without it WhatsApp is off',
        pt: 'número que envia pelo WhatsApp; sem ele, nada sai por WhatsApp',
      },
      parse: text,
    },
    contents: {
      name: 'TWILIO_CONTENTS',
      description: {
        en: 'content templates approved by WhatsApp, e.g. reminder=HX12,offer=HX34',
        pt: 'modelos de mensagem aprovados pelo WhatsApp, ex.: reminder=HX12,offer=HX34',
      },
      default: '',
      parse: parseContents,
    },
    smtpUrl: {
      name: 'SMTP_URL',
      description: {
        en: 'SMTP server, e.g. smtps://user:secret@mail.example:465; without it e-mail is off',
        pt: 'servidor de e-mail, ex.: smtps://user:secret@mail.example:465; sem ele, nada sai por e-mail',
      },
      parse: parseSmtpUrl,
    },
    smtpFrom: {
      name: 'SMTP_FROM',
      description: {
        en: 'sender of e-mails, e.g. Semana <avisos@semana.example>',
        pt: 'remetente dos e-mails, ex.: Semana <avisos@semana.example>',
      },
      parse: text,
    },
    vapidSubject: {
      name: 'VAPID_SUBJECT',
      description: {
        en: 'contact of the Web Push sender: a mailto: or https: URL; without it Web Push is off',
        pt: 'quem envia o Web Push: um endereço mailto: ou https:; sem ele, nada sai por Web Push',
      },
      parse: text,
    },
    vapidPublicKey: {
      name: 'VAPID_PUBLIC_KEY',
      description: { en: 'public key for Web Push, base64url', pt: 'chave pública do Web Push, base64url' },
      parse: text,
    },
    vapidPrivateKey: {
      name: 'VAPID_PRIVATE_KEY',
      secret: true,
      description: { en: 'private key for Web Push, base64url', pt: 'chave privada do Web Push, base64url' },
      parse: text,
    },
    walletLink: defineLinkSetting({
      name: 'WALLET_LINK',
      description: {
        en: 'URL of a page of the wallet, with the placeholder {page}; required in live, https',
        pt: 'endereço de uma página da carteira, com {page}; obrigatório em produção, https',
      },
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
