import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { FaqList } from '../schemas.ts';
import { listFaq } from '../store.ts';

export const getPublicFaq = ({ db, responses }: Catalog) =>
  endpoint('GET /public/faq', {
    access: { scope: 'public' },
    id: 'listFaq',
    summary: 'List questions and answers',
    query: Type.Object({
      topic: Type.Optional(
        Type.String({
          maxLength: 100,
          pattern: '^[^\\u0000]*$',
          description: 'Only those of this topic.',
          examples: ['pagamentos'],
        }),
      ),
    }),
    answers: { 200: { description: 'Questions and answers, topic by topic.', schema: FaqList } },
    cache: responses.faq,
    async handler(request, reply) {
      const begunAt = responses.faq.epoch;
      const body: Static<typeof FaqList> = { data: await listFaq(db, request.query.topic || null) };
      const answer = cachedResponse(JSON.stringify(body));
      responses.faq.put(request.raw.url!, answer, begunAt);
      return sendCached(request, reply, answer);
    },
  });
