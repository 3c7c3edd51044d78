import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Catalog } from '../catalog.ts';
import { EXAMPLE_MEDIA_NAME, MEDIA_NAME_PATTERN } from '../media/media.ts';
import { findMediaBytes } from '../media/store.ts';

export const getMediaFilesName = ({ db }: Pick<Catalog, 'db'>) =>
  endpoint('GET /media/files/:name', {
    access: 'open',
    id: 'getMediaFile',
    summary: 'Get a picture',
    description: 'The target of `logo_url` and `cover_url`. The content at a URL never changes.',
    params: Type.Object({
      name: Type.String({ pattern: MEDIA_NAME_PATTERN, examples: [EXAMPLE_MEDIA_NAME] }),
    }),
    notFound: { en: 'No picture has this name.', pt: 'Esta imagem não existe.' },
    responses: { 200: { description: 'The picture.', contentType: 'image/*' } },
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
