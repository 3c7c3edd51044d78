import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { Content } from '../admin/content.ts';
import { Media, renderMedia } from '../media/media.ts';
import { listMedia } from '../media/store.ts';

export const getAdminMedia = ({ db }: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/media',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMedia',
    tag: 'Content',
    summary: 'List pictures that were uploaded',
    query: Type.Object({
      ...pageParameters(),
      unused: Type.Optional(Type.Enum(['true'], { description: 'Only those that nothing shows.' })),
    }),
    answers: {
      200: {
        description: 'A page of pictures, newest first.',
        schema: Type.Object({ data: Type.Array(Media), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit, unused } = request.query;
      const at = { offset: (page - 1) * limit, limit };
      const { total, files } = await listMedia(db, { unused: unused === 'true' }, at);
      return { data: files.map(renderMedia), pagination: paginationOf({ page, limit }, total) };
    },
  });
