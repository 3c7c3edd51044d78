import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { readFileBody } from '#platform/http/raw-body.ts';
import { createAuditContext, updateForStaff } from '#platform/privacy/audit-trail.ts';
import type { Catalog } from '../catalog.ts';
import type { ContentDeps } from '../content/content.ts';
import {
  addMedia,
  EXAMPLE_MEDIA_NAME,
  findMediaBytes,
  IMAGE_TYPES,
  imageRefused,
  listMedia,
  MEDIA_NAME_PATTERN,
  Media,
  mediaAuditEntity,
  removeMedia,
  renderMedia,
} from '../media/media.ts';
import { stillUsed } from '../problems.ts';

const mediaParams = Type.Object({
  name: Type.String({ pattern: MEDIA_NAME_PATTERN, examples: [EXAMPLE_MEDIA_NAME] }),
});

export const getAdminMedia = ({ db }: ContentDeps) =>
  endpoint('GET /admin/media', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMedia',
    summary: 'List pictures',
    query: Type.Object({
      ...pageParameters(),
      unused: Type.Optional(
        Type.Enum(['true'], { description: 'Only pictures that no merchant or post uses.' }),
      ),
    }),
    responses: listResponse('A page of pictures, newest first.', Media),
    handler(request, reply) {
      const unusedOnly = request.query.unused === 'true';
      return respondWithPages({ request, reply }, (range) => listMedia(db, { unusedOnly }, range), {
        item: Media,
        render: (rows) => rows.map(renderMedia),
      });
    },
  });

export const postAdminMedia = ({ db, clock }: ContentDeps) =>
  endpoint('POST /admin/media', {
    access: { scope: 'operator', role: 'content' },
    id: 'addMedia',
    summary: 'Upload a picture',
    description:
      'The body is the picture: PNG, JPEG, WebP or SVG, at most 2 MiB and 4096 by 4096 pixels. Its type is detected from the content. ' +
      'Uploading the same picture again returns the existing file with 200.',
    rawBody: true,
    rawContentTypes: IMAGE_TYPES,
    cli: {
      prints: ['url'],
      done: 'Uploaded {name}, {size} bytes.',
      examples: ['semana media create flor.png'],
    },
    responses: {
      200: { description: 'The existing file.', schema: Media },
      201: { description: 'The new file.', schema: Media },
    },
    problems: [imageRefused],
    async handler(request, reply) {
      const bytes = await readFileBody(request.raw);
      const auditContext = createAuditContext(request, clock.now());
      const { file, isNew } = await db.transaction((tx) => addMedia(tx, bytes, auditContext));
      return reply.code(isNew ? 201 : 200).send(file);
    },
  });

export const getAdminMediaName = ({ db }: ContentDeps) =>
  endpoint('GET /admin/media/:name', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMediaOfStaff',
    summary: 'Get a picture for staff',
    description: 'The same file as `GET /media/files/:name` of the partner API.',
    params: mediaParams,
    notFound: { en: 'No picture has this name.', pt: 'Esta imagem não existe.' },
    responses: { 200: { description: 'The picture.', contentType: 'image/*' } },
    async handler(request, reply) {
      const file = await findMediaBytes(db, request.params.name);
      if (!file) throw request.notFound();
      return reply.type(file.type).send(file.bytes);
    },
  });

export const deleteAdminMediaName = (deps: ContentDeps) =>
  endpoint('DELETE /admin/media/:name', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeMedia',
    summary: 'Delete an unused picture',
    params: mediaParams,
    notFound: { en: 'No picture has this name.', pt: 'Nenhuma imagem tem este nome.' },
    responses: { 204: { description: 'The picture is deleted.' } },
    problems: [stillUsed],
    async handler(request) {
      const target = { entity: mediaAuditEntity, id: request.params.name };
      const removedFile = await updateForStaff(deps, request, target, removeMedia);
      if (!removedFile) throw request.notFound();
    },
  });

export const getMediaFilesName = ({ db }: Pick<Catalog, 'db'>) =>
  endpoint('GET /media/files/:name', {
    access: 'open',
    id: 'getMediaFile',
    summary: 'Get a picture',
    description: 'The target of `logo_url` and `cover_url`. The content at a URL never changes.',
    params: mediaParams,
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
