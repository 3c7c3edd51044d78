import type { Events } from '#events';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotencyHeader, idempotencyProblems, once, readIdempotencyKey } from '#platform/idempotency.ts';
import { malformedJson, payloadTooLarge, unsupportedMediaType } from '#platform/problem.ts';
import type { Catalog } from '../catalog.ts';
import { receiveLead } from '../receive-lead.ts';
import { Lead, LeadForm } from '../schemas.ts';

export const postPublicLeads = ({ db, clock, vault }: Catalog, events: Events) =>
  endpoint({
    method: 'POST',
    url: '/public/leads',
    access: { scope: 'public' },
    id: 'createLead',
    tag: 'Catalog',
    summary: 'Send a lead-capture form',
    description:
      'At least one of `email` and `phone` is required. The same form again within ten minutes is stored once and answers ' +
      'the same id. 201 means it is stored for good. At most 10 different ones a minute from one address with one key, and 100 ' +
      'an hour from one address.',
    headers: { ...idempotencyHeader, ...clientIpHeader },
    body: LeadForm,
    answers: {
      201: {
        description: 'The lead is stored.',
        schema: Lead,
        headers: {
          'Idempotency-Replayed': '`true` when this is the answer of an earlier request with the same key.',
        },
      },
    },
    problems: [malformedJson, payloadTooLarge, unsupportedMediaType, ...idempotencyProblems, rateLimited],
    async handler(request, reply) {
      const { partnerId } = request.caller;
      const now = clock.now();
      const context = { events, vault, now };
      reply.code(201);
      const key = readIdempotencyKey(request.headers['idempotency-key']);
      if (key === undefined)
        return db.transaction((tx) => receiveLead(tx, request.caller, request.body, context));

      const attempt = {
        key,
        partnerId,
        customerId: '',
        request: ['POST', '/public/leads', request.body],
        now,
      };
      const answer = await once(db, attempt, async (tx) => {
        const lead = await receiveLead(tx, request.caller, request.body, context);
        return { status: 201, body: JSON.stringify(lead) };
      });
      if (answer.replayed) reply.header('idempotency-replayed', 'true');
      return JSON.parse(answer.body);
    },
  });
