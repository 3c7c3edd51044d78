import { Type } from 'typebox';
import { EVENT_TYPES } from '#events';
import { Form, Id, IntegerOrNull, Slug, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { DELIVERY_STATUSES } from '../publish-store.ts';

export const ENDPOINT_PREFIX = 'whe';
export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;

const instantOrNull = (description: string) => TextOrNull({ format: 'date-time', description });

const endpoint = {
  id: Id(ENDPOINT_PREFIX),
  partner: Type.String({ description: 'Id of the partner.' }),
  url: Type.String({ format: 'uri' }),
  events: Type.Array(Type.String(), { description: 'The types it is called for; none means all.' }),
  merchant: TextOrNull({
    description: 'Slug of the merchant of whose sales it is told, and of nothing else. Null: everything.',
  }),
  status: Type.Enum([...ENDPOINT_STATUSES]),
  disabled_reason: TextOrNull({
    description: '`operator`, `gone` (it answered 410) or `failing` (nothing but failures for five days).',
  }),
  disabled_at: instantOrNull('Since when it is disabled.'),
  failing_since: instantOrNull('Since when nothing could be delivered.'),
  old_secret_until: instantOrNull('Until when the secret before this one signs as well.'),
  created_at: Timestamp(),
};
const example = {
  id: 'whe_01kfx3v9e2r4s6t8w0y2a4c6e8',
  partner: 'prt_01kfx3v9e2r4s6t8w0y2a4c6e8',
  url: 'https://www.example.com.br/semana',
  events: ['installment.paid', 'pix.paid'],
  merchant: null,
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  old_secret_until: null,
  created_at: '2026-11-15T12:00:00.000Z',
};

export const WebhookEndpoint = Type.Object(endpoint, { $id: 'WebhookEndpoint', examples: [example] });

export const WebhookEndpointWithSecret = Type.Object(
  {
    ...endpoint,
    secret: Type.String({ description: 'What deliveries are signed with. It is not shown again.' }),
  },
  {
    $id: 'WebhookEndpointWithSecret',
    examples: [{ ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
  },
);

export const WebhookOrder = Form(
  {
    partner: Text(120, { description: 'Id or name of the partner.' }),
    url: Text(2_000, { description: 'Where it wants to be called: https, in the sandbox http as well.' }),
    events: Type.Optional(
      Type.Array(Type.Enum([...EVENT_TYPES]), {
        maxItems: 100,
        description: 'Only these types; without it, or empty, all.',
      }),
    ),
    merchant: Type.Optional(
      Slug({
        description: 'Only of the sales of this merchant. Without it, of everything the partner is told.',
      }),
    ),
  },
  {
    $id: 'WebhookOrder',
    examples: [{ partner: 'Demo partner', url: example.url, events: example.events }],
  },
);

const WebhookAttempt = Type.Object({
  at: Timestamp(),
  status: IntegerOrNull({ description: 'What the receiver answered.' }),
  error: TextOrNull({ description: 'Why nothing was answered.' }),
  duration_ms: Type.Integer({ description: 'How long it took.' }),
  answer: TextOrNull({ description: 'The first 2 KB of the answer.' }),
});

export const WebhookDelivery = Type.Object(
  {
    event: Type.String({ description: 'Id of the event: the header `webhook-id`.' }),
    type: Type.String(),
    occurred_at: Timestamp(),
    status: Type.Enum([...DELIVERY_STATUSES]),
    tries: Type.Integer({ description: 'Of eight, since it was asked for the last time.' }),
    next_try_at: instantOrNull('No sooner than this it is tried again.'),
    settled_at: instantOrNull('When it was delivered or given up.'),
    attempts: Type.Array(WebhookAttempt, { description: 'The last ones, newest last.' }),
  },
  {
    $id: 'WebhookDelivery',
    examples: [
      {
        event: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
        type: 'pix.paid',
        occurred_at: '2026-11-15T12:00:00.000Z',
        status: 'delivered',
        tries: 1,
        next_try_at: null,
        settled_at: '2026-11-15T12:00:00.400Z',
        attempts: [{ at: '2026-11-15T12:00:00.100Z', status: 204, error: null, duration_ms: 38, answer: '' }],
      },
    ],
  },
);

export const NO_ENDPOINT = {
  en: 'There is no webhook endpoint with this id.',
  pt: 'Nenhum endpoint de webhook tem este id.',
};
/** Of the endpoints of one webhook endpoint. */
export const ofEndpoint = {
  params: Type.Object({ id: Id(ENDPOINT_PREFIX, { description: 'The endpoint.' }) }),
  notFound: NO_ENDPOINT,
};
