import { type Static, type TSchema, Type } from 'typebox';
import {
  type AudienceScope,
  descriptionOf,
  EVENT_TYPES,
  type EventType,
  isOfPurchase,
  type StaffEventRow,
  scopesOf,
  toldExampleOf,
  toldSchemaOf,
} from '#events';
import { API_VERSION } from '#platform/http/default-headers.ts';
import type { Webhook } from '#platform/http/openapi.ts';
import { Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { shown } from '#platform/http/shown.ts';

/** An event as partners get it: at endpoints, in the feed, in streams. */
function eventSchema(type: EventType): TSchema {
  const example = {
    id: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
    type,
    occurred_at: '2026-11-15T12:00:00.000Z',
    api_version: API_VERSION,
    sequence: isOfPurchase(type) ? 4 : null,
    data: toldExampleOf(type),
  };
  return Type.Object(
    {
      id: Id('evt', { description: 'The same however often and wherever it is told.' }),
      type: Type.Literal(type),
      occurred_at: Timestamp(),
      api_version: Type.String({
        format: 'date',
        description: 'The version of the interface that `data` follows.',
      }),
      sequence: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Counts the events of a purchase from 1. Null where it is of none.',
      }),
      data: toldSchemaOf(type),
    },
    { $id: `${nameOf(type)}Event`, examples: [example] },
  );
}

/** 'checkout.paid': 'CheckoutPaid'. */
const nameOf = (type: EventType) =>
  type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

const SCHEMAS = EVENT_TYPES.map((type) => ({ type, schema: eventSchema(type) }));

export const PartnerEvent = Type.Unsafe<ReturnType<typeof renderEvent>>(
  Type.Union(
    SCHEMAS.map(({ schema }) => schema),
    { $id: 'PartnerEvent', description: 'Something that happened. `type` says what `data` is.' },
  ),
);

const toldTo = (scope: AudienceScope) =>
  SCHEMAS.filter(({ type }) => scopesOf(type).includes(scope)).map(({ schema }) => schema);

export const WalletEvent = Type.Union(toldTo('wallet'), {
  $id: 'WalletEvent',
  description: 'Something that happened to the customer. `type` says what `data` is.',
});

export const MerchantEvent = Type.Union(toldTo('merchant'), {
  $id: 'MerchantEvent',
  description: 'Something that happened to the merchant. `type` says what `data` is.',
});

export const StreamReset = Type.Object(
  {
    type: Type.Literal('reset'),
    reason: Type.Literal('last_event_id_unknown'),
  },
  {
    $id: 'StreamReset',
    description:
      'The event of `Last-Event-ID` is not known (any more): the stream begins now, and something may have been missed. Read ' +
      'again what is shown.',
  },
);

/** The requests to partners' endpoints. */
export const webhooks: Webhook[] = SCHEMAS.map(({ type, schema }) => ({
  name: type,
  id: `on${nameOf(type)}`,
  description:
    `${descriptionOf(type)} Told to partners with a key of the scope ` +
    `${scopesOf(type)
      .map((scope) => `\`${scope}\``)
      .join(' or ')}.`,
  schema,
}));

export function renderEvent(event: {
  id: string;
  type: string;
  occurred_at: Date;
  sequence: number | null;
  data: unknown;
}) {
  const { id, type, occurred_at, sequence, data } = event;
  return { id, type, occurred_at: occurred_at.toISOString(), api_version: API_VERSION, sequence, data };
}

/** For the operator: with the customer. */
export const StaffEvent = Type.Object(
  {
    id: Id('evt'),
    type: Type.String(),
    customer_id: TextOrNull(),
    checkout_hash: TextOrNull(),
    sequence: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    occurred_at: Timestamp(),
    data: Type.Unsafe<object>({ type: 'object', description: 'As partners are told.' }),
  },
  {
    $id: 'StaffEvent',
    examples: [
      {
        id: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
        type: 'checkout.paid',
        customer_id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
        checkout_hash: '3kTz9QmVb7LxWc2RfYp8Hd',
        sequence: 4,
        occurred_at: '2026-11-15T12:00:00.000Z',
        data: toldExampleOf('checkout.paid'),
      },
    ],
  },
);

export const renderStaffEvent = (event: StaffEventRow): Static<typeof StaffEvent> => shown(StaffEvent, event);
