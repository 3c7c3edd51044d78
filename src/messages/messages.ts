import type { Deps } from '#module';
import { service } from '#platform/service.ts';
import { CHANNELS, type Channel, type Channels, type Creditor, type Send } from './channels/channel.ts';
import { pushSender } from './channels/push.ts';
import { smtpSender } from './channels/smtp.ts';
import { type TwilioSettings, twilioSms, twilioWhatsapp } from './channels/twilio.ts';
import { type MessageMetrics, messageMetrics } from './metrics.ts';
import type { Contacts } from './outbox.ts';
import type { MessagesSettings } from './settings.ts';
import type { PartsOf, TemplateName } from './templates.ts';

/** Postpones a message: it is prepared again at that time. */
export class NotBefore {
  readonly at: Date;

  constructor(at: Date) {
    this.at = at;
  }
}

/** Right before a message is sent: its parts as they are now, or null when it is not to be sent any more. */
export type Prepare<N extends TemplateName> = (message: {
  id: string;
  customerId: string | null;
  parts: PartsOf<N>;
  now: Date;
}) => Promise<PartsOf<N> | NotBefore | null>;

/** How modules above this one take part in sending. */
export type Messages = {
  /** Called before each attempt to send a message of this template. */
  prepare<N extends TemplateName>(template: N, prepare: Prepare<N>): void;
  /** The creditor in whose name messages are sent. */
  signAs(creditor: Creditor): void;
};

export const messagesService = service<Messages>('messages');
/** Provided by customers. */
export const contacts = service<Contacts>('contacts');
/** The sandbox's inbox takes the messages of all channels. */
export const inbox = service<{ connect(take: (channel: Channel) => Send): void }>('inbox');

/** The dependencies of this module's jobs and endpoints. */
export type Outbound = Pick<Deps, 'db' | 'clock' | 'log' | 'publicUrl' | 'resolveSearch'> & {
  metrics: MessageMetrics;
  channels: () => Channels;
  contacts: Contacts;
  creditor: () => Creditor;
  /** The account whose status callbacks are accepted; null: none. */
  twilio: Pick<TwilioSettings, 'authToken' | 'callbackUrl'> | null;
  /** For browsers to subscribe with; null: no Web Push. */
  vapidPublicKey: string | null;
  walletPage: (page: string) => string;
  preparations: ReadonlyMap<TemplateName, Prepare<TemplateName>>;
};

const NOBODY: Creditor = { name: 'Semana', cnpj: '', address: '', email: '' };

export function openMessages(deps: Deps<MessagesSettings>): Outbound {
  const { settings, publicUrl } = deps;
  const preparations = new Map<TemplateName, Prepare<TemplateName>>();
  let creditor = NOBODY;
  deps.provide(messagesService, {
    prepare: (template, prepare) =>
      void preparations.set(template, prepare as unknown as Prepare<TemplateName>),
    signAs: (one) => {
      creditor = one;
    },
  });
  const callbackUrl = () => `${publicUrl()}/messages/twilio/status`;
  const twilio = settings.sender === 'inbox' ? null : { ...settings.twilio, callbackUrl };
  let channels: Channels = twilio ? configuredChannels(settings, twilio) : {};
  if (settings.sender === 'inbox')
    deps.provide(inbox, {
      connect(take) {
        channels = Object.fromEntries(CHANNELS.map((channel) => [channel, take(channel)]));
      },
    });
  return {
    ...deps,
    metrics: messageMetrics(deps.metrics),
    channels: () => channels,
    contacts: deps.find(contacts)!,
    creditor: () => creditor,
    vapidPublicKey: settings.vapid?.publicKey ?? null,
    walletPage: (page) => settings.walletLink.replace('{page}', page).replace(/\/$/, ''),
    preparations,
    twilio,
  };
}

export function configuredChannels({ smtp, vapid }: MessagesSettings, twilio: TwilioSettings): Channels {
  return {
    sms: twilioSms(twilio),
    ...(twilio.whatsappFrom !== null && { whatsapp: twilioWhatsapp(twilio) }),
    ...(smtp && { email: smtpSender(smtp) }),
    ...(vapid && { push: pushSender(vapid) }),
  };
}
