import type { Static, TObject, TSchema } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import type { FieldRoles } from '#platform/http/access.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { type ListCall, type PageRange, respondWithPages } from '#platform/http/list-query.ts';
import {
  type AuditContext,
  type AuditEntity,
  type AuditedRequest,
  auditContextFor,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { type CheckResult, checkPatch, checkRecord, type MaxPlanRate } from '../import/check-record.ts';
import { describeViolations, type FieldViolation } from '../import/fields.ts';
import { KINDS, type KindName } from '../import/kinds.ts';
import { lockCreation } from '../import/store.ts';
import { addMedia } from '../media/media.ts';
import type { MerchantCache } from '../merchant-cache.ts';
import { alreadyExists } from '../problems.ts';

export type ContentDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly maxRate: MaxPlanRate;
  readonly merchants: Pick<MerchantCache, 'findIds'>;
};

/** A kind of content that the staff API manages. Its fields are validated by the same rules as an import. */
export type Resource<S extends TSchema> = {
  readonly kind: KindName;
  /** The noun in summaries and descriptions: 'merchant'. */
  readonly noun: string;
  /** The noun in operation ids: 'Merchant'. */
  readonly operationNoun: string;
  readonly notFound: Bilingual;
  readonly exampleKey: string;
  readonly schema: S;
  readonly createForm: TObject;
  readonly patchForm: TObject;
  readonly fieldRoles?: FieldRoles;
  readonly bodyLimitBytes?: number;
  /** Turns an import record into the response. */
  render(record: never): Static<S>;
  /** Turns a request body into an import record. */
  readonly toRecord?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** The JSON pointer in the body for a field of an import record. */
  readonly toPointer?: (field: string) => string;
  list(
    db: Queryable,
    filter: Record<string, unknown>,
    range: PageRange,
  ): Promise<{ total: number; rows: unknown[] }>;
  remove(tx: Tx, key: string): Promise<unknown>;
};

export const listContent = <S extends TObject>(
  { db, clock, merchants }: ContentDeps,
  resource: Resource<S>,
  call: ListCall,
) =>
  respondWithPages(
    call,
    (range) => resource.list(db, { ...call.request.query, now: clock.now(), merchants }, range),
    {
      item: resource.schema,
      render: (rows) => rows.map((row) => resource.render(row as never)),
    },
  );

export const getContent = <S extends TSchema>(
  { db }: ContentDeps,
  resource: Resource<S>,
  key: string,
): Promise<Static<S> | undefined> => db.transaction((tx) => toAuditEntity(resource).read(tx, key));

export function createContent<S extends TSchema>(
  { db, clock, maxRate }: ContentDeps,
  resource: Resource<S>,
  { request, reply }: Omit<Parameters<typeof createOnce>[1], 'now'> & { request: AuditedRequest },
): Promise<Static<S>> {
  const record = validateNew(resource, request.body, maxRate);
  const now = clock.now();
  return createOnce(db, { request, reply, now }, (tx) =>
    insertRecord(tx, resource, record, auditContextFor(request, now)),
  );
}

/** Like `createContent`, in the caller's transaction and without an idempotency key. */
export const insertContent = <S extends TSchema>(
  tx: Tx,
  resource: Resource<S>,
  body: unknown,
  { auditContext, maxRate }: { auditContext: AuditContext; maxRate: MaxPlanRate },
): Promise<Static<S>> => insertRecord(tx, resource, validateNew(resource, body, maxRate), auditContext);

async function insertRecord<S extends TSchema>(
  tx: Tx,
  resource: Resource<S>,
  record: Record<string, unknown>,
  auditContext: AuditContext,
): Promise<Static<S>> {
  const { kind } = resource;
  const key = record[KINDS[kind].key] as string;
  await lockCreation(tx, kind, key);
  if ((await KINDS[kind].lock(tx, [key])).length > 0) throw alreadyExists(key);
  await writeRecord(tx, resource, record);
  const content = await toAuditEntity(resource).read(tx, key);
  await recordAuditEntry(tx, auditContext, { kind: KINDS[kind].auditKind, id: key }, content as object);
  return content!;
}

