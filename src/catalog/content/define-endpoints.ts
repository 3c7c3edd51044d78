import { type TProperties, Type } from 'typebox';
import { requireFieldRoles } from '#partners';
import type { ApprovalTarget } from '#platform/http/approval.ts';
import { type CliSpec, endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { type ListCall, listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { readFileBody } from '#platform/http/raw-body.ts';
import { Slug } from '#platform/http/schemas.ts';
import { createAuditContext, preconditionProblems, updateForStaff } from '#platform/privacy/audit-trail.ts';
import type { ProblemFactory } from '#platform/problem.ts';
import { addMedia, IMAGE_TYPES, imageRefused } from '../media/media.ts';
import { alreadyExists } from '../problems.ts';
import {
  buildContentAuditEntity,
  type ContentDeps,
  insertContent,
  type Resource,
  updateContent,
  validatePatch,
} from './content.ts';
import { KINDS } from './kinds.ts';

/** Builds the path parameter and the 404 of an endpoint for one record. */
function buildRecordRoute({ kind, exampleKey, notFound }: Resource) {
  const { key } = KINDS[kind];
  const slug = Slug({ description: `The ${key} of the record.`, examples: [exampleKey] });
  return { params: Type.Object({ [key]: slug }), notFound };
}

/** Reads the only path parameter, which is named after the key of the kind. */
const readKeyParam = (params: Record<string, string>): string => Object.values(params)[0]!;

const EDITOR_ACCESS = { scope: 'operator', role: 'content' } as const;

const getWriteAccess = ({ fieldRoles }: Resource) =>
  fieldRoles ? { ...EDITOR_ACCESS, fieldRoles } : EDITOR_ACCESS;

const getWriteOptions = (resource: Resource) => ({
  access: getWriteAccess(resource),
  ...(resource.bodyLimitBytes !== undefined && { bodyLimitBytes: resource.bodyLimitBytes }),
});

// Each of the following functions returns an endpoint function, which `buildEndpoints` calls with the dependencies.

type ListSpec = { summary: string; query: TProperties; cli?: CliSpec; pageDescription: string };

export const defineContentList =
  (route: `GET /${string}`, resource: Resource, { query, pageDescription, ...spec }: ListSpec) =>
  ({ db, clock, merchants }: ContentDeps) =>
    endpoint(route, {
      ...spec,
      access: { scope: 'operator', role: 'viewer' },
      id: `list${resource.operationNoun}ForStaff`,
      query: Type.Object({ ...pageParameters(), ...query }),
      responses: listResponse(pageDescription, resource.schema),
      handler: (request, reply) =>
        respondWithPages(
          { request, reply } as ListCall,
          (range) => resource.list(db, { ...request.query, now: clock.now(), merchants }, range),
          { item: resource.schema, render: (rows) => rows.map((row) => resource.render(row as never)) },
        ),
    });

export const defineGet =
  (route: `GET /${string}`, resource: Resource, options: { approvalOf?: ApprovalTarget } = {}) =>
  ({ db }: ContentDeps) =>
    endpoint(route, {
      access: { scope: 'operator', role: 'viewer' },
      id: `get${resource.operationNoun}ForStaff`,
      summary: `Get a ${resource.noun}`,
      ...options,
      ...buildRecordRoute(resource),
      responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      async handler({ params }) {
        const record = await KINDS[resource.kind].find(db, readKeyParam(params));
        return record && resource.render(record as never);
      },
    });

export const defineCreate =
  (route: `POST /${string}`, resource: Resource, options: { description?: string } = {}) =>
  ({ db, clock, getMaxRate }: ContentDeps) =>
    endpoint(route, {
      ...getWriteOptions(resource),
      ...options,
      id: `create${resource.operationNoun}`,
      summary: `Create a ${resource.noun}`,
      idempotent: true,
      body: resource.createForm,
      responses: { 201: { description: `The ${resource.noun}.`, schema: resource.schema } },
      problems: [alreadyExists],
      handler(request, reply) {
        requireFieldRoles(request.caller, getWriteAccess(resource), request.body);
        const now = clock.now();
        const auditContext = createAuditContext(request, now);
        return createOnce(db, { request, reply, now }, (tx) =>
          insertContent(tx, resource, request.body, { auditContext, getMaxRate }),
        );
      },
    });

export const defineUpdate =
  (route: `PATCH /${string}`, resource: Resource, options: { description?: string } = {}) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      ...getWriteOptions(resource),
      description: 'Changes only the fields in the body.',
      ...options,
      id: `change${resource.operationNoun}`,
      summary: `Update a ${resource.noun}`,
      ...buildRecordRoute(resource),
      headers: ifMatchHeader,
      body: resource.patchForm,
      responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: preconditionProblems,
      handler(request) {
        requireFieldRoles(request.caller, getWriteAccess(resource), request.body);
        const patch = validatePatch(resource, request.body, deps.getMaxRate);
        return updateContent(deps, resource, request, readKeyParam(request.params), () => patch);
      },
    });

export const defineRemove =
  (route: `DELETE /${string}`, resource: Resource, problems: ProblemFactory[] = []) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      access: EDITOR_ACCESS,
      id: `remove${resource.operationNoun}`,
      summary: `Delete a ${resource.noun}`,
      ...buildRecordRoute(resource),
      responses: { 204: { description: `The ${resource.noun} is deleted.` } },
      problems,
      async handler(request) {
        const target = { entity: buildContentAuditEntity(resource), id: readKeyParam(request.params) };
        const removedRecord = await updateForStaff(deps, request, target, (tx) =>
          resource.remove(tx, target.id),
        );
        if (!removedRecord) throw request.notFound();
      },
    });

/** Defines the upload of a record's picture, whose path is stored in the field `upload.field`. */
export const definePictureUpload =
  (route: `PUT /${string}`, resource: Resource, upload: { id: string; summary: string; field: string }) =>
  (deps: ContentDeps) =>
    endpoint(route, {
      access: EDITOR_ACCESS,
      id: upload.id,
      summary: upload.summary,
      description: `Stores the picture like \`POST /admin/media\` and sets it on the ${resource.noun}.`,
      ...buildRecordRoute(resource),
      headers: ifMatchHeader,
      rawBody: true,
      rawContentTypes: IMAGE_TYPES,
      responses: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: [imageRefused, ...preconditionProblems],
      async handler(request) {
        const bytes = await readFileBody(request.raw);
        return updateContent(
          deps,
          resource,
          request,
          readKeyParam(request.params),
          async (tx, auditContext) => {
            const { file } = await addMedia(tx, bytes, auditContext);
            return { [upload.field]: file.url };
          },
        );
      },
    });
