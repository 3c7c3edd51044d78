import { Type } from 'typebox';
import { EVENT_TYPES } from '#events';
import {
  Id,
  IntegerField,
  IntegerOrNull,
  NullableObject,
  Slug,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { DELIVERY_STATUSES } from '../publish-store.ts';

export const WEBHOOK_ID_PREFIX = 'whe';
export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

const InstantOrNull = (description: string, example: string | null = null) =>
  TextOrNull({ format: 'date-time', description, examples: [example] });

const EXAMPLE_URL = 'https://www.example.com.br/semana';
const EXAMPLE_TYPES = ['installment.paid', 'pix.paid'];

const webhookProperties = {
  id: Id(WEBHOOK_ID_PREFIX),
  partner: Type.String({ description: 'Id of the partner.', examples: ['ptn_01kfx3v9e2r4s6t8w0y2a4c6e8'] }),
  url: Type.String({ format: 'uri', examples: [EXAMPLE_URL] }),
  events: Type.Array(Type.String(), {
    description: 'The event types that are delivered; empty means all.',
    examples: [EXAMPLE_TYPES],
  }),
  merchant: TextOrNull({
    description: 'Slug of the merchant whose events are delivered; null means all events of the partner.',
  }),
  status: Type.Enum([...WEBHOOK_STATUSES]),
  disabled_reason: TextOrNull({
    description:
      '`operator`, `partner`, `gone` (the receiver responded with 410) or `failing` (only failures for five days).',
  }),
  disabled_at: InstantOrNull('When the endpoint was disabled.'),
  failing_since: InstantOrNull('Since when all deliveries fail.'),
  old_secret_until: InstantOrNull('Until when the previous secret signs too.'),
  created_at: Timestamp(),
};
export const WebhookEndpoint = Type.Object(webhookProperties, { $id: 'WebhookEndpoint' });

export const WebhookEndpointWithSecret = Type.Object(
  {
    ...webhookProperties,
    secret: TextField(
      'The secret that signs deliveries. It is not returned again.',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    ),
  },
  { $id: 'WebhookEndpointWithSecret' },
);

const Url = Text(2_000, { description: 'URL to call: https, or http in the sandbox.' });
const EventTypes = Type.Array(Type.Enum([...EVENT_TYPES]), {
  maxItems: 100,
  description: 'Event types to deliver; all if omitted or empty.',
});

export const WebhookOrder = StrictObject(
  {
    partner: Text(120, { description: 'Id or name of the partner.' }),
    url: Url,
    events: Type.Optional(EventTypes),
    merchant: Type.Optional(
      Slug({
        description: 'Deliver only events of this merchant; all events of the partner if omitted.',
      }),
    ),
  },
  {
    $id: 'WebhookOrder',
    examples: [{ partner: 'Demo partner', url: EXAMPLE_URL, events: EXAMPLE_TYPES }],
  },
);

/** A partner's own endpoint. */
export const OwnWebhookOrder = StrictObject(
  { url: Url, events: Type.Optional(EventTypes) },
  { $id: 'OwnWebhookOrder', examples: [{ url: EXAMPLE_URL, events: EXAMPLE_TYPES }] },
);

export const WebhookPatch = StrictObject(
  {
    url: Type.Optional(Url),
    events: Type.Optional(EventTypes),
    status: Type.Optional(
      Type.Enum([...WEBHOOK_STATUSES], {
        description:
          '`enabled` resets the failures and continues with the pending deliveries; `disabled` pauses them, and queues no events.',
      }),
    ),
  },
  { $id: 'WebhookPatch', minProperties: 1, examples: [{ events: ['pix.paid'] }] },
);

const WebhookAttempt = Type.Object({
  at: Timestamp(),
  status: IntegerOrNull({ description: 'HTTP status of the response.', examples: [204] }),
  error: TextOrNull({ description: 'Why there was no response.' }),
  duration_ms: Type.Integer({ description: 'Duration of the call.', examples: [38] }),
  answer: TextOrNull({ description: 'The first 2 KB of the response body.', examples: [''] }),
});

const deliveryProperties = {
  id: Id('evt', { description: 'Id of the delivery: that of its event.' }),
  event: TextField(
    'Id of the event, the value of the header `webhook-id`.',
    'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
  ),
  type: Type.String({ examples: ['pix.paid'] }),
  occurred_at: Timestamp(),
  status: Type.Enum([...DELIVERY_STATUSES], { examples: ['delivered'] }),
  tries: IntegerField('Number of attempts, of at most eight, since the event was last queued.', 1),
  next_try_at: InstantOrNull('Earliest time of the next attempt.'),
  settled_at: InstantOrNull('When the event was delivered or finally failed.', '2026-11-15T12:00:00.400Z'),
  attempts: Type.Array(WebhookAttempt, { description: 'The latest attempts, newest last.' }),
};
export const WebhookDelivery = Type.Object(deliveryProperties, { $id: 'WebhookDelivery' });

const Headers = (examples: Record<string, string>) =>
  Type.Record(Type.String(), Type.String(), { examples: [examples] });
const Body = (name: string, example: string) =>
  Type.String({ description: `The first 16 KiB of the ${name} body.`, examples: [example] });

export const WebhookDeliveryDetails = Type.Object(
  {
    ...deliveryProperties,
    request: NullableObject(
      {
        url: webhookProperties.url,
        headers: Headers({
          'content-type': 'application/json',
          'user-agent': 'Semana-Webhooks',
          'webhook-id': 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
          'webhook-timestamp': '1794744000',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        }),
        body: Body('request', '{"id":"evt_01kfx3v9e2r4s6t8w0y2a4c6e8","type":"pix.paid"}'),
      },
      { description: 'The latest request; null before the first attempt.' },
    ),
    response: NullableObject(
      {
        status: Type.Integer({ examples: [204] }),
        headers: Headers({ date: 'Sun, 15 Nov 2026 12:00:00 GMT' }),
        body: Body('response', ''),
      },
      { description: 'The response of the receiver; null if it did not respond.' },
    ),
  },
  { $id: 'WebhookDeliveryDetails' },
);

export const WEBHOOK_NOT_FOUND = {
  en: 'There is no webhook endpoint with this id.',
  pt: 'Nenhum endpoint de webhook tem este id.',
};
/** The path parameter and the 404 of API endpoints for one webhook endpoint. */
export const webhookRoute = {
  params: Type.Object({ id: Id(WEBHOOK_ID_PREFIX, { description: 'Id of the endpoint.' }) }),
  notFound: WEBHOOK_NOT_FOUND,
};

export const DELIVERY_NOT_FOUND = {
  en: 'The endpoint has no delivery with this id.',
  pt: 'O endpoint não tem nenhuma entrega com este id.',
};
export const deliveryRoute = {
  params: Type.Object({
    id: Id(WEBHOOK_ID_PREFIX, { description: 'Id of the endpoint.' }),
    delivery: Id('evt', { description: 'Id of the delivery: that of its event.' }),
  }),
  notFound: DELIVERY_NOT_FOUND,
};
