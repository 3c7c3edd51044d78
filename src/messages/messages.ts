import type { Deps } from '#module';
import type { Queryable } from '#platform/database/db.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import { defineService } from '#platform/service.ts';
import { CHANNELS, type Channel, type Channels, type Creditor, type Send } from './channels/channel.ts';
import { createPushSender } from './channels/push.ts';
import { createSmtpSender } from './channels/smtp.ts';
import { createTwilioSmsSender, createTwilioWhatsappSender, type TwilioSettings } from './channels/twilio.ts';
import type { MessagesSettings } from './settings.ts';
import type { TemplateData, TemplateName } from './templates.ts';

type MessageMetrics = ReturnType<typeof createMessageMetrics>;

const createMessageMetrics = ({ createCounter }: Metrics) => ({
  messages: createCounter(
    'messages_total',
    'Attempts to send a message, by channel: sent, to be retried, or failed permanently.',
    'channel',
    'outcome',
  ),
  failures: createCounter(
    'message_failures_total',
    'Failures of providers, by channel and reason: failed attempts, and messages reported as undelivered.',
    'channel',
    'reason',
  ),
});

/** Returned by a preparation to postpone the message, which is then prepared again at that time. */
export class Postponement {
  readonly until: Date;

  constructor(until: Date) {
    this.until = until;
  }
}

/** Called right before a message is sent. Returns its current data, or null if the message must no longer be sent. */
export type PrepareMessage<N extends TemplateName> = (message: {
  id: string;
  customerId: string | null;
  data: TemplateData<N>;
  now: Date;
}) => Promise<TemplateData<N> | Postponement | null>;

/** The service by which other modules take part in sending messages. */
export type Messages = {
  /** Registers `prepare`, which is called before each attempt to send a message of the template. */
  onBeforeSend<N extends TemplateName>(template: N, prepare: PrepareMessage<N>): void;
  /** The creditor in whose name messages are sent. */
  setCreditor(creditor: Creditor): void;
};

export type Contact = {
  customerId: string;
  phone: string;
  email: string;
  isLocked: boolean;
  isErased: boolean;
};

export type Contacts = {
  find(db: Queryable, customerId: string): Promise<Contact | undefined>;
  findByPhone(db: Queryable, phone: string): Promise<Contact | undefined>;
  findCustomerId(db: Queryable, idOrPhone: string): Promise<string | undefined>;
  addCustomerNames<R extends { customer_id: string }>(
    db: Queryable,
    rows: readonly R[],
  ): Promise<Array<R & { customer_name: string | null }>>;
};

export const messagesService = defineService<Messages>('messages');
export const contactBook = defineService<Contacts>('contacts');

/** The inbox of the sandbox, which receives the messages of all channels. */
type Inbox = { connect(createSender: (channel: Channel) => Send): void };
export const inboxService = defineService<Inbox>('inbox');

export type MessagingDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'publicUrl' | 'resolveSearch'> & {
  metrics: MessageMetrics;
  /** Returns the channels that are configured. The sandbox connects its inbox after this module is opened. */
  getChannels: () => Channels;
  contacts: Contacts;
  getCreditor: () => Creditor;
  /** The account whose status callbacks are accepted; null if there is none. */
  twilio: Pick<TwilioSettings, 'authToken' | 'getCallbackUrl'> | null;
  /** The key that browsers subscribe with; null without Web Push. */
  vapidPublicKey: string | null;
  toWalletUrl: (page: string) => string;
  preparations: ReadonlyMap<TemplateName, PrepareMessage<TemplateName>>;
};

const DEFAULT_CREDITOR: Creditor = { name: 'Semana', cnpj: '', address: '', email: '' };

export function createMessagingDeps(deps: Deps<MessagesSettings>): MessagingDeps {
  const { settings, publicUrl } = deps;
  const preparations = new Map<TemplateName, PrepareMessage<TemplateName>>();
  let creditor = DEFAULT_CREDITOR;
  deps.provideService(messagesService, {
    onBeforeSend(template, prepare) {
      preparations.set(template, prepare as unknown as PrepareMessage<TemplateName>);
    },
    setCreditor: (newCreditor) => {
      creditor = newCreditor;
    },
  });
  const getCallbackUrl = () => `${publicUrl()}/messages/twilio/status`;
  const twilio = settings.sender === 'inbox' ? null : { ...settings.twilio, getCallbackUrl };
  let channels: Channels = twilio ? createChannels(settings, twilio) : {};
  if (settings.sender === 'inbox')
    deps.provideService(inboxService, {
      connect(createSender) {
        channels = Object.fromEntries(CHANNELS.map((channel) => [channel, createSender(channel)]));
      },
    });
  return {
    ...deps,
    metrics: createMessageMetrics(deps.metrics),
    getChannels: () => channels,
    contacts: deps.findService(contactBook)!,
    getCreditor: () => creditor,
    vapidPublicKey: settings.vapid?.publicKey ?? null,
    toWalletUrl: (page) => settings.walletLink.replace('{page}', page).replace(/\/$/, ''),
    preparations,
    twilio,
  };
}

function createChannels({ smtp, vapid }: MessagesSettings, twilio: TwilioSettings): Channels {
  return {
    sms: createTwilioSmsSender(twilio),
    ...(twilio.whatsappFrom !== null && { whatsapp: createTwilioWhatsappSender(twilio) }),
    ...(smtp && { email: createSmtpSender(smtp) }),
    ...(vapid && { push: createPushSender(vapid) }),
  };
}
