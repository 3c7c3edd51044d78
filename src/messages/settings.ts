import { pageLink } from '#platform/config.ts';
import {
  choice,
  defineSettings,
  type Mode,
  type SettingsOf,
  text,
  WrongValue,
  webUrl,
} from '#platform/settings.ts';
import type { TwilioSettings } from './channels/twilio.ts';
import { TEMPLATES } from './templates.ts';

export const messagesSettings = defineSettings(
  {
    sender: {
      name: 'SMS_SENDER',
      meaning: {
        en: 'inbox (sandbox only: takes the messages of all channels) or twilio; required in live',
        pt: 'quem envia as mensagens: inbox (só no sandbox: fica com as de todos os canais) ou twilio; obrigatório em produção',
      },
      default: { sandbox: 'inbox' },
      neededInLive: 'live mode sends login codes by SMS: set it to twilio',
      read: sender,
    },
    url: {
      name: 'TWILIO_URL',
      meaning: { en: 'address of the SMS gateway', pt: 'endereço do gateway de SMS' },
      default: 'https://api.twilio.com',
      read: webUrl,
    },
    accountSid: {
      name: 'TWILIO_ACCOUNT_SID',
      meaning: { en: 'account at the SMS gateway', pt: 'conta no gateway de SMS' },
      read: text,
    },
    authToken: {
      name: 'TWILIO_AUTH_TOKEN',
      meaning: { en: 'its secret', pt: 'segredo da conta no gateway de SMS' },
      secret: true,
      read: text,
    },
    from: {
      name: 'TWILIO_FROM',
      meaning: {
        en: 'sending number, or id of a messaging service (MG...)',
        pt: 'número que envia os SMS, ou id de um serviço de mensagens (MG...)',
      },
      read: text,
    },
    whatsappFrom: {
      name: 'TWILIO_WHATSAPP_FROM',
      meaning: {
        en: 'sending number for WhatsApp; without it nothing goes by WhatsApp',
        pt: 'número que envia pelo WhatsApp; sem ele, nada sai por WhatsApp',
      },
      read: text,
    },
    contents: {
      name: 'TWILIO_CONTENTS',
      meaning: {
        en: 'content templates that WhatsApp has approved, e.g. reminder=HX12,offer=HX34',
        pt: 'modelos de mensagem aprovados pelo WhatsApp, ex.: reminder=HX12,offer=HX34',
      },
      default: '',
      read: contents,
    },
    smtpUrl: {
      name: 'SMTP_URL',
      meaning: {
        en: 'server for e-mail, e.g. smtps://user:secret@mail.example:465; without it nothing goes by e-mail',
        pt: 'servidor de e-mail, ex.: smtps://user:secret@mail.example:465; sem ele, nada sai por e-mail',
      },
      read: smtpUrl,
    },
    smtpFrom: {
      name: 'SMTP_FROM',
      meaning: {
        en: 'sender of e-mail, e.g. Semana <avisos@semana.example>',
        pt: 'remetente dos e-mails, ex.: Semana <avisos@semana.example>',
      },
      read: text,
    },
    vapidSubject: {
      name: 'VAPID_SUBJECT',
      meaning: {
        en: 'who sends Web Push: a mailto: or https: address; without it nothing goes by Web Push',
        pt: 'quem envia o Web Push: um endereço mailto: ou https:; sem ele, nada sai por Web Push',
      },
      read: text,
    },
    vapidPublicKey: {
      name: 'VAPID_PUBLIC_KEY',
      meaning: { en: 'public key for Web Push, base64url', pt: 'chave pública do Web Push, base64url' },
      read: text,
    },
    vapidPrivateKey: {
      name: 'VAPID_PRIVATE_KEY',
      secret: true,
      meaning: { en: 'private key for Web Push, base64url', pt: 'chave privada do Web Push, base64url' },
      read: text,
    },
    walletLink: pageLink({
      name: 'WALLET_LINK',
      meaning: {
        en: 'address of a page of the wallet, with {page} in it; required in live, https',
        pt: 'endereço de uma página da carteira, com {page}; obrigatório em produção, https',
      },
      page: '/carteira/{page}',
      neededInLive: 'messages lead customers to their wallet',
    }),
  },
  (given, { require }) => {
    const { sender, walletLink, smtpUrl, smtpFrom, vapidSubject, vapidPublicKey, vapidPrivateKey } = given;
    if (sender === 'twilio') require(['accountSid', 'authToken', 'from'], 'SMS_SENDER=twilio needs it');
    if (smtpUrl !== null) require(['smtpFrom'], 'SMTP_URL needs it');
    if (vapidSubject !== null) require(['vapidPublicKey', 'vapidPrivateKey'], 'VAPID_SUBJECT needs it');
    const { url, accountSid, authToken, from, whatsappFrom, contents } = given;
    return {
      sender,
      walletLink,
      twilio: { url, accountSid, authToken, from, whatsappFrom, contents } as Omit<
        TwilioSettings,
        'callbackUrl'
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

function sender(given: string, mode: Mode): 'inbox' | 'twilio' {
  return mode === 'live' ? choice('twilio')(given, mode) : choice('inbox', 'twilio')(given, mode);
}

function smtpUrl(given: string): string {
  if (/^smtps?:$/.test(URL.parse(given)?.protocol ?? '')) return given;
  throw new WrongValue('must be an address like smtps://user:secret@mail.example:465.');
}

function contents(given: string): Record<string, string> {
  const pairs = given === '' ? [] : given.split(',').map((pair) => pair.trim().split('='));
  const isRight = ([name = '', id = '']: string[]) => Object.hasOwn(TEMPLATES, name) && /^HX\w+$/.test(id);
  if (pairs.every(isRight)) return Object.fromEntries(pairs) as Record<string, string>;
  throw new WrongValue(`is '${given}'; write names of messages with ids: reminder=HX12,offer=HX34.`);
}
