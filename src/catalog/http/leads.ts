import { Type } from 'typebox';
import type { Events } from '#events';
import { clientIpHeader, rateLimited } from '#partners';
import { hasRole } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithList } from '#platform/http/list-query.ts';
import { StrictObject, TextOrNull } from '#platform/http/schemas.ts';
import { createAuditContext, preconditionProblems, updateForStaff } from '#platform/privacy/audit-trail.ts';
import type { Catalog } from '../catalog.ts';
import type { ContentDeps } from '../content/content.ts';
import { changeLead, leadAuditEntity, receiveLead, renderLead, StaffLead } from '../leads/leads.ts';
import {
  buildLeadListQuery,
  decryptLead,
  deleteLead,
  findLead,
  LEAD_ROLES,
  LEAD_STATUSES,
  type LeadFilter,
  leadParameters,
} from '../leads/store.ts';
import { Lead, LeadForm, leadRoute } from '../schemas.ts';
import type { CatalogSettings } from '../settings.ts';

export const postPublicLeads = ({
  db,
  clock,
  vault,
  events,
  leadsPerAddress,
}: Catalog & CatalogSettings & { events: Events }) =>
  endpoint('POST /public/leads', {
    access: { scope: 'public' },
    id: 'createLead',
    summary: 'Create a lead',
    description:
      'Requires `email` or `phone`, or both. The same content within ten minutes is stored once and returns the same id. 201 means ' +
      'that the lead is stored. In live mode the default limits are 10 different leads per minute from one IP address with one key, ' +
      'and 100 per hour from one IP address.',
    idempotent: true,
    headers: clientIpHeader,
    body: LeadForm,
    ignoresEmptyTexts: true,
    responses: { 201: { description: 'The lead is stored.', schema: Lead } },
    problems: [rateLimited],
    handler(request, reply) {
      const now = clock.now();
      return createOnce(db, { request, reply, now }, (tx) =>
        receiveLead(tx, request.caller, request.body, { events, vault, leadsPerAddress, now }),
      );
    },
  });

export const getAdminLeads = ({ db, clock }: ContentDeps) =>
  endpoint('GET /admin/leads', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listLeads',
    summary: 'List leads',
    query: Type.Object(leadParameters),
    cli: { columns: 'id, received_at, kind, status, name, email|phone, company' },
    responses: listResponse('A page of leads.', StaffLead),
    handler: (request, reply) =>
      respondWithList(
        db,
        { request, reply },
        buildLeadListQuery(
          db.vault,
          // With prefixes, callers who see names masked could find them out letter by letter.
          { ...(request.query as LeadFilter), wholeWords: !hasRole(request.caller, LEAD_ROLES) },
          clock.now(),
        ),
        {
          item: StaffLead,
          render: (rows) => rows.map((row) => renderLead(decryptLead(db.vault, row))),
        },
      ),
  });

export const getAdminLeadsId = ({ db }: ContentDeps) =>
  endpoint('GET /admin/leads/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getLead',
    summary: 'Get a lead',
    ...leadRoute,
    approvalOf: { kind: 'lead', idField: 'id' },
    responses: { 200: { description: 'The lead.', schema: StaffLead, etag: true } },
    async handler(request) {
      const lead = await findLead(db, request.params.id);
      return lead && renderLead(lead);
    },
  });

export const patchAdminLeadsId = ({ db, clock }: ContentDeps) =>
  endpoint('PATCH /admin/leads/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'changeLead',
    summary: 'Update the status or the note of a lead',
    ...leadRoute,
    headers: ifMatchHeader,
    body: StrictObject(
      {
        status: Type.Optional(Type.Enum([...LEAD_STATUSES])),
        note: Type.Optional(TextOrNull({ maxLength: 2_000 })),
      },
      { minProperties: 1, examples: [{ status: 'handled', note: 'Ligamos em 15/11' }] },
    ),
    cli: { done: 'Lead {id} is {status}.' },
    responses: { 200: { description: 'The lead.', schema: StaffLead, etag: true } },
    problems: preconditionProblems,
    async handler(request) {
      const options = {
        auditContext: createAuditContext(request, clock.now()),
        ifMatch: request.headers['if-match'],
      };
      return db.transaction((tx) => changeLead(tx, request.params.id, request.body, options));
    },
  });

/** The audit trail records the deletion, without personal data. */
export const deleteAdminLeadsId = (deps: ContentDeps) =>
  endpoint('DELETE /admin/leads/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeLead',
    summary: 'Delete a lead',
    ...leadRoute,
    responses: { 204: { description: 'The lead is deleted.' } },
    async handler(request) {
      const target = { entity: leadAuditEntity, id: request.params.id };
      const removedLead = await updateForStaff(deps, request, target, (tx) => deleteLead(tx, target.id));
      if (!removedLead) throw request.notFound();
    },
  });
