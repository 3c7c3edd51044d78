import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { partnerUnknown, tooManyWebhooks } from '../problems.ts';
import { renderWebhook } from '../render.ts';
import { WebhookEndpoint, WebhookOrder, webhookRoute } from '../schemas.ts';
import { disableWebhook, enableWebhook, webhookList } from '../store.ts';
import {
  createdWebhookResponses,
  createWebhookOnce,
  getDelivery,
  getWebhook,
  listDeliveries,
  replayWebhook,
  resendDelivery,
  rotateWebhook,
  STAFF_API,
  testWebhook,
} from '../webhook-operations.ts';
import { updateWebhook, type WebhookDeps } from '../webhooks.ts';

export const getAdminWebhooks = (deps: WebhookDeps) =>
  listEndpoint('GET /admin/webhooks', deps, webhookList, {
    id: 'listWebhooks',
    summary: 'List webhook endpoints',
    cli: {
      columns: 'id, partner, url, merchant, events, status, disabled_reason',
      emptyText: "No webhook endpoints. Create one with 'semana webhooks create'.",
    },
    page: 'A page of endpoints.',
    item: WebhookEndpoint,
    render: (rows) => rows.map(renderWebhook),
  });

export const postAdminWebhooks = (deps: WebhookDeps) =>
  endpoint('POST /admin/webhooks', {
    access: STAFF_API.access('admin'),
    id: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description: 'Events that occur from now on are delivered. The secret is returned only in this response.',
    idempotent: true,
    body: WebhookOrder,
    cli: { prints: ['id', 'secret'], done: 'Store the secret now: it is not returned again.' },
    responses: createdWebhookResponses,
    problems: [partnerUnknown, tooManyWebhooks],
    async handler(request, reply) {
      const createdWebhook = await createWebhookOnce(deps, { request, reply }, STAFF_API, request.body);
      reply.header('location', `/admin/webhooks/${createdWebhook.id}`);
      return createdWebhook;
    },
  });

export const postAdminWebhooksIdDisable = ({ db, clock }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/disable', {
    access: { scope: 'operator', role: 'admin' },
    id: 'disableWebhook',
    summary: 'Disable a webhook endpoint',
    description:
      'Until it is enabled again, events are neither delivered nor queued. Pending deliveries are retained.',
    ...webhookRoute,
    cli: { done: '{id} is disabled. Events that occur meanwhile can be replayed after it is enabled.' },
    responses: { 200: { description: 'The endpoint.', schema: WebhookEndpoint } },
    async handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      const { id } = request.params;
      return renderWebhook(
        await updateWebhook(db, id, auditContext, (tx) => disableWebhook(tx, id, 'operator')),
      );
    },
  });

export const postAdminWebhooksIdEnable = ({ db, clock }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/enable', {
    access: { scope: 'operator', role: 'admin' },
    id: 'enableWebhook',
    summary: 'Enable a webhook endpoint',
    description:
      'Resets its failures and continues with the pending deliveries. Events that occurred while it was disabled can be replayed.',
    ...webhookRoute,
    cli: { done: '{id} is enabled. Replay missed events with: semana webhooks replay {id} --since INSTANT' },
    responses: { 200: { description: 'The endpoint.', schema: WebhookEndpoint } },
    async handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      const { id } = request.params;
      return renderWebhook(await updateWebhook(db, id, auditContext, (tx) => enableWebhook(tx, id)));
    },
  });

export const getAdminWebhooksId = getWebhook('GET /admin/webhooks/:id', STAFF_API);
export const getAdminWebhooksIdDeliveries = listDeliveries('GET /admin/webhooks/:id/deliveries', STAFF_API);
export const getAdminWebhooksIdDeliveriesDelivery = getDelivery(
  'GET /admin/webhooks/:id/deliveries/:delivery',
  STAFF_API,
);
export const postAdminWebhooksIdDeliveriesDeliveryResend = resendDelivery(
  'POST /admin/webhooks/:id/deliveries/:delivery/resend',
  STAFF_API,
);
export const postAdminWebhooksIdReplay = replayWebhook('POST /admin/webhooks/:id/replay', STAFF_API);
export const postAdminWebhooksIdRotate = rotateWebhook('POST /admin/webhooks/:id/rotate', STAFF_API);
export const postAdminWebhooksIdTest = testWebhook('POST /admin/webhooks/:id/test', STAFF_API);
