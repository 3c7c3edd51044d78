import { endpoint } from '#platform/http/endpoint.ts';
import { readBody } from '#platform/http/file-body.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Content } from '../admin/content.ts';
import { addMedia, imageRefused, Media, PICTURE_TYPES } from '../media/media.ts';

export const postAdminMedia = ({ db, clock }: Content) =>
  endpoint('POST /admin/media', {
    access: { scope: 'operator', role: 'content' },
    id: 'addMedia',
    summary: 'Upload a picture',
    description:
      'The body is the picture itself: PNG, JPEG, WebP or SVG, told by what is in it, of at most 2 MiB and 4096 by 4096 pixels. The same ' +
      'picture again is the same file: 200.',
    rawBody: true,
    rawTypes: PICTURE_TYPES,
    answers: {
      200: { description: 'It was there already.', schema: Media },
      201: { description: 'The file.', schema: Media },
    },
    problems: [imageRefused],
    async handler(request, reply) {
      const bytes = await readBody(request.raw);
      const change = changeBy(request, clock.now());
      const { file, isNew } = await db.transaction((tx) => addMedia(tx, bytes, change));
      return reply.code(isNew ? 201 : 200).send(file);
    },
  });