type ConditionalRequest = AuditedRequest & { headers: { 'if-match'?: string } };

/** Changes only the fields in the body. Returns undefined if the record does not exist. */
export function updateContent<S extends TSchema>(
  deps: ContentDeps,
  resource: Resource<S>,
  request: ConditionalRequest & { body: unknown },
  key: string,
): Promise<Static<S> | undefined> {
  const patch = validatePatch(resource, request.body, deps.maxRate);
  return updateRecord(deps, resource, request, key, async () => patch);
}

/** Stores a picture and sets `field` to its path. Returns undefined if the record does not exist. */
export const setPicture = <S extends TSchema>(
  deps: ContentDeps,
  resource: Resource<S>,
  request: ConditionalRequest,
  key: string,
  { bytes, field }: { bytes: Buffer; field: string },
): Promise<Static<S> | undefined> =>
  updateRecord(deps, resource, request, key, async (tx, auditContext) => {
    const { file } = await addMedia(tx, bytes, auditContext);
    return { [field]: file.url };
  });

function updateRecord<S extends TSchema>(
  { db, clock }: ContentDeps,
  resource: Resource<S>,
  request: ConditionalRequest,
  key: string,
  buildPatch: (tx: Tx, auditContext: AuditContext) => Promise<Record<string, unknown>>,
): Promise<Static<S> | undefined> {
  const auditContext = auditContextFor(request, clock.now());
  const target = { entity: toAuditEntity(resource), id: key, ifMatch: request.headers['if-match'] };
  return db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, target, async () => {
      const [storedRecord] = await KINDS[resource.kind].lock(tx, [key]);
      await writeRecord(tx, resource, { ...storedRecord, ...(await buildPatch(tx, auditContext)) });
    }),
  );
}

/** Returns whether the record existed. */
export async function removeContent(
  db: Db,
  resource: Resource<TSchema>,
  key: string,
  auditContext: AuditContext,
) {
  const target = { entity: toAuditEntity(resource), id: key };
  const removed = await db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, target, () => resource.remove(tx, key)),
  );
  return removed !== undefined;
}

const toAuditEntity = <S extends TSchema>({ kind, render }: Resource<S>): AuditEntity<Static<S>> => ({
  kind: KINDS[kind].auditKind,
  async read(tx, key) {
    const [record] = await KINDS[kind].lock(tx, [key]);
    return record === undefined ? undefined : render(record as never);
  },
});

const validateNew = <S extends TSchema>(resource: Resource<S>, body: unknown, maxRate: MaxPlanRate) =>
  requireValid(resource, checkRecord(KINDS[resource.kind], toImportRecord(resource, body), maxRate));

const validatePatch = <S extends TSchema>(resource: Resource<S>, body: unknown, maxRate: MaxPlanRate) =>
  requireValid(resource, checkPatch(KINDS[resource.kind], toImportRecord(resource, body), maxRate));

const toImportRecord = <S extends TSchema>({ toRecord }: Resource<S>, body: unknown) =>
  toRecord ? toRecord(body as Record<string, unknown>) : (body as Record<string, unknown>);

function requireValid<S extends TSchema>(resource: Resource<S>, result: CheckResult) {
  if ('violations' in result) throw toProblem(resource, result.violations);
  return result.value;
}

async function writeRecord<S extends TSchema>(
  tx: Tx,
  resource: Resource<S>,
  record: Record<string, unknown>,
) {
  const [violation] = (await KINDS[resource.kind].write(tx, [record])).values();
  if (violation !== undefined) throw toProblem(resource, [violation]);
}

function toProblem<S extends TSchema>({ toPointer }: Resource<S>, violations: readonly FieldViolation[]) {
  const errors = violations.map(({ field, message }) => ({
    pointer: toPointer?.(field) ?? `/${field}`,
    message,
  }));
  return validationFailed(errors, describeViolations(violations));
}
