import { endpoint } from '#platform/http/endpoint.ts';
import { readyAnswer, sendReady } from '#platform/http/ready-answers.ts';
import type { Content } from '../content.ts';
import { CategoryList } from '../schemas.ts';

export const getPublicCategories = ({ shelf, ready }: Content) =>
  endpoint({
    method: 'GET',
    url: '/public/categories',
    access: { scope: 'public' },
    id: 'listCategories',
    tag: 'Catalog',
    summary: 'List categories',
    description: 'All of them in order of name, each with the number of its merchants.',
    answers: { 200: { description: 'The categories.', schema: CategoryList } },
    ready: ready.merchants,
    async handler(request, reply) {
      if (!shelf.current()) await shelf.whenCurrent();
      const answer = readyAnswer(JSON.stringify({ data: shelf.categories() }));
      ready.merchants.put(request.raw.url!, answer, ready.merchants.epoch);
      return sendReady(request, reply, answer);
    },
  });
