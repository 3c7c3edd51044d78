import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Content } from '../admin/content.ts';
import { EXAMPLE_NAME, NAME } from '../media/media.ts';
import { findMediaBytes } from '../media/store.ts';

export const getAdminMediaName = ({ db }: Content) =>
  endpoint('GET /admin/media/:name', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMediaOfStaff',
    summary: 'A picture that was uploaded',
    description: 'The same as the front door shows to anybody.',
    params: Type.Object({ name: Type.String({ pattern: NAME, examples: [EXAMPLE_NAME] }) }),
    notFound: { en: 'There is no such picture.', pt: 'Esta imagem não existe.' },
    answers: { 200: { description: 'The picture.', contentType: 'image/*' } },
    async handler(request, reply) {
      const file = await findMediaBytes(db, request.params.name);
      if (!file) throw request.notFound();
      return reply.type(file.type).send(file.bytes);
    },
  });
