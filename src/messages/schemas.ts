import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import { customerName, PersonalOrNull } from '#platform/http/personal.ts';
import { Form, Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { CHANNELS } from './channels/channel.ts';
import { STATUSES } from './store.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';

const channels = Type.Array(Type.Enum([...CHANNELS]), {
  minItems: 1,
  maxItems: CHANNELS.length,
  uniqueItems: true,
  description: 'In this order, until one takes the message. Legal notices go by the others besides.',
});
const remindersBeforeDue = Type.Boolean({
  description: 'Whether to be reminded before the due day. Of what is due and late everybody is reminded.',
});
const news = Type.Boolean({ description: 'Whether to be told of offers of ours.' });

const PREFERENCES = {
  channels: ['whatsapp', 'sms', 'email', 'push'],
  reminders_before_due: true,
  news: false,
};

export const Preferences = Type.Object(
  { channels, reminders_before_due: remindersBeforeDue, news },
  { $id: 'Preferences', examples: [PREFERENCES] },
);

export const PreferencesForm = Form(
  {
    channels: Type.Optional(channels),
    reminders_before_due: Type.Optional(remindersBeforeDue),
    news: Type.Optional(news),
  },
  { description: 'What is left out stays as it is.', examples: [PREFERENCES] },
);

export const WalletMessage = Type.Object(
  {
    id: Id('msg'),
    template: Type.String({ description: 'Which message: `offer`, `reminder`, `payment_received`, ...' }),
    step: Type.Union([Type.Integer(), Type.Null()], { description: 'Of a reminder: days from the due day.' }),
    channel: Type.Union([Type.Enum([...CHANNELS]), Type.Null()]),
    text: Type.String(),
    status: Type.Enum([...STATUSES]),
    sent_at: Timestamp(),
  },
  {
    $id: 'WalletMessage',
    examples: [
      {
        id: 'msg_01kfx3v9e2r4s6t8w0y2a4c6e8',
        template: 'payment_received',
        step: null,
        channel: 'whatsapp',
        text: 'Semana: recebemos R$ 51,10 em 22/11.',
        status: 'delivered',
        sent_at: '2026-11-22T13:00:00.000Z',
      },
    ],
  },
);

export const WalletMessages = PageOf(WalletMessage, 'WalletMessages');

export const templateNames = (description = 'Which message.') =>
  Type.Enum(Object.keys(TEMPLATES) as TemplateName[], { description });

const InstantOrNull = (description: string) => TextOrNull({ format: 'date-time', description });

export const StaffMessage = Type.Object(
  {
    id: Id('msg'),
    customer_id: Id('cus'),
    ...customerName,
    template: Type.String({ examples: ['reminder'] }),
    title: Type.String({
      description: 'What it is called, in Portuguese.',
      examples: ['lembrete de parcela'],
    }),
    step: Type.Union([Type.Integer(), Type.Null()], { description: 'Of a reminder: days from the due day.' }),
    status: Type.Enum([...STATUSES]),
    channel: Type.Union([Type.Enum([...CHANNELS]), Type.Null()], { description: 'Of the last attempt.' }),
    provider_id: TextOrNull({ description: 'What the provider calls it.' }),
    reason: TextOrNull({ description: 'Why the last attempt failed: `timeout`, `twilio_21211`, ...' }),
    attempts: Type.Integer(),
    text: PersonalOrNull('text', {
      description: 'As it was sent; masked below `support`. null: it was not sent, or is a code.',
    }),
    created_at: Timestamp(),
    sent_at: InstantOrNull('When a provider took it.'),
    updated_at: Timestamp({ description: 'When its status changed last.' }),
  },
  { $id: 'StaffMessage' },
);

const Shown = (channel: string) => TextOrNull({ description: `By ${channel}; null: it never goes by it.` });

export const MessageTemplate = Type.Object(
  {
    name: Type.String({ examples: ['reminder'] }),
    title: Type.String({ examples: ['lembrete de parcela'] }),
    to: Type.Enum(['customer', 'phone', 'owner'], {
      description: 'customer: by their channels. phone: whoever has it. owner: the owners of a merchant.',
    }),
    legal: Type.Boolean({
      description: 'It cannot be switched off, and goes by every channel until one takes it.',
    }),
    life_hours: Type.Number({ description: 'For how long it is tried.' }),
    subject: Type.String({
      description: 'Of an e-mail, and title of a notification.',
      examples: ['Parcela em atraso'],
    }),
    whatsapp: Shown('WhatsApp'),
    sms: Shown('SMS'),
    email: Shown('e-mail'),
    push: Shown('Web Push'),
    link: TextOrNull({ description: 'Where it leads.' }),
    code: TextOrNull({ description: 'A login code or PIX code that goes with it.' }),
  },
  { $id: 'MessageTemplate' },
);
