import { type Static, type TSchema, Type } from 'typebox';
import {
  buildPartnerExample,
  buildPartnerSchema,
  EVENT_TYPES,
  type EventType,
  getDescription,
  getScopes,
  isPurchaseEvent,
  type RecipientScope,
  type StaffEventRow,
} from '#events';
import { listPartnerNames } from '#partners';
import type { Queryable } from '#platform/database/db.ts';
import { API_VERSION } from '#platform/http/default-headers.ts';
import type { WebhookSpec } from '#platform/http/openapi.ts';
import { project } from '#platform/http/project.ts';
import { Id, IntegerOrNull, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, listEventRecipients } from './publish-store.ts';

/** Builds the schema of an event as partners receive it: by webhooks, in the feed and in streams. */
function buildEventSchema(type: EventType): TSchema {
  return Type.Object(
    {
      id: Id('evt', { description: 'Stable across deliveries, the feed and streams.' }),
      type: Type.Literal(type),
      occurred_at: Timestamp(),
      api_version: Type.String({
        format: 'date',
        description: 'The API version of `data`.',
        examples: [API_VERSION],
      }),
      sequence: IntegerOrNull({
        description: 'Counts the events of a purchase from 1; null for other events.',
        examples: [isPurchaseEvent(type) ? 4 : null],
      }),
      data: buildPartnerSchema(type),
    },
    { $id: `${toSchemaName(type)}Event` },
  );
}

/** Converts 'credit.limit_changed' to 'CreditLimitChanged'. */
const toSchemaName = (type: EventType) =>
  type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const EVENT_SCHEMAS = EVENT_TYPES.map((type) => ({ type, schema: buildEventSchema(type) }));

export const PartnerEvent = Type.Unsafe<ReturnType<typeof renderEvent>>(
  Type.Union(
    EVENT_SCHEMAS.map(({ schema }) => schema),
    { $id: 'PartnerEvent', description: 'An event. `type` determines the schema of `data`.' },
  ),
);

const listSchemas = (scope: RecipientScope) =>
  EVENT_SCHEMAS.filter(({ type }) => getScopes(type).includes(scope)).map(({ schema }) => schema);

export const WalletEvent = Type.Union(listSchemas('wallet'), {
  $id: 'WalletEvent',
  description: 'An event about the customer. `type` determines the schema of `data`.',
});

export const MerchantEvent = Type.Union(listSchemas('merchant'), {
  $id: 'MerchantEvent',
  description: 'An event about the merchant. `type` determines the schema of `data`.',
});

export const StreamReset = Type.Object(
  {
    type: Type.Literal('reset'),
    reason: Type.Literal('last_event_id_unknown'),
  },
  {
    $id: 'StreamReset',
    description:
      'The event of `Last-Event-ID` is unknown or no longer retained: the stream starts with new events, and events may have been missed. ' +
      'Reload the data.',
  },
);

/** The webhook requests, for openapi.json. */
export const WEBHOOK_SPECS: WebhookSpec[] = EVENT_SCHEMAS.map(({ type, schema }) => ({
  name: type,
  id: `on${toSchemaName(type)}`,
  description:
    `${getDescription(type)} Delivered to partners with a key of the scope ` +
    `${getScopes(type)
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

/** The schema of an event in the staff API: with the customer and the recipients. */
export const StaffEvent = Type.Object(
  {
    id: Id('evt'),
    type: Type.String({ examples: ['checkout.paid'] }),
    customer_id: TextOrNull({ examples: ['cus_01kfx3v9e2r4s6t8w0y2a4c6e8'] }),
    checkout_hash: TextOrNull({ examples: ['3kTMd9vR2xYb7LqWn0PzAh'] }),
    sequence: IntegerOrNull({ examples: [4] }),
    occurred_at: Timestamp(),
    data: Type.Unsafe<object>({
      type: 'object',
      description: 'The data as partners receive it.',
      examples: [buildPartnerExample('checkout.paid')],
    }),
    told: Type.Array(
      Type.Object({
        partner_id: Type.String({ examples: ['ptn_01kfx3v9e2r4s6t8w0y2a4c6e8'] }),
        partner_name: TextOrNull({ examples: ['Loja on-line'] }),
        webhook_id: TextOrNull({ description: 'null if the event is only in the partner’s feed.' }),
        url: TextOrNull(),
        status: Type.Unsafe<DeliveryStatus | null>({
          type: ['string', 'null'],
          enum: [...DELIVERY_STATUSES, null],
          description: 'Status of the delivery to the webhook endpoint.',
        }),
        tries: IntegerOrNull(),
        settled_at: TextOrNull({
          format: 'date-time',
          description: 'When the event was delivered or finally failed.',
        }),
      }),
      { description: 'The partners that received the event, and the status of deliveries.' },
    ),
  },
  { $id: 'StaffEvent' },
);

/** Adds the partners that received each event, with one statement for all events. */
export async function renderStaffEvents(
  db: Queryable,
  events: readonly StaffEventRow[],
): Promise<Array<Static<typeof StaffEvent>>> {
  if (events.length === 0) return [];
  const recipientRows = await listEventRecipients(
    db,
    events.map(({ id }) => id),
  );
  const partnerNames = await listPartnerNames(db, [
    ...new Set(recipientRows.map(({ partner_id }) => partner_id)),
  ]);
  const recipientsByEvent = Map.groupBy(recipientRows, ({ event_id }) => event_id);
  return events.map((event) => ({
    ...project(StaffEvent, event),
    told: (recipientsByEvent.get(event.id) ?? []).map(({ event_id: _, settled_at, ...row }) => ({
      ...row,
      partner_name: partnerNames.get(row.partner_id) ?? null,
      settled_at: settled_at?.toISOString() ?? null,
    })),
  }));
}
