import type { Static, TObject, TSchema } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import type { FieldRoles } from '#platform/http/access.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { answerPages, type ListCall, type Range } from '#platform/http/listing.ts';
import {
  type Change,
  changeBy,
  recordChange,
  recordCreation,
  type StaffRequest,
  type Subject,
} from '#platform/privacy/trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { checkRecord } from '../import/check-record.ts';
import { describeFaults, type RecordFault } from '../import/fields.ts';
import { KINDS, type KindName } from '../import/kinds.ts';
import { lockCreation } from '../import/store.ts';
import { addMedia } from '../media/media.ts';
import { alreadyExists } from '../problems.ts';

export type Content = { readonly db: Db; readonly clock: Clock };

/** A kind of content at the staff door. Its fields are checked by the same rules as an import. */
export type Resource<S extends TSchema> = {
  readonly kind: KindName;
  /** What texts call it. */
  readonly noun: string;
  /** What operation ids call it. */
  readonly name: string;
  readonly notFound: Bilingual;
  /** Of its key. */
  readonly example: string;
  readonly schema: S;
  readonly form: TObject;
  readonly changeForm: TObject;
  readonly fieldRoles?: FieldRoles;
  readonly bodyLimitBytes?: number;
  /** `show` turns an import's record into the answer; `flatten` turns a request's body into an import's record. */
  show(record: never): Static<S>;
  readonly flatten?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** The JSON pointer in the body for a field of an import. */
  readonly pointerOf?: (field: string) => string;
  list(
    db: Queryable,
    filter: Record<string, unknown>,
    at: Range,
  ): Promise<{ total: number; rows: unknown[] }>;
  remove(tx: Tx, key: string): Promise<unknown>;
};

export const listContent = <S extends TObject>(
  { db, clock }: Content,
  resource: Resource<S>,
  call: ListCall,
) =>
  answerPages(call, (at) => resource.list(db, { ...call.request.query, now: clock.now() }, at), {
    item: resource.schema,
    render: (rows) => rows.map((row) => resource.show(row as never)),
  });

export const showContent = <S extends TSchema>(
  { db }: Content,
  resource: Resource<S>,
  key: string,
): Promise<Static<S> | undefined> => db.transaction((tx) => subjectOf(resource).read(tx, key));

export function createContent<S extends TSchema>(
  { db, clock }: Content,
  resource: Resource<S>,
  { request, reply }: Omit<Parameters<typeof createOnce>[1], 'now'> & { request: StaffRequest },
): Promise<Static<S>> {
  const record = checked(resource, request.body, true);
  const now = clock.now();
  return createOnce(db, { request, reply, now }, (tx) =>
    insertRecord(tx, resource, record, changeBy(request, now)),
  );
}

/** The same in a transaction of somebody else's. */
export const insertContent = <S extends TSchema>(
  tx: Tx,
  resource: Resource<S>,
  body: unknown,
  change: Change,
): Promise<Static<S>> => insertRecord(tx, resource, checked(resource, body, true), change);

async function insertRecord<S extends TSchema>(
  tx: Tx,
  resource: Resource<S>,
  record: Record<string, unknown>,
  change: Change,
): Promise<Static<S>> {
  const { kind } = resource;
  const key = record[KINDS[kind].key] as string;
  await lockCreation(tx, kind, key);
  if ((await KINDS[kind].lock(tx, [key])).length > 0) throw alreadyExists(key);
  await write(tx, resource, record);
  const shown = await subjectOf(resource).read(tx, key);
  await recordCreation(tx, change, { kind: KINDS[kind].subject, id: key }, shown as object);
  return shown!;
}

type OfContent = StaffRequest & { headers: { 'if-match'?: string } };

/** Changes only the fields that were sent. Undefined when there is no such record. */
export function changeContent<S extends TSchema>(
  content: Content,
  resource: Resource<S>,
  request: OfContent & { body: unknown },
  key: string,
): Promise<Static<S> | undefined> {
  const changes = checked(resource, request.body, false);
  return changing(content, resource, request, key, async () => changes);
}

/** Stores a picture and sets this field to its address. Undefined when there is no such record. */
export const setPicture = <S extends TSchema>(
  content: Content,
  resource: Resource<S>,
  request: OfContent,
  key: string,
  { bytes, field }: { bytes: Buffer; field: string },
): Promise<Static<S> | undefined> =>
  changing(content, resource, request, key, async (tx, change) => {
    const { file } = await addMedia(tx, bytes, change);
    return { [field]: file.url };
  });

function changing<S extends TSchema>(
  { db, clock }: Content,
  resource: Resource<S>,
  request: OfContent,
  key: string,
  changes: (tx: Tx, change: Change) => Promise<Record<string, unknown>>,
): Promise<Static<S> | undefined> {
  const change = changeBy(request, clock.now());
  const subject = { of: subjectOf(resource), id: key, ifMatch: request.headers['if-match'] };
  return db.transaction((tx) =>
    recordChange(tx, change, subject, async () => {
      const [kept] = await KINDS[resource.kind].lock(tx, [key]);
      await write(tx, resource, { ...kept, ...(await changes(tx, change)) });
    }),
  );
}

/** Returns whether it existed. */
export async function takeOut(db: Db, resource: Resource<TSchema>, key: string, change: Change) {
  const removed = await db.transaction((tx) =>
    recordChange(tx, change, { of: subjectOf(resource), id: key }, () => resource.remove(tx, key)),
  );
  return removed !== undefined;
}

const subjectOf = <S extends TSchema>({ kind, show }: Resource<S>): Subject<Static<S>> => ({
  kind: KINDS[kind].subject,
  async read(tx, key) {
    const [record] = await KINDS[kind].lock(tx, [key]);
    return record === undefined ? undefined : show(record as never);
  },
});

function checked<S extends TSchema>(resource: Resource<S>, body: unknown, isNew: boolean) {
  const { kind, flatten } = resource;
  const record = flatten ? flatten(body as Record<string, unknown>) : (body as Record<string, unknown>);
  const result = checkRecord(KINDS[kind], record, isNew);
  if ('faults' in result) throw refused(resource, result.faults);
  return result.value;
}

async function write<S extends TSchema>(tx: Tx, resource: Resource<S>, record: Record<string, unknown>) {
  const [fault] = (await KINDS[resource.kind].write(tx, [record])).values();
  if (fault !== undefined) throw refused(resource, [fault]);
}

function refused<S extends TSchema>({ pointerOf }: Resource<S>, faults: readonly RecordFault[]) {
  const errors = faults.map(({ field, message }) => ({
    pointer: pointerOf?.(field) ?? `/${field}`,
    message,
  }));
  return validationFailed(errors, describeFaults(faults));
}
