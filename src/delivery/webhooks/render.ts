import type { WrittenEvent } from '#events';
import { shown } from '#platform/http/shown.ts';
import { renderEvent } from '../schemas.ts';
import { WebhookDelivery, WebhookEndpoint } from './schemas.ts';
import type { DeliveryRow, EndpointRow } from './store.ts';

export const bodyOf = (event: Omit<WrittenEvent, 'position'>): string => JSON.stringify(renderEvent(event));

export const renderEndpoint = (endpoint: EndpointRow) => ({
  ...shown(WebhookEndpoint, endpoint),
  partner: endpoint.partner_id,
  events: endpoint.event_types,
  merchant: endpoint.merchant_slug,
});

export const renderDelivery = (delivery: DeliveryRow) => ({
  ...shown(WebhookDelivery, delivery),
  event: delivery.event_id,
  next_try_at: delivery.status === 'pending' ? delivery.due_at.toISOString() : null,
});
