import { Type } from 'typebox';
import { getTitleInSentence } from '#core/values/message-titles.ts';
import { customerNameField, PersonalOrNull } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import { project } from '#platform/http/project.ts';
import { BooleanField, Id, StrictObject, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import type { Vault } from '#platform/vault.ts';
import { CHANNELS } from './channels/channel.ts';
import type { StaffMessageRow } from './staff-store.ts';
import { decryptMessage, MESSAGE_STATUSES } from './store.ts';

const channels = Type.Array(Type.Enum([...CHANNELS]), {
  minItems: 1,
  maxItems: CHANNELS.length,
  uniqueItems: true,
  description:
    'Channels in the order in which they are tried until one accepts the message. Legal notices use the other channels too.',
  examples: [[...CHANNELS]],
});
const remindersBeforeDue = Type.Boolean({
  description:
    'Whether to send reminders before the due day. Reminders on and after the due day are always sent.',
  examples: [true],
});
const news = Type.Boolean({ description: 'Whether to send marketing messages.' });

export const Preferences = Type.Object(
  { channels, reminders_before_due: remindersBeforeDue, news },
  { $id: 'Preferences' },
);

export const PreferencesForm = StrictObject(
  {
    channels: Type.Optional(channels),
    reminders_before_due: Type.Optional(remindersBeforeDue),
    news: Type.Optional(news),
  },
  { description: 'Omitted fields stay unchanged.' },
);

const step = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Days from the due day to a reminder, negative before the due day. Null for other messages.',
  examples: [null],
});

const WalletMessage = Type.Object(
  {
    id: Id('msg'),
    template: TextField(
      'Name of the template: `offer`, `reminder`, `payment_received`, ...',
      'payment_received',
    ),
    step,
    channel: Type.Union([Type.Enum([...CHANNELS]), Type.Null()]),
    text: Type.String({ examples: ['Semana: recebemos R$ 51,10 em 22/11.'] }),
    status: Type.Enum([...MESSAGE_STATUSES]),
    sent_at: Timestamp(),
  },
  { $id: 'WalletMessage' },
);

export const WalletMessages = PageOf(WalletMessage, 'WalletMessages');

const InstantOrNull = (description: string) => TextOrNull({ format: 'date-time', description });

export const StaffMessage = Type.Object(
  {
    id: Id('msg'),
    customer_id: Id('cus'),
    ...customerNameField,
    template: Type.String({ examples: ['reminder'] }),
    title: TextField('Name of the message in Portuguese.', 'lembrete de parcela'),
    step,
    status: Type.Enum([...MESSAGE_STATUSES]),
    channel: Type.Union([Type.Enum([...CHANNELS]), Type.Null()], {
      description: 'Channel of the last attempt.',
    }),
    provider_id: TextOrNull({ description: 'The provider’s id of the message.' }),
    reason: TextOrNull({ description: 'Why the last attempt failed: `timeout`, `twilio_21211`, ...' }),
    attempts: Type.Integer(),
    text: PersonalOrNull('text', {
      description: 'The sent text, masked for the roles `viewer` and `content`. null if it was not sent.',
    }),
    created_at: Timestamp(),
    sent_at: InstantOrNull('When a provider accepted the message.'),
    updated_at: Timestamp({ description: 'When the status last changed.' }),
  },
  { $id: 'StaffMessage' },
);

export const renderStaffMessage = (vault: Vault, { text, ...row }: StaffMessageRow) => ({
  ...project(StaffMessage, row),
  title: getTitleInSentence(row.template),
  text: text && decryptMessage(vault, row.id, text),
});

const ExampleText = (channel: string) =>
  TextOrNull({ description: `Example text for ${channel}; null if the message does not use it.` });

export const MessageTemplate = Type.Object(
  {
    name: Type.String({ examples: ['reminder'] }),
    title: Type.String({ examples: ['lembrete de parcela'] }),
    to: Type.Enum(['customer', 'phone', 'owner'], {
      description:
        '`customer`: by the channels of the customer. `phone`: to any phone. `owner`: to the phones of the owners of a merchant.',
    }),
    legal: BooleanField(
      'Whether it is a legal notice: it cannot be switched off, and every channel is tried until one accepts it.',
    ),
    life_hours: Type.Number({ description: 'How many hours sending is attempted.' }),
    subject: TextField('Subject of an e-mail and title of a push notification.', 'Parcela em atraso'),
    whatsapp: ExampleText('WhatsApp'),
    sms: ExampleText('SMS'),
    email: ExampleText('e-mail'),
    push: ExampleText('Web Push'),
    link: TextOrNull({ description: 'Link in the example.' }),
    code: TextOrNull({ description: 'Login code or PIX code in the example.' }),
  },
  { $id: 'MessageTemplate' },
);
