import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { createCachedResponse } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { FaqList, FaqTopicList } from '../schemas.ts';
import { listFaq, listFaqTopics } from '../store.ts';

export const getPublicFaq = ({ db, responses }: Catalog) =>
  endpoint('GET /public/faq', {
    access: { scope: 'public' },
    id: 'listFaq',
    summary: 'List FAQ entries',
    query: Type.Object({
      topic: Type.Optional(
        Type.String({
          maxLength: 100,
          pattern: '^[^\\u0000]*$',
          description: 'Only entries of this topic.',
          examples: ['pagamentos'],
        }),
      ),
    }),
    responses: { 200: { description: 'The entries, grouped by topic.', schema: FaqList } },
    cache: responses.faq,
    handler: (request, reply) =>
      responses.faq.respond({ request, reply }, async () => {
        const body: Static<typeof FaqList> = { data: await listFaq(db, request.query.topic || null) };
        return createCachedResponse(JSON.stringify(body));
      }),
  });

export const getPublicFaqTopics = ({ db, responses }: Catalog) =>
  endpoint('GET /public/faq/topics', {
    access: { scope: 'public' },
    id: 'listFaqTopics',
    summary: 'List FAQ topics',
    responses: { 200: { description: 'The topics, by name.', schema: FaqTopicList } },
    cache: responses.faq,
    handler: (request, reply) =>
      responses.faq.respond({ request, reply }, async () => {
        const body: Static<typeof FaqTopicList> = { data: await listFaqTopics(db) };
        return createCachedResponse(JSON.stringify(body));
      }),
  });
