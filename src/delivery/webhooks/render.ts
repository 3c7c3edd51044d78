import { renderEvent } from '../schemas.ts';
import type { DeliveryRow, EndpointRow } from './store.ts';

/** What receivers get. */
export function bodyOf(event: {
  id: string;
  type: string;
  occurred_at: Date;
  sequence: number | null;
  data: unknown;
}): string {
  return JSON.stringify(renderEvent(event));
}

export const renderEndpoint = (endpoint: EndpointRow) => ({
  id: endpoint.id,
  partner: endpoint.partner_id,
  url: endpoint.url,
  events: endpoint.event_types,
  merchant: endpoint.merchant_slug,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: endpoint.disabled_at?.toISOString() ?? null,
  failing_since: endpoint.failing_since?.toISOString() ?? null,
  old_secret_until: endpoint.old_secret_until?.toISOString() ?? null,
  created_at: endpoint.created_at.toISOString(),
});

export const renderDelivery = (delivery: DeliveryRow) => ({
  event: delivery.event_id,
  type: delivery.type,
  occurred_at: delivery.occurred_at.toISOString(),
  status: delivery.status,
  tries: delivery.tries,
  next_try_at: delivery.status === 'pending' ? delivery.due_at.toISOString() : null,
  settled_at: delivery.settled_at?.toISOString() ?? null,
  attempts: delivery.attempts,
});
