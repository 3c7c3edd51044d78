import { Type } from 'typebox';
import { findMerchantWithPlanById } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { listParameters, listResponse, respondWithList } from '#platform/http/list-query.ts';
import { tooManyWebhooks } from '../problems.ts';
import { renderWebhook } from '../render.ts';
import {
  OwnWebhookOrder,
  WEBHOOK_STATUSES,
  WebhookEndpoint,
  WebhookPatch,
  webhookRoute,
} from '../schemas.ts';
import { buildOwnWebhookListQuery } from '../store.ts';
import {
  createdWebhookResponses,
  createWebhookOnce,
  findKeyOwner,
  getDelivery,
  getWebhook,
  listDeliveries,
  PARTNER_API,
  replayWebhook,
  requireReadableTypes,
  resendDelivery,
  rotateWebhook,
  testWebhook,
} from '../webhook-operations.ts';
import { patchWebhook, removeWebhook, requireWebhook, type WebhookDeps } from '../webhooks.ts';

export const getWebhooks = ({ db, clock }: WebhookDeps) =>
  endpoint('GET /webhooks', {
    access: PARTNER_API.access('viewer'),
    id: 'listWebhooks',
    summary: 'List your webhook endpoints',
    description:
      'A key that is bound to a merchant manages only the endpoints of that merchant; other keys manage the endpoints that are bound to none.',
    query: Type.Object({ status: Type.Optional(Type.Enum([...WEBHOOK_STATUSES])), ...listParameters() }),
    responses: listResponse('A page of endpoints.', WebhookEndpoint),
    handler: (request, reply) =>
      respondWithList(
        db,
        { request, reply },
        buildOwnWebhookListQuery(findKeyOwner(request.caller), request.query.status, clock.now()),
        { item: WebhookEndpoint, render: (rows) => rows.map(renderWebhook) },
      ),
  });

export const postWebhooks = (deps: WebhookDeps) =>
  endpoint('POST /webhooks', {
    access: PARTNER_API.access('admin'),
    id: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description:
      'Events that occur from now on, and that this key reads, are delivered. With a key that is bound to a merchant: the events of that ' +
      'merchant. The secret is returned only in this response.',
    idempotent: true,
    body: OwnWebhookOrder,
    responses: createdWebhookResponses,
    problems: [tooManyWebhooks],
    async handler(request, reply) {
      const { url, events } = request.body;
      const { partnerId, merchantId, scopes } = request.caller;
      requireReadableTypes(request.caller, events);
      const isBoundToMerchant = merchantId !== 0;
      const merchant = isBoundToMerchant ? await findMerchantWithPlanById(deps.db, merchantId) : undefined;
      const createdWebhook = await createWebhookOnce(deps, { request, reply }, PARTNER_API, {
        partner: partnerId,
        url,
        events,
        merchant: merchant?.slug,
        scopes: isBoundToMerchant ? null : scopes,
      });
      reply.header('location', `/webhooks/${createdWebhook.id}`);
      return createdWebhook;
    },
  });

export const patchWebhooksId = ({ db, clock, mode }: WebhookDeps) =>
  endpoint('PATCH /webhooks/:id', {
    access: PARTNER_API.access('admin'),
    id: 'updateWebhook',
    summary: 'Change a webhook endpoint',
    ...webhookRoute,
    body: WebhookPatch,
    responses: { 200: { description: 'The endpoint.', schema: WebhookEndpoint } },
    async handler(request) {
      const { params, body, caller } = request;
      const currentWebhook = await requireWebhook(db, params.id, findKeyOwner(caller));
      requireReadableTypes(caller, body.events);
      const auditContext = PARTNER_API.createAuditContext(request, clock.now());
      return renderWebhook(await patchWebhook(db, currentWebhook, body, { mode, auditContext }));
    },
  });

export const deleteWebhooksId = ({ db, clock }: WebhookDeps) =>
  endpoint('DELETE /webhooks/:id', {
    access: PARTNER_API.access('admin'),
    id: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    description: 'Also deletes its deliveries. The events stay in the feed.',
    ...webhookRoute,
    responses: { 204: { description: 'The endpoint is deleted.' } },
    async handler(request) {
      const { id } = await requireWebhook(db, request.params.id, findKeyOwner(request.caller));
      await removeWebhook(db, id, PARTNER_API.createAuditContext(request, clock.now()));
    },
  });

export const getWebhooksId = getWebhook('GET /webhooks/:id', PARTNER_API);
export const getWebhooksIdDeliveries = listDeliveries('GET /webhooks/:id/deliveries', PARTNER_API);
export const getWebhooksIdDeliveriesDelivery = getDelivery(
  'GET /webhooks/:id/deliveries/:delivery',
  PARTNER_API,
);
export const postWebhooksIdDeliveriesDeliveryResend = resendDelivery(
  'POST /webhooks/:id/deliveries/:delivery/resend',
  PARTNER_API,
);
export const postWebhooksIdReplay = replayWebhook('POST /webhooks/:id/replay', PARTNER_API);
export const postWebhooksIdRotate = rotateWebhook('POST /webhooks/:id/rotate', PARTNER_API);
export const postWebhooksIdTest = testWebhook('POST /webhooks/:id/test', PARTNER_API);
