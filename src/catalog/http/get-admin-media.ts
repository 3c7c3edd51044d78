import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import type { Content } from '../admin/content.ts';
import { Media, renderMedia } from '../media/media.ts';
import { listMedia } from '../media/store.ts';

export const getAdminMedia = ({ db }: Content) =>
  endpoint('GET /admin/media', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMedia',
    summary: 'List pictures that were uploaded',
    query: Type.Object({
      ...pageParameters(),
      unused: Type.Optional(Type.Enum(['true'], { description: 'Only those that nothing shows.' })),
    }),
    answers: listAnswer('A page of pictures, newest first.', Media),
    handler(request, reply) {
      const unused = request.query.unused === 'true';
      return answerPages({ request, reply }, (at) => listMedia(db, { unused }, at), {
        item: Media,
        render: (rows) => rows.map(renderMedia),
      });
    },
  });
