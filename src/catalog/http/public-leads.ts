import { Type } from 'typebox';
import type { Events } from '#events';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { Catalog } from '../catalog.ts';
import { receiveLead } from '../leads/leads.ts';
import { Lead, LeadForm } from '../schemas.ts';
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
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: LeadForm,
    emptyTexts: true,
    responses: {
      201: { description: 'The lead is stored.', schema: Lead, headers: idempotency.responseHeaders },
    },
    problems: [...idempotency.problems, rateLimited],
    handler(request, reply) {
      const now = clock.now();
      return createOnce(db, { request, reply, now }, (tx) =>
        receiveLead(tx, request.caller, request.body, { events, vault, leadsPerAddress, now }),
      );
    },
  });
