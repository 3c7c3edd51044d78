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
import { listPartnerNames } from '#partners';
import type { Queryable } from '#platform/database/db.ts';
import { API_VERSION } from '#platform/http/default-headers.ts';
import type { Webhook } from '#platform/http/openapi.ts';
import { Id, IntegerOrNull, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { shown } from '#platform/http/shown.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, listTold } from './publish-store.ts';

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
      sequence: IntegerOrNull({
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
    sequence: IntegerOrNull(),
    occurred_at: Timestamp(),
    data: Type.Unsafe<object>({ type: 'object', description: 'As partners are told.' }),
    told: Type.Array(
      Type.Object({
        partner_id: Type.String(),
        partner_name: TextOrNull(),
        webhook_id: TextOrNull({ description: 'null: the partner has it in its feed, and in no webhook.' }),
        url: TextOrNull(),
        status: Type.Unsafe<DeliveryStatus | null>({
          type: ['string', 'null'],
          enum: [...DELIVERY_STATUSES, null],
          description: 'Of the delivery to the webhook.',
        }),
        tries: IntegerOrNull(),
        settled_at: TextOrNull({ format: 'date-time', description: 'When it was delivered or given up.' }),
      }),
      { description: 'Which partners were told of it, and what became of the deliveries.' },
    ),
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
        told: [
          {
            partner_id: 'prt_01kfx3v9e2r4s6t8w0y2a4c6e8',
            partner_name: 'Loja on-line',
            webhook_id: 'whe_01kfx3v9e2r4s6t8w0y2a4c6e8',
            url: 'https://www.example.com.br/semana',
            status: 'delivered',
            tries: 1,
            settled_at: '2026-11-15T12:00:01.000Z',
          },
        ],
      },
    ],
  },
);

/** Adds to each event the partners that received it, with one statement for all. */
export async function renderStaffEvents(
  db: Queryable,
  events: readonly StaffEventRow[],
): Promise<Array<Static<typeof StaffEvent>>> {
  if (events.length === 0) return [];
  const rows = await listTold(
    db,
    events.map(({ id }) => id),
  );
  const names = await listPartnerNames(db, [...new Set(rows.map(({ partner_id }) => partner_id))]);
  const told = Map.groupBy(rows, ({ event_id }) => event_id);
  return events.map((event) => ({
    ...shown(StaffEvent, event),
    told: (told.get(event.id) ?? []).map(({ event_id: _, settled_at, ...row }) => ({
      ...row,
      partner_name: names.get(row.partner_id) ?? null,
      settled_at: settled_at?.toISOString() ?? null,
    })),
  }));
}
