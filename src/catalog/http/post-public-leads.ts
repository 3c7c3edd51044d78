import { Type } from 'typebox';
import type { Events } from '#events';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { Catalog } from '../catalog.ts';
import { receiveLead } from '../receive-lead.ts';
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
    summary: 'Send a lead-capture form',
    description:
      'At least one of `email` and `phone` is required. The same form again within ten minutes is stored once and answers ' +
      'the same id. 201 means it is stored for good. In live mode at most 10 different ones a minute from one address with one ' +
      'key, and 100 an hour from one address, unless the operator has set others.',
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: LeadForm,
    answers: { 201: { description: 'The lead is stored.', schema: Lead, headers: idempotency.replayed } },
    problems: [...idempotency.problems, rateLimited],
    handler(request, reply) {
      const now = clock.now();
      return createOnce(db, { request, reply, now }, (tx) =>
        receiveLead(tx, request.caller, request.body, { events, vault, leadsPerAddress, now }),
      );
    },
  });
