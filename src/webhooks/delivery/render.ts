import type { StoredEvent } from '#events';
import { project } from '#platform/http/project.ts';
import { renderEvent } from '../schemas.ts';
import { WebhookDelivery, WebhookEndpoint } from './schemas.ts';
import { MAX_EXCHANGE_BYTES, toStorableText } from './sender.ts';
import type { DeliveryRow, DeliveryWithExchange, WebhookRow } from './store.ts';

export const renderBody = (event: Omit<StoredEvent, 'position'>): string =>
  JSON.stringify(renderEvent(event));

export const renderWebhook = (webhook: WebhookRow) => ({
  ...project(WebhookEndpoint, webhook),
  partner: webhook.partner_id,
  events: webhook.event_types,
  merchant: webhook.merchant_slug,
});

export const renderDelivery = (delivery: DeliveryRow) => ({
  ...project(WebhookDelivery, delivery),
  id: delivery.event_id,
  event: delivery.event_id,
  next_try_at: delivery.status === 'pending' ? delivery.due_at.toISOString() : null,
});

export const buildTestEvent = (
  webhookId: string,
  { eventId, occurredAt }: { eventId: string; occurredAt: Date },
) => ({
  id: eventId,
  type: 'webhook.test',
  occurred_at: occurredAt,
  sequence: null,
  data: { endpoint: webhookId },
});

/** Renders the delivery with its latest request and response. The body of the request is rendered as it would be sent now. */
export function renderDeliveryWithExchange(webhookId: string, delivery: DeliveryWithExchange) {
  const { event_id: eventId, type, occurred_at: occurredAt, sequence, data, last_exchange } = delivery;
  const event = data
    ? { id: eventId, type, occurred_at: occurredAt, sequence, data }
    : buildTestEvent(webhookId, { eventId, occurredAt });
  const { url, headers, response } = last_exchange ?? {};
  const body = toStorableText(Buffer.from(renderBody(event)), MAX_EXCHANGE_BYTES);
  return {
    ...renderDelivery(delivery),
    request: url !== undefined && headers ? { url, headers, body } : null,
    response: response ?? null,
  };
}
