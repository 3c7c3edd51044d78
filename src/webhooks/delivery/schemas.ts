import { Type } from 'typebox';
import { EVENT_TYPES } from '#events';
import {
  Id,
  IntegerOrNull,
  NullableObject,
  Slug,
  StrictObject,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { DELIVERY_STATUSES } from '../publish-store.ts';

export const ENDPOINT_PREFIX = 'whe';
export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;

const instantOrNull = (description: string) => TextOrNull({ format: 'date-time', description });

const endpoint = {
  id: Id(ENDPOINT_PREFIX),
  partner: Type.String({ description: 'Id of the partner.' }),
  url: Type.String({ format: 'uri' }),
  events: Type.Array(Type.String(), { description: 'The event types that are delivered; empty means all.' }),
  merchant: TextOrNull({
    description: 'Slug of the merchant whose events are delivered; null means all events of the partner.',
  }),
  status: Type.Enum([...ENDPOINT_STATUSES]),
  disabled_reason: TextOrNull({
    description:
      '`operator`, `partner`, `gone` (the receiver responded with 410) or `failing` (only failures for five days).',
  }),
  disabled_at: instantOrNull('When the endpoint was disabled.'),
  failing_since: instantOrNull('Since when all deliveries fail.'),
  old_secret_until: instantOrNull('Until when the previous secret signs too.'),
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
    secret: Type.String({ description: 'The secret that signs deliveries. It is not returned again.' }),
  },
  {
    $id: 'WebhookEndpointWithSecret',
    examples: [{ ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
  },
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
    examples: [{ partner: 'Demo partner', url: example.url, events: example.events }],
  },
);

/** A partner's own endpoint. */
export const OwnWebhookOrder = StrictObject(
  { url: Url, events: Type.Optional(EventTypes) },
  { $id: 'OwnWebhookOrder', examples: [{ url: example.url, events: example.events }] },
);

export const WebhookPatch = StrictObject(
  {
    url: Type.Optional(Url),
    events: Type.Optional(EventTypes),
    status: Type.Optional(
      Type.Enum([...ENDPOINT_STATUSES], {
        description:
          '`enabled` resets the failures and continues with the pending deliveries; `disabled` pauses them, and queues no events.',
      }),
    ),
  },
  { $id: 'WebhookPatch', minProperties: 1, examples: [{ events: ['pix.paid'] }] },
);

const WebhookAttempt = Type.Object({
  at: Timestamp(),
  status: IntegerOrNull({ description: 'HTTP status of the response.' }),
  error: TextOrNull({ description: 'Why there was no response.' }),
  duration_ms: Type.Integer({ description: 'Duration of the call.' }),
  answer: TextOrNull({ description: 'The first 2 KB of the response body.' }),
});

const delivery = {
  id: Id('evt', { description: 'Id of the delivery: that of its event.' }),
  event: Type.String({ description: 'Id of the event, the value of the header `webhook-id`.' }),
  type: Type.String(),
  occurred_at: Timestamp(),
  status: Type.Enum([...DELIVERY_STATUSES]),
  tries: Type.Integer({
    description: 'Number of attempts, of at most eight, since the event was last queued.',
  }),
  next_try_at: instantOrNull('Earliest time of the next attempt.'),
  settled_at: instantOrNull('When the event was delivered or finally failed.'),
  attempts: Type.Array(WebhookAttempt, { description: 'The latest attempts, newest last.' }),
};
const deliveryExample = {
  id: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
  event: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
  type: 'pix.paid',
  occurred_at: '2026-11-15T12:00:00.000Z',
  status: 'delivered',
  tries: 1,
  next_try_at: null,
  settled_at: '2026-11-15T12:00:00.400Z',
  attempts: [{ at: '2026-11-15T12:00:00.100Z', status: 204, error: null, duration_ms: 38, answer: '' }],
};

export const WebhookDelivery = Type.Object(delivery, { $id: 'WebhookDelivery', examples: [deliveryExample] });

const Headers = Type.Record(Type.String(), Type.String());
const Body = (what: string) => Type.String({ description: `The first 16 KiB of ${what}.` });

export const WebhookDeliveryDetails = Type.Object(
  {
    ...delivery,
    request: NullableObject(
      { url: Type.String({ format: 'uri' }), headers: Headers, body: Body('the request body') },
      { description: 'The latest request; null before the first attempt.' },
    ),
    response: NullableObject(
      { status: Type.Integer(), headers: Headers, body: Body('the response body') },
      { description: 'What the receiver responded to it; null if it did not respond.' },
    ),
  },
  {
    $id: 'WebhookDeliveryDetails',
    examples: [
      {
        ...deliveryExample,
        request: {
          url: example.url,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Semana-Webhooks',
            'webhook-id': deliveryExample.event,
            'webhook-timestamp': '1794744000',
            'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          },
          body: '{"id":"evt_01kfx3v9e2r4s6t8w0y2a4c6e8","type":"pix.paid"}',
        },
        response: { status: 204, headers: { date: 'Sun, 15 Nov 2026 12:00:00 GMT' }, body: '' },
      },
    ],
  },
);

export const NO_ENDPOINT = {
  en: 'There is no webhook endpoint with this id.',
  pt: 'Nenhum endpoint de webhook tem este id.',
};
/** The path parameter and the 404 of API endpoints for one webhook endpoint. */
export const endpointRoute = {
  params: Type.Object({ id: Id(ENDPOINT_PREFIX, { description: 'Id of the endpoint.' }) }),
  notFound: NO_ENDPOINT,
};

export const NO_DELIVERY = {
  en: 'The endpoint has no delivery with this id.',
  pt: 'O endpoint não tem nenhuma entrega com este id.',
};
export const deliveryRoute = {
  params: Type.Object({
    id: Id(ENDPOINT_PREFIX, { description: 'Id of the endpoint.' }),
    delivery: Id('evt', { description: 'Id of the delivery: that of its event.' }),
  }),
  notFound: NO_DELIVERY,
};
