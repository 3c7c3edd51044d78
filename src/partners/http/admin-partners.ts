import { Type } from 'typebox';
import { HOUR_MS } from '#core/values/duration.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { StrictObject, Text } from '#platform/http/schemas.ts';
import { createAuditContext, preconditionProblems, updateForStaff } from '#platform/privacy/audit-trail.ts';
import {
  assertReturnOrigins,
  createPartnerWithAudit,
  issueKeyWithAudit,
  keyAuditEntity,
  renderKey,
  renderPartner,
  rotateKeyWithAudit,
} from '../manage-keys.ts';
import { keyNotRotatable, nameTaken } from '../problems.ts';
import {
  KeyForm,
  KeyItem,
  KeyPatchForm,
  KeyView,
  keyResource,
  NewKeyView,
  PartnerForm,
  PartnerView,
} from '../schemas.ts';
import type { PartnersDeps } from '../services.ts';
import { findPartner, listKeys, listPartners, setRevokedAt, updateReturnOrigins } from '../store.ts';

const DEFAULT_OVERLAP_HOURS = 24;

export const getAdminKeys = ({ db, findMerchantSlugs }: PartnersDeps) =>
  endpoint('GET /admin/keys', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listKeys',
    summary: 'List API keys',
    query: Type.Object({
      ...pageParameters(),
      partner: Type.Optional(Text(120, { description: 'Id or name of a partner.' })),
      q: Type.Optional(
        Text(100, { description: 'Text in the label, the hint, the id or the partner’s name.' }),
      ),
    }),
    cli: {
      columns:
        'id, partner.name, hint, label, merchant, scopes, requests_per_minute, origins, return_origins, backend, revoked_at, last_used_at',
      emptyText: "No keys. Issue one with 'semana keys create'.",
    },
    responses: listResponse('A page of keys, by partner.', KeyItem),
    async handler(request, reply) {
      const { partner, q } = request.query;
      // An unknown name is used as an id, which matches no key.
      const partnerId = partner === undefined ? null : ((await findPartner(db, partner))?.id ?? partner);
      return respondWithPages({ request, reply }, (range) => listKeys(db, partnerId, { ...range, q }), {
        item: KeyItem,
        async render(rows) {
          const merchantIds = rows.flatMap(({ merchant_id }) => merchant_id ?? []);
          const slugs = await findMerchantSlugs?.(db, merchantIds);
          return rows.map((row) => {
            return { ...renderKey(row), merchant: slugs?.get(row.merchant_id ?? 0) ?? null };
          });
        },
      });
    },
  });

export const postAdminKeys = ({ db, clock, mode, findMerchantId }: PartnersDeps) =>
  endpoint('POST /admin/keys', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createKey',
    summary: 'Issue an API key',
    description: 'The response is the only one with the secret. A lost key must be rotated.',
    idempotent: true,
    body: KeyForm,
    cli: {
      prints: ['key'],
      done: 'Key {id} issued. Store it now: it is not returned again.',
      examples: [
        'semana keys create --partner "Site institucional" --scopes public --origins https://www.example.com.br',
        'KEY=$(semana keys create --partner "App" --scopes wallet --backend)',
      ],
    },
    responses: { 201: { description: 'The key.', schema: NewKeyView } },
    async handler(request, reply) {
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      return createOnce(db, { request, reply, now }, (tx) =>
        issueKeyWithAudit(tx, request.body, { auditContext, mode, findMerchantId }),
      );
    },
  });

export const patchAdminKeysId = ({ db, clock, mode }: PartnersDeps) =>
  endpoint('PATCH /admin/keys/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'changeKey',
    summary: 'Change the return origins of a key',
    description: 'Takes effect on every node within a second, for offers created from then on.',
    ...keyResource,
    headers: ifMatchHeader,
    body: KeyPatchForm,
    responses: { 200: { description: 'The key.', schema: KeyView, etag: true } },
    problems: preconditionProblems,
    handler(request) {
      const { id } = request.params;
      const { return_origins: origins } = request.body;
      assertReturnOrigins(origins, mode);
      const target = { entity: keyAuditEntity, id, ifMatch: request.headers['if-match'] };
      return updateForStaff({ db, clock }, request, target, (tx) => updateReturnOrigins(tx, id, origins));
    },
  });

export const postAdminKeysIdRevoke = ({ db, clock }: PartnersDeps) =>
  endpoint('POST /admin/keys/:id/revoke', {
    access: { scope: 'operator', role: 'admin' },
    id: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Takes effect on every node within a second.',
    ...keyResource,
    cli: {
      confirm: 'Key {id} stops working immediately and permanently.',
      done: 'Key {id} is revoked.',
    },
    responses: { 200: { description: 'The key.', schema: KeyView } },
    handler(request) {
      const target = { entity: keyAuditEntity, id: request.params.id };
      return updateForStaff({ db, clock }, request, target, (tx, now) => setRevokedAt(tx, target.id, now));
    },
  });

export const postAdminKeysIdRotate = ({ db, clock, mode }: PartnersDeps) =>
  endpoint('POST /admin/keys/:id/rotate', {
    access: { scope: 'operator', role: 'admin' },
    id: 'rotateKey',
    summary: 'Rotate an API key',
    description: 'Issues a successor. The old key stays valid for the overlap.',
    ...keyResource,
    bodyOptional: true,
    body: StrictObject({
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 720,
          description: `Hours during which both keys are valid; default ${DEFAULT_OVERLAP_HOURS}.`,
          examples: [DEFAULT_OVERLAP_HOURS],
        }),
      ),
    }),
    cli: {
      prints: ['key'],
      confirm: 'This replaces the key {id}. The old key ends after the overlap.',
      done: 'Key {id} issued. Store it now: it is not returned again.',
    },
    responses: { 201: { description: 'The new key.', schema: NewKeyView } },
    problems: [keyNotRotatable],
    async handler(request) {
      const overlapMs = (request.body.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
      const auditContext = createAuditContext(request, clock.now());
      return db.transaction((tx) =>
        rotateKeyWithAudit(tx, request.params.id, overlapMs, { auditContext, mode }),
      );
    },
  });

export const getAdminPartners = ({ db }: PartnersDeps) =>
  endpoint('GET /admin/partners', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPartners',
    summary: 'List partners',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(100, { description: 'Text in the name.' })),
    }),
    responses: listResponse('A page of partners, oldest first.', PartnerView),
    handler: (request, reply) =>
      respondWithPages({ request, reply }, (range) => listPartners(db, { ...range, q: request.query.q }), {
        item: PartnerView,
        render: (rows) => rows.map(renderPartner),
      }),
  });

export const postAdminPartners = ({ db, clock }: PartnersDeps) =>
  endpoint('POST /admin/partners', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createPartner',
    summary: 'Create a partner',
    idempotent: true,
    body: PartnerForm,
    cli: {
      done: 'Partner {id} created. Issue a key with: semana keys create --partner {id} --scopes public',
      examples: ['semana partners create --name "Site institucional"'],
    },
    responses: { 201: { description: 'The partner, which has no key yet.', schema: PartnerView } },
    problems: [nameTaken],
    async handler(request, reply) {
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      return createOnce(db, { request, reply, now }, (tx) =>
        createPartnerWithAudit(tx, request.body.name, auditContext),
      );
    },
  });
