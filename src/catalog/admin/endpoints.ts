import { type TObject, Type } from 'typebox';
import { requireFieldRoles } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { readBody } from '#platform/http/file-body.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { Slug } from '#platform/http/schemas.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import type { ProblemMaker } from '#platform/problem.ts';
import { KINDS } from '../import/kinds.ts';
import { imageRefused, PICTURE_TYPES } from '../media/media.ts';
import { alreadyExists } from '../problems.ts';
import {
  type Content,
  changeContent,
  createContent,
  type Resource,
  setPicture,
  showContent,
  takeOut,
} from './content.ts';

type AnyResource = Resource<TObject>;

/** What all endpoints of one record declare. */
function oneOf({ kind, example, notFound }: AnyResource) {
  const { key } = KINDS[kind];
  const slug = Slug({ description: `The ${key}, as in lists.`, examples: [example] });
  return { params: Type.Object({ [key]: slug }), notFound };
}

const keyIn = (params: Record<string, string>): string => Object.values(params)[0]!;

const EDITOR = { scope: 'operator', role: 'content' } as const;

/** Who may write it, and how much. */
const writing = ({ fieldRoles, bodyLimitBytes }: AnyResource) => ({
  access: fieldRoles ? { ...EDITOR, fields: fieldRoles } : EDITOR,
  ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
});

export const showEndpoint = (route: `GET /${string}`, resource: AnyResource) => (content: Content) =>
  endpoint(route, {
    access: { scope: 'operator', role: 'viewer' },
    id: `get${resource.name}ForStaff`,
    summary: `Show one ${resource.noun}`,
    ...oneOf(resource),
    answers: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
    handler: ({ params }) => showContent(content, resource, keyIn(params)),
  });

export const createEndpoint =
  (route: `POST /${string}`, resource: AnyResource, about: { description?: string } = {}) =>
  (content: Content) =>
    endpoint(route, {
      ...writing(resource),
      ...about,
      id: `create${resource.name}`,
      summary: `Add a ${resource.noun}`,
      headers: idempotency.header,
      body: resource.form,
      answers: { 201: { description: `The ${resource.noun}.`, schema: resource.schema } },
      problems: [...idempotency.problems, alreadyExists],
      handler(request, reply) {
        requireFieldRoles(request.caller, resource.fieldRoles ?? {}, request.body);
        return createContent(content, resource, { request, reply });
      },
    });

export const changeEndpoint =
  (route: `PATCH /${string}`, resource: AnyResource, about: { description?: string } = {}) =>
  (content: Content) =>
    endpoint(route, {
      ...writing(resource),
      ...about,
      id: `change${resource.name}`,
      summary: `Change a ${resource.noun}: only what is sent`,
      ...oneOf(resource),
      headers: ifMatchHeader,
      body: resource.changeForm,
      answers: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: changeProblems,
      handler(request) {
        requireFieldRoles(request.caller, resource.fieldRoles ?? {}, request.body);
        return changeContent(content, resource, request, keyIn(request.params));
      },
    });

export const removeEndpoint =
  (route: `DELETE /${string}`, resource: AnyResource, problems: ProblemMaker[] = []) =>
  ({ db, clock }: Content) =>
    endpoint(route, {
      access: EDITOR,
      id: `remove${resource.name}`,
      summary: `Remove a ${resource.noun}`,
      ...oneOf(resource),
      answers: { 204: { description: 'It is gone.' } },
      problems,
      async handler(request) {
        const change = changeBy(request, clock.now());
        if (!(await takeOut(db, resource, keyIn(request.params), change))) throw request.notFound();
      },
    });

/** `field`: of the record, which is the address of the picture from then on. */
export const pictureEndpoint =
  (route: `PUT /${string}`, resource: AnyResource, of: { id: string; summary: string; field: string }) =>
  (content: Content) =>
    endpoint(route, {
      access: EDITOR,
      id: of.id,
      summary: of.summary,
      description: `As \`POST /admin/media\`, and the ${resource.noun} shows it from then on.`,
      ...oneOf(resource),
      headers: ifMatchHeader,
      rawBody: true,
      rawTypes: PICTURE_TYPES,
      answers: { 200: { description: `The ${resource.noun}.`, schema: resource.schema, etag: true } },
      problems: [imageRefused, ...changeProblems],
      async handler(request) {
        const picture = { bytes: await readBody(request.raw), field: of.field };
        return setPicture(content, resource, request, keyIn(request.params), picture);
      },
    });
