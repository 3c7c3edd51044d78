import { type TObject, Type } from 'typebox';
import { requireFieldRoles } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { readFileBody } from '#platform/http/raw-body.ts';
import { Slug } from '#platform/http/schemas.ts';
import { auditContextFor, preconditionProblems } from '#platform/privacy/audit-trail.ts';
import type { ProblemMaker } from '#platform/problem.ts';
import { KINDS } from '../import/kinds.ts';
import { IMAGE_TYPES, imageRefused } from '../media/media.ts';
import { alreadyExists } from '../problems.ts';
import {
  type ContentDeps,
  createContent,
  getContent,
  type Resource,
  removeContent,
  setPicture,
  updateContent,
} from './content.ts';

type AnyResource = Resource<TObject>;

/** The path parameter and the 404 of an endpoint for one record. */
function recordRoute({ kind, exampleKey, notFound }: AnyResource) {
  const { key } = KINDS[kind];
  const slug = Slug({ description: `The ${key} of the record.`, examples: [exampleKey] });
  return { params: Type.Object({ [key]: slug }), notFound };
}

const readKey = (params: Record<string, string>): string => Object.values(params)[0]!;

const EDITOR = { scope: 'operator', role: 'content' } as const;

const writeAccess = ({ fieldRoles }: AnyResource) => (fieldRoles ? { ...EDITOR, fieldRoles } : EDITOR);

const writeOptions = (resource: AnyResource) => ({
  access: writeAccess(resource),
  ...(resource.bodyLimitBytes !== undefined && { bodyLimitBytes: resource.bodyLimitBytes }),
});

export const defineGet = (route: `GET /${string}`, resource: AnyResource) => (deps: ContentDeps) =>
  endpoint(route, {
    access: { scope: 'operator', role: 'viewer' },
    id: `get${resource.operationNoun}ForStaff`,
    summary: `Get a ${resource.noun}`,
    ...recordRoute(resource),
    responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
    handler: ({ params }) => getContent(deps, resource, readKey(params)),
  });

export const defineCreate =
  (route: `POST /${string}`, resource: AnyResource, options: { description?: string } = {}) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      ...writeOptions(resource),
      ...options,
      id: `create${resource.operationNoun}`,
      summary: `Create a ${resource.noun}`,
      headers: idempotency.header,
      body: resource.createForm,
      responses: { 201: { description: `The ${resource.noun}.`, schema: resource.schema } },
      problems: [...idempotency.problems, alreadyExists],
      handler(request, reply) {
        requireFieldRoles(request.caller, writeAccess(resource), request.body);
        return createContent(deps, resource, { request, reply });
      },
    });

export const defineUpdate =
  (route: `PATCH /${string}`, resource: AnyResource, options: { description?: string } = {}) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      ...writeOptions(resource),
      description: 'Changes only the fields in the body.',
      ...options,
      id: `change${resource.operationNoun}`,
      summary: `Update a ${resource.noun}`,
      ...recordRoute(resource),
      headers: ifMatchHeader,
      body: resource.patchForm,
      responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: preconditionProblems,
      handler(request) {
        requireFieldRoles(request.caller, writeAccess(resource), request.body);
        return updateContent(deps, resource, request, readKey(request.params));
      },
    });

export const defineRemove =
  (route: `DELETE /${string}`, resource: AnyResource, problems: ProblemMaker[] = []) =>
  ({ db, clock }: ContentDeps) =>
    endpoint(route, {
      access: EDITOR,
      id: `remove${resource.operationNoun}`,
      summary: `Delete a ${resource.noun}`,
      ...recordRoute(resource),
      responses: { 204: { description: `The ${resource.noun} is deleted.` } },
      problems,
      async handler(request) {
        const auditContext = auditContextFor(request, clock.now());
        const existed = await removeContent(db, resource, readKey(request.params), auditContext);
        if (!existed) throw request.notFound();
      },
    });

/** `field` is the field of the record that holds the path of the picture. */
export const definePictureUpload =
  (route: `PUT /${string}`, resource: AnyResource, upload: { id: string; summary: string; field: string }) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      access: EDITOR,
      id: upload.id,
      summary: upload.summary,
      description: `Stores the picture like \`POST /admin/media\` and sets it on the ${resource.noun}.`,
      ...recordRoute(resource),
      headers: ifMatchHeader,
      rawBody: true,
      rawContentTypes: IMAGE_TYPES,
      responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: [imageRefused, ...preconditionProblems],
      async handler(request) {
        const picture = { bytes: await readFileBody(request.raw), field: upload.field };
        return setPicture(deps, resource, request, readKey(request.params), picture);
      },
    });
