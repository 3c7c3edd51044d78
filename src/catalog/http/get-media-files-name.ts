import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Catalog } from '../catalog.ts';
import { EXAMPLE_NAME, NAME } from '../media/media.ts';
import { findMediaBytes } from '../media/store.ts';

export const getMediaFilesName = ({ db }: Pick<Catalog, 'db'>) =>
  endpoint('GET /media/files/:name', {
    access: 'open',
    id: 'getMediaFile',
    summary: 'A picture that was uploaded',
    description: 'Where `logo_url` and `cover_url` lead to. What is at an address never changes.',
    params: Type.Object({ name: Type.String({ pattern: NAME, examples: [EXAMPLE_NAME] }) }),
    notFound: { en: 'There is no such picture.', pt: 'Esta imagem não existe.' },
    answers: { 200: { description: 'The picture.', contentType: 'image/*' } },
    async handler(request, reply) {
      const file = await findMediaBytes(db, request.params.name);
      if (!file) throw request.notFound();
      return reply
        .type(file.type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        .send(file.bytes);
    },
  });
