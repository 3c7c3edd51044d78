import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable, Tx } from '#platform/db.ts';
import { type Page, paginationOf } from '#platform/http/pagination.ts';
import { validationFailed } from '#platform/problem.ts';
import { actorOf, etagOf, recordChange, recordCreation, type Subject } from '#platform/trail.ts';
import { checkRecord } from '../import/check-record.ts';
import { KINDS, type KindName } from '../import/kinds.ts';
import { addMedia } from '../media/media.ts';
import { alreadyExists } from '../problems.ts';

export type Content = { readonly db: Db; readonly clock: Clock };

/** A kind of content at the staff door. What may stand in its fields is what an import takes. */
export type Resource<S extends TSchema> = {
  readonly kind: KindName;
  /** What the trail calls it. */
  readonly subject: string;
  /** From what an import would write to what people see, and back. */
  show(record: never): Static<S>;
  readonly flatten?: (body: Record<string, unknown>) => Record<string, unknown>;
  list(
    db: Queryable,
    filter: Record<string, unknown>,
    at: { offset: number; limit: number },
  ): Promise<{ total: number; rows: unknown[] }>;
  remove(tx: Tx, key: string): Promise<void>;
};

type ChangeRequest = Pick<FastifyRequest, 'id' | 'caller'> & { body: unknown };
type Reply = { header(name: string, value: string): unknown };

export async function listContent<S extends TSchema>(
  { db }: Content,
  resource: Resource<S>,
  { page, limit, ...filter }: Page & Record<string, unknown>,
) {
  const { total, rows } = await resource.list(db, filter, { offset: (page - 1) * limit, limit });
  return {
    data: rows.map((row) => resource.show(row as never)),
    pagination: paginationOf({ page, limit }, total),
  };
}

export async function showContent<S extends TSchema>(
  { db }: Content,
  resource: Resource<S>,
  key: string,
  reply: Reply,
): Promise<Static<S> | undefined> {
  const shown = await db.transaction((tx) => subjectOf(resource).read(tx, key));
  if (shown !== undefined) reply.header('etag', etagOf(shown));
  return shown;
}

export async function createContent<S extends TSchema>(
  { db, clock }: Content,
  resource: Resource<S>,
  request: ChangeRequest,
  action: string,
): Promise<Static<S>> {
  const { kind } = resource;
  const record = checked(resource, request.body, true);
  const key = record[KINDS[kind].key] as string;
  return db.transaction(async (tx) => {
    if ((await KINDS[kind].lock(tx, [key])).length > 0) throw alreadyExists(`'${key}' is there already.`);
    await write(tx, kind, record);
    const shown = await subjectOf(resource).read(tx, key);
    const change = { actor: actorOf(request), action, now: clock.now() };
    await recordCreation(tx, change, { kind: resource.subject, id: key }, shown as object);
    return shown!;
  });
}

/** Only what is sent changes. Undefined: there is no such thing. */
export async function changeContent<S extends TSchema>(
  { db, clock }: Content,
  resource: Resource<S>,
  request: ChangeRequest & { headers: { 'if-match'?: string } },
  reply: Reply,
  { action, key }: { action: string; key: string },
): Promise<Static<S> | undefined> {
  const { kind } = resource;
  const changes = checked(resource, request.body, false);
  const shown = await db.transaction((tx) =>
    recordChange(
      tx,
      { actor: actorOf(request), action, now: clock.now() },
      { of: subjectOf(resource), id: key, ifMatch: request.headers['if-match'] },
      async () => {
        const [kept] = await KINDS[kind].lock(tx, [key]);
        await write(tx, kind, { ...kept, ...changes });
      },
    ),
  );
  if (shown !== undefined) reply.header('etag', etagOf(shown));
  return shown;
}

/** Keeps a picture, and shows it in this field. Undefined: there is no such thing. */
export async function setPicture<S extends TSchema>(
  content: Content,
  resource: Resource<S>,
  request: Pick<FastifyRequest, 'id' | 'caller'> & { headers: { 'if-match'?: string } },
  reply: Reply,
  { action, key }: { action: string; key: string },
  { bytes, field }: { bytes: Buffer; field: string },
): Promise<Static<S> | undefined> {
  const change = { actor: actorOf(request), action, now: content.clock.now() };
  const { file } = await content.db.transaction((tx) => addMedia(tx, bytes, change));
  const { id, caller, headers } = request;
  return changeContent(content, resource, { id, caller, headers, body: { [field]: file.url } }, reply, {
    action,
    key,
  });
}

export async function removeContent<S extends TSchema>(
  { db, clock }: Content,
  resource: Resource<S>,
  request: Pick<FastifyRequest, 'id' | 'caller'>,
  { action, key }: { action: string; key: string },
): Promise<boolean> {
  const change = { actor: actorOf(request), action, now: clock.now() };
  const removed = await db.transaction((tx) =>
    recordChange(tx, change, { of: subjectOf(resource), id: key }, () => resource.remove(tx, key)),
  );
  return removed !== undefined;
}

const subjectOf = <S extends TSchema>({ kind, subject, show }: Resource<S>): Subject<Static<S>> => ({
  kind: subject,
  async read(tx, key) {
    const [record] = await KINDS[kind].lock(tx, [key]);
    return record === undefined ? undefined : show(record as never);
  },
});

function checked<S extends TSchema>(
  { kind, flatten }: Resource<S>,
  body: unknown,
  isNew: boolean,
): Record<string, unknown> {
  const record = flatten ? flatten(body as Record<string, unknown>) : (body as Record<string, unknown>);
  const result = checkRecord(KINDS[kind], record, isNew);
  if ('faults' in result) throw refused(result.faults);
  return result.value;
}

async function write(tx: Tx, kind: KindName, record: Record<string, unknown>): Promise<void> {
  const [fault] = (await KINDS[kind].write(tx, [record])).values();
  if (fault !== undefined) throw refused([fault]);
}

/** Faults read 'field: what is wrong'. */
function refused(faults: readonly string[]) {
  const errors = faults.map((fault) => {
    const [field, message] = fault.split(/: (.*)/s);
    return { pointer: `/${field}`, message: message ?? fault };
  });
  return validationFailed(faults.join('; '), { errors });
}
