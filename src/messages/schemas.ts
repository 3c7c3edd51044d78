import { Type } from 'typebox';
import { Pagination } from '#platform/http/pagination.ts';
import { Form, Id, Timestamp } from '#platform/http/schemas.ts';
import { CHANNELS } from './channels/channel.ts';
import { STATUSES } from './store.ts';

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

export const WalletMessages = Type.Object(
  { data: Type.Array(WalletMessage), pagination: Pagination },
  { $id: 'WalletMessages' },
);
