import { Type } from 'typebox';
import type { Access, Role } from '#platform/http/access.ts';
import { type Caller, endpoint, type Method } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listParameters, listResponse, respondWithList } from '#platform/http/list-query.ts';
import { Id, StrictObject, Timestamp } from '#platform/http/schemas.ts';
import {
  type AuditContext,
  type AuditedRequest,
  createAuditContext,
  createKeyAuditContext,
} from '#platform/privacy/audit-trail.ts';
import { invalidField, validationFailed } from '#platform/problem.ts';
import { buildFeedFilter } from '../feed.ts';
import { DELIVERY_STATUSES } from '../publish-store.ts';
import { webhookDisabled } from './problems.ts';
import { renderDelivery, renderDeliveryWithExchange, renderWebhook } from './render.ts';
import {
  deliveryRoute,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  webhookRoute,
} from './schemas.ts';
import { buildDeliveryListQuery, type WebhookOwner } from './store.ts';
import {
  createWebhook,
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  replayEvent,
  replayEventsSince,
  requireDelivery,
  requireWebhook,
  revealSecret,
  rotateSecret,
  sendTestEvent,
  type WebhookDeps,
} from './webhooks.ts';

// The operations on one webhook that the staff API and the partner API have in common. Each function takes a route of one of these
// APIs, and declares the endpoint there.

type Route = `${Method} /${string}`;
/** How the staff API and the partner API differ in these operations. */
type ApiVariant = {
  readonly access: (role: Role) => Exclude<Access, 'open'>;
  /** Returns the owner of the webhooks that the caller manages, or undefined if they are those of all partners. */
  readonly findOwner: (caller: Caller) => WebhookOwner | undefined;
  readonly createAuditContext: (request: AuditedRequest, now: Date) => AuditContext;
};

export const STAFF_API: ApiVariant = {
  access: (role) => ({ scope: 'operator', role }),
  findOwner: () => undefined,
  createAuditContext,
};

export const PARTNER_API: ApiVariant = {
  access: () => ({ scope: 'partner' }),
  findOwner: findKeyOwner,
  createAuditContext: createKeyAuditContext,
};

/**
 * A key that is bound to a merchant manages the webhooks of that merchant. Any other key manages the partner's webhooks without a
 * merchant; without the scope `wallet` only webhooks that were registered by a key with the same scopes or fewer.
 */
export function findKeyOwner({ partnerId, merchantId, scopes }: Caller): WebhookOwner {
  const isRestricted = merchantId === 0 && !scopes.includes('wallet');
  return {
    partnerId,
    merchantId: merchantId === 0 ? null : merchantId,
    scopes: isRestricted ? scopes : null,
  };
}

/** Refuses event types that the key does not read, because they would never be delivered. */
export function requireReadableTypes(caller: Caller, types: readonly string[] = []): void {
  const readableTypes: readonly string[] = buildFeedFilter(caller).types;
  const refusedTypes = types.filter((type) => !readableTypes.includes(type));
  if (refusedTypes.length === 0) return;
  throw validationFailed(
    refusedTypes.map((type) => ({
      pointer: '/events',
      message: { en: `this key does not read '${type}'`, pt: `esta chave não lê '${type}'` },
    })),
    { en: 'The key does not read one of the event types.', pt: 'A chave não lê um dos tipos de evento.' },
  );
}

export const createdWebhookResponses = {
  201: {
    description: 'The endpoint, with its secret.',
    schema: WebhookEndpointWithSecret,
    headers: { Location: 'Path of the endpoint.' },
  },
} as const;

type IdempotentCall = Parameters<typeof createOnce>[1];
type AuditedCall = Pick<IdempotentCall, 'reply'> & { request: IdempotentCall['request'] & AuditedRequest };

/** Creates a webhook at most once for each Idempotency-Key. */
export async function createWebhookOnce(
  deps: WebhookDeps,
  { request, reply }: AuditedCall,
  api: ApiVariant,
  input: Parameters<typeof createWebhook>[1],
) {
  const { db, clock, vault } = deps;
  const now = clock.now();
  const auditContext = api.createAuditContext(request, now);
  // Only the id is stored with the idempotency key, so that the secret is never stored in plain text.
  const { id } = await createOnce(db, { request, reply, now }, (tx) =>
    createWebhook(tx, input, deps, auditContext),
  );
  const createdWebhook = await requireWebhook(db, id);
  return { ...renderWebhook(createdWebhook), secret: revealSecret(vault, createdWebhook) };
}

export const getWebhook =
  (route: Route, api: ApiVariant) =>
  ({ db }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('viewer'),
      id: 'getWebhook',
      summary: 'Get a webhook endpoint',
      ...webhookRoute,
      responses: { 200: { description: 'The endpoint, without its secret.', schema: WebhookEndpoint } },
      handler: async ({ params, caller }) =>
        renderWebhook(await requireWebhook(db, params.id, api.findOwner(caller))),
    });

export const listDeliveries =
  (route: Route, api: ApiVariant) =>
  ({ db }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('viewer'),
      id: 'listWebhookDeliveries',
      summary: 'List deliveries of a webhook endpoint',
      description: 'Pending and past deliveries of the last 90 days with their attempts.',
      ...webhookRoute,
      query: Type.Object({
        status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
        ...listParameters(),
      }),
      responses: listResponse('A page of deliveries.', WebhookDelivery),
      async handler(request, reply) {
        const { id } = await requireWebhook(db, request.params.id, api.findOwner(request.caller));
        return respondWithList(db, { request, reply }, buildDeliveryListQuery(id, request.query.status), {
          item: WebhookDelivery,
          path: route.slice('GET '.length).replace(':id', id),
          render: (rows) => rows.map(renderDelivery),
        });
      },
    });

