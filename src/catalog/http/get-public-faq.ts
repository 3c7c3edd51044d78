import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { readyAnswer, sendReady } from '#platform/http/ready-answers.ts';
import type { Content } from '../content.ts';
import { FaqList } from '../schemas.ts';
import { listFaq } from '../store.ts';

export const getPublicFaq = ({ db, ready }: Content) =>
  endpoint({
    method: 'GET',
    url: '/public/faq',
    access: { scope: 'public' },
    id: 'listFaq',
    tag: 'Catalog',
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
    ready: ready.faq,
    async handler(request, reply) {
      const begunAt = ready.faq.epoch;
      const entries = await listFaq(db, request.query.topic || null);
      const answer = readyAnswer(JSON.stringify({ data: entries }));
      ready.faq.put(request.raw.url!, answer, begunAt);
      return sendReady(request, reply, answer);
    },
  });