const EventField = Id('evt', { description: 'One event, regardless of the filter of the endpoint.' });
const SinceField = Timestamp({ description: 'All matching events that occurred then or later.' });

export const replayWebhook =
  (route: Route, api: ApiVariant) =>
  ({ db, clock }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('admin'),
      id: 'replayWebhook',
      summary: 'Replay events',
      description:
        'Delivers events again with their original ids, including events that were never sent to the endpoint.',
      ...webhookRoute,
      body: StrictObject({ event: Type.Optional(EventField), since: Type.Optional(SinceField) }),
      documentedBody: Type.Union([StrictObject({ event: EventField }), StrictObject({ since: SinceField })]),
      cli: { done: '{replayed} deliveries are queued.' },
      responses: {
        202: {
          description: 'The events are queued.',
          schema: Type.Object({ replayed: Type.Integer({ description: 'Number of queued deliveries.' }) }),
        },
      },
      problems: [webhookDisabled],
      async handler(request) {
        const { params, body, caller } = request;
        const { id } = await requireWebhook(db, params.id, api.findOwner(caller));
        const givenFields = [body.event, body.since].filter((field) => field !== undefined);
        if (givenFields.length !== 1) {
          const message = { en: 'requires either event or since', pt: 'event ou since, e não os dois' };
          throw invalidField('', message, {
            en: 'Specify which events to replay.',
            pt: 'Diga o que entregar de novo.',
          });
        }
        const auditContext = api.createAuditContext(request, clock.now());
        if (body.since !== undefined)
          return { replayed: await replayEventsSince(db, id, new Date(body.since), auditContext) };
        await replayEvent(db, id, body.event!, auditContext);
        return { replayed: 1 };
      },
    });

export const rotateWebhook =
  (route: Route, api: ApiVariant) =>
  ({ db, clock, vault }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('admin'),
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'During the overlap deliveries have a signature of both secrets, the new one first. A secret that was already being replaced is ' +
        'dropped immediately.',
      ...webhookRoute,
      idempotent: true,
      bodyOptional: true,
      body: StrictObject({
        overlap_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MAX_OVERLAP_HOURS,
            description: `How many hours the old secret signs too; ${DEFAULT_OVERLAP_HOURS} if omitted.`,
            examples: [DEFAULT_OVERLAP_HOURS],
          }),
        ),
      }),
      cli: {
        prints: ['secret'],
        confirm: 'This replaces the secret of {id}. The old secret ends after the overlap.',
        done: 'The old secret signs until {old_secret_until}.',
      },
      responses: {
        200: { description: 'The endpoint, with its new secret.', schema: WebhookEndpointWithSecret },
      },
      async handler(request, reply) {
        const { params, body, caller } = request;
        await requireWebhook(db, params.id, api.findOwner(caller));
        const now = clock.now();
        const auditContext = api.createAuditContext(request, now);
        const { id } = await createOnce(
          db,
          { request, reply, now },
          (tx) =>
            rotateSecret(tx, params.id, body.overlap_hours ?? DEFAULT_OVERLAP_HOURS, vault, auditContext),
          [params.id, body],
        );
        const rotatedWebhook = await requireWebhook(db, id);
        return { ...renderWebhook(rotatedWebhook), secret: revealSecret(vault, rotatedWebhook) };
      },
    });

export const testWebhook = (route: Route, api: ApiVariant) => (deps: WebhookDeps) =>
  endpoint(route, {
    access: api.access('admin'),
    id: 'testWebhook',
    summary: 'Test a webhook endpoint',
    description:
      'Immediately sends one signed event of type `webhook.test`, even to a disabled endpoint, and returns the outcome.',
    ...webhookRoute,
    responses: { 200: { description: 'The delivery with its attempt.', schema: WebhookDelivery } },
    async handler(request) {
      const { id } = await requireWebhook(deps.db, request.params.id, api.findOwner(request.caller));
      const auditContext = api.createAuditContext(request, deps.clock.now());
      return renderDelivery(await sendTestEvent(deps, id, auditContext));
    },
  });

export const getDelivery =
  (route: Route, api: ApiVariant) =>
  ({ db }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('viewer'),
      id: 'getWebhookDelivery',
      summary: 'Get a delivery of a webhook endpoint',
      description: 'With the latest request and what the receiver responded to it.',
      ...deliveryRoute,
      responses: { 200: { description: 'The delivery.', schema: WebhookDeliveryDetails } },
      async handler({ params, caller }) {
        const { id } = await requireWebhook(db, params.id, api.findOwner(caller));
        return renderDeliveryWithExchange(id, await requireDelivery(db, id, params.delivery));
      },
    });

export const resendDelivery =
  (route: Route, api: ApiVariant) =>
  ({ db, clock }: WebhookDeps) =>
    endpoint(route, {
      access: api.access('admin'),
      id: 'resendWebhookDelivery',
      summary: 'Resend a delivery of a webhook endpoint',
      description: 'Delivers the event again, with the same id. Test events are not resent: send a new one.',
      ...deliveryRoute,
      responses: { 202: { description: 'The delivery is queued.', schema: WebhookDelivery } },
      problems: [webhookDisabled],
      async handler(request) {
        const { params, caller } = request;
        const { id } = await requireWebhook(db, params.id, api.findOwner(caller));
        const { event_id: eventId } = await requireDelivery(db, id, params.delivery);
        await replayEvent(db, id, eventId, api.createAuditContext(request, clock.now()));
        return renderDelivery(await requireDelivery(db, id, eventId));
      },
    });
