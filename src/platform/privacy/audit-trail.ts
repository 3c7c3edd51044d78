import type { FastifyRequest } from 'fastify';
import type { TProperties } from 'typebox';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { Text, Timestamp } from '#platform/http/schemas.ts';
import type { Clock } from '../clock.ts';
import { column, columns, type RowOf } from '../database/columns.ts';
import { type Db, type Sql, sql, type Tx } from '../database/db.ts';
import type { ActionRecorder } from '../http/approval.ts';
import { readExportReason } from '../http/csv.ts';
import { computeEtag } from '../http/etag.ts';
import { getMask, type Mask } from '../http/masking.ts';
import { defineProblem, type ProblemFactory } from '../problem.ts';
import { ERASED } from './personal-data.ts';

/** The author of a change: the id of a staff user, customer, member or API key, or the command line with its operating system user. */
type Actor = {
  readonly id: string;
  /** Null for a customer, a member and the command line. */
  readonly ipAddress: string | null;
  readonly requestId: string | null;
};

/** A kind of entity in the audit trail. Its values must not contain secrets or full CPFs; other personal data is masked here. */
export type AuditEntity<T, X extends Tx = Tx> = {
  readonly kind: string;
  /** Reads the entity, and locks its row if others can change it. Returns undefined if it does not exist. */
  readonly read: (tx: X, id: string) => Promise<T | undefined>;
};

/** Creates an entity that is a table row: `find` locks and reads the row, `render` converts it to the view of staff users. */
export const createRowAuditEntity = <Row, T, X extends Tx = Tx>(
  kind: string,
  find: (tx: X, id: string) => Promise<Row | undefined>,
  render: (row: Row, tx: X) => T | Promise<T>,
): AuditEntity<T, X> => ({
  kind,
  async read(tx, id) {
    const row = await find(tx, id);
    return row === undefined ? undefined : render(row, tx);
  },
});

export type AuditContext = {
  readonly actor: Actor;
  /** The operation id of openapi.json, or the name of the command. */
  readonly action: string;
  readonly reason?: string | undefined;
  readonly now: Date;
  /** Set for an action that may require an approval. */
  readonly actionRecorder?: ActionRecorder | undefined;
};

const changedMeanwhile = defineProblem({
  code: 'changed_meanwhile',
  status: 412,
  title: { en: 'The resource has changed meanwhile', pt: 'Foi alterado nesse meio-tempo' },
  cause: 'The `ETag` in If-Match is outdated: the resource was changed after you read it.',
  remedy: 'Read the resource again, check what has changed, and send your change with the new `ETag`.',
  detail: {
    en: 'The resource was changed after you read it. Read it again.',
    pt: 'O conteúdo mudou depois que você o leu. Leia de novo.',
  },
});

export const preconditionProblems: ProblemFactory[] = [changedMeanwhile];

/** Compares by RFC 9110: If-Match is a list of ETags, or `*`. */
const matchesEtag = (ifMatch: string, etag: string) =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag);

type AuditTarget<T, X extends Tx> = { entity: AuditEntity<T, X>; id: string; ifMatch?: string | undefined };

/**
 * Runs the update, and records author, reason, and the values before and after in the same transaction. Returns the entity after the
 * update, or undefined if it does not exist.
 */
export async function withAuditedUpdate<T, X extends Tx>(
  tx: X,
  auditContext: AuditContext,
  target: AuditTarget<T, X>,
  update: (before: T) => Promise<unknown>,
): Promise<T | undefined> {
  const auditedUpdate = await withAuditedResult(tx, auditContext, target, update);
  return auditedUpdate?.after;
}

/** Like `withAuditedUpdate`. Returns the entity after the update, and what the update returned. */
export async function withAuditedResult<T, R, X extends Tx>(
  tx: X,
  auditContext: AuditContext,
  { entity, id, ifMatch }: AuditTarget<T, X>,
  update: (before: T) => Promise<R>,
): Promise<{ after: T; result: R } | undefined> {
  const before = await entity.read(tx, id);
  if (before === undefined) return undefined;
  if (ifMatch !== undefined && !matchesEtag(ifMatch, computeEtag(before))) throw changedMeanwhile();
  const result = await update(before);
  const after = await entity.read(tx, id);
  await insertEntry(tx, auditContext, { kind: entity.kind, id }, { before, after });
  return { after: after ?? before, result };
}

/** Records the creation of an entity, in the transaction that created it. `values` must not contain secrets or full CPFs. */
export function recordAuditEntry(
  tx: Tx,
  auditContext: AuditContext,
  subject: AuditSubject,
  values: object,
): Promise<void> {
  return insertEntry(tx, auditContext, subject, { after: values });
}

/** Records many changes of one kind of entity, in the transaction that made them. Unchanged entities are left out. */
export async function recordAuditEntries(
  tx: Tx,
  auditContext: AuditContext,
  kind: string,
  changes: ReadonlyArray<{ id: string; before: unknown; after: unknown }>,
): Promise<void> {
  const entryRows = changes
    .filter(({ before, after }) => {
      const [oldFields, newFields] = findDifferences(before, after);
      return toJson(oldFields) !== toJson(newFields);
    })
    .map(({ id, before, after }) => toEntryRow(auditContext, { kind, id }, { before, after }));
  if (entryRows.length === 0) return;
  await auditContext.actionRecorder?.record(tx);
  await tx.run(sql`insert into audit_trail ${auditTrailColumns.valuesFromJson(entryRows)}`);
}

/** Records the export of a list, with its author and filter. Personal data in the filter is masked. */
export async function recordExport(
  tx: Tx,
  request: AuditedRequest & { query: unknown },
  now: Date,
): Promise<void> {
  const {
    page: _page,
    limit: _limit,
    csv: _csv,
    reason: _reason,
    ...filter
  } = request.query as Record<string, unknown>;
  const operationId = request.routeOptions.config.operation!;
  const auditContext = createAuditContext(request, now, readExportReason(request));
  await insertEntry(tx, auditContext, { kind: 'export', id: operationId }, { after: { filter } });
}

/** Records that a staff user viewed the data of this id. */
export const recordView = (tx: Tx, request: AuditedRequest, id: string, now: Date): Promise<void> =>
  insertEntry(tx, createAuditContext(request, now), { kind: 'view', id }, {});

export type AuditedRequest = Pick<FastifyRequest, 'id' | 'caller' | 'routeOptions' | 'actionRecorder'>;

/** Changes an entity for a staff user, in a transaction of its own. Returns undefined if there is no such entity. */
export function updateForStaff<T>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  request: AuditedRequest,
  {
    reason,
    ...target
  }: { entity: AuditEntity<T>; id: string; ifMatch?: string | undefined; reason?: string },
  update: (tx: Tx, now: Date, before: T) => Promise<unknown>,
): Promise<T | undefined> {
  const auditContext = createAuditContext(request, clock.now(), reason);
  return db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, target, (before) => update(tx, auditContext.now, before)),
  );
}

const buildAuditContext = (
  { id, caller, routeOptions, actionRecorder }: AuditedRequest,
  author: 'staffUserId' | 'customerId' | 'memberId' | 'keyId',
  { now, reason, hidesAddress }: { now: Date; reason?: string | undefined; hidesAddress?: true },
): AuditContext => ({
  actor: { id: caller[author], ipAddress: hidesAddress ? null : caller.ipAddress, requestId: id },
  action: routeOptions.config.operation!,
  reason,
  now,
  actionRecorder,
});

export const createAuditContext = (request: AuditedRequest, now: Date, reason?: string): AuditContext =>
  buildAuditContext(request, 'staffUserId', { now, reason });

/** The context of a change by a customer. It has no IP address, because the audit trail is retained permanently. */
export const createCustomerAuditContext = (
  request: AuditedRequest,
  now: Date,
  reason?: string,
): AuditContext => buildAuditContext(request, 'customerId', { now, reason, hidesAddress: true });

/** The context of a change by a member of a merchant. It has no IP address, as for customers. */
export const createMemberAuditContext = (request: AuditedRequest, now: Date): AuditContext =>
  buildAuditContext(request, 'memberId', { now, hidesAddress: true });

export const createKeyAuditContext = (request: AuditedRequest, now: Date): AuditContext =>
  buildAuditContext(request, 'keyId', { now });

export const createCommandAuditContext = (
  { user, clock }: { readonly user: string; readonly clock: Clock },
  action: string,
): AuditContext => ({
  actor: { id: `command line ${user}`, ipAddress: null, requestId: null },
  action,
  now: clock.now(),
});

const auditTrailColumns = columns({
  at: column.timestamptz(),
  actor: column.text(),
  address: column.text().nullable(),
  request_id: column.text().nullable(),
  action: column.text(),
  subject_kind: column.text(),
  subject_id: column.text(),
  before: column.jsonb<object>().nullable(),
  after: column.jsonb<object>().nullable(),
  reason: column.text().nullable(),
  approved_by: column.text().nullable(),
});
export type AuditTrailRow = RowOf<typeof auditTrailColumns> & { id: number };

type AuditSubject = { kind: string; id: string };
type AuditedValues = { before?: unknown; after?: unknown };

async function insertEntry(
  tx: Tx,
  auditContext: AuditContext,
  subject: AuditSubject,
  values: AuditedValues,
): Promise<void> {
  await auditContext.actionRecorder?.record(tx);
  const row = toEntryRow(auditContext, subject, values);
  await tx.run(sql`insert into audit_trail ${auditTrailColumns.valuesFromJson([row])}`);
}

function toEntryRow(
  { actor, action, reason, now, actionRecorder }: AuditContext,
  { kind, id }: AuditSubject,
  { before, after }: AuditedValues,
): RowOf<typeof auditTrailColumns> {
  const [maskedBefore, maskedAfter] = findDifferences(before, after).map(
    (fields) => maskValues(fields, kind) as object | null,
  );
  return {
    at: now,
    actor: actor.id,
    address: actor.ipAddress,
    request_id: actor.requestId,
    action,
    subject_kind: kind,
    subject_id: id,
    before: maskedBefore ?? null,
    after: maskedAfter ?? null,
    reason: reason ?? null,
    approved_by: actionRecorder?.approvedBy ?? null,
  };
}

/** Returns only the fields in which the two objects differ. If one of the arguments is no object, returns both unchanged. */
function findDifferences(before: unknown, after: unknown): [unknown, unknown] {
  if (!isRecord(before) || !isRecord(after)) return [before, after];
  const changedNames = Object.keys({ ...before, ...after }).filter(
    (name) => toJson(before[name]) !== toJson(after[name]),
  );
  const pickDifferences = (record: Record<string, unknown>) =>
    Object.fromEntries(changedNames.map((name) => [name, record[name]]));
  return [pickDifferences(before), pickDifferences(after)];
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

const maskWords = (text: string) => text.replaceAll(/([\p{L}\p{N}])[\p{L}\p{N}'’-]*/gu, '$1***');
const hideText = () => '***';
const MASKS: Record<Mask, (text: string) => string> = {
  name: maskWords,
  phone: (text) => text.replace(/^(\+\d{4})\d+(\d{2})$/, '$1*****$2'),
  email: (text) => text.replace(/^(.).*(@.*)$/, '$1***$2'),
  text: hideText,
};
type FieldMasks = Readonly<Record<string, (text: string) => string>>;

const COMMON_MASKS: FieldMasks = { phone: MASKS.phone, email: MASKS.email };
/** The masks of kinds of entities that are persons: see `declarePersonalEntity`. */
const personMasks = new Map<string, FieldMasks>();

/** Declares the personal fields of a kind of entity, by the schemas of its encrypted columns: see personal-tables.ts. */
export function declarePersonalEntity(kind: string, fields: TProperties): void {
  const masks = Object.entries(fields).flatMap(([name, schema]) => {
    const mask = getMask(schema);
    return mask ? [[name, MASKS[mask]] as const] : [];
  });
  personMasks.set(kind, { ...COMMON_MASKS, ...Object.fromEntries(masks) });
}

/** Filters by person may be ids, which are stored, or phone numbers and names, which are masked. */
const isId = (text: string) => /^[a-z]+_/.test(text);
const hideUnlessId = (text: string) => (isId(text) ? text : hideText());
const FILTER_MASKS: FieldMasks = {
  ...COMMON_MASKS,
  name: maskWords,
  q: maskWords,
  cpf: hideText,
  customer: hideUnlessId,
  referrer: hideUnlessId,
};

/** Whether a filter of a list names a person by other data than an id. */
export const namesPerson = (parameter: string, value: string): boolean =>
  Object.hasOwn(FILTER_MASKS, parameter) && !(FILTER_MASKS[parameter] === hideUnlessId && isId(value));

/**
 * Masks personal data. The audit trail is retained permanently and read by many, so it says that a phone number changed, without the number.
 * `kind` is the kind of entity; for a nested object it is the name of its field, such as the `filter` of an export.
 */
function maskValues(value: unknown, kind: string): unknown {
  if (!isRecord(value)) return Array.isArray(value) ? value.map((item) => maskValues(item, kind)) : value;
  const masks = kind === 'filter' ? FILTER_MASKS : (personMasks.get(kind) ?? COMMON_MASKS);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (typeof field !== 'string') return [name, maskValues(field, name)];
      return [name, Object.hasOwn(masks, name) ? masks[name]!(field) : field];
    }),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Erases the personal data in the entries of these entities, but not the entries. See append_only in the migrations. */
export async function eraseAuditTrail(
  tx: Tx,
  { kind, ids, fields }: { kind: string; ids: readonly string[]; fields: readonly string[] },
): Promise<void> {
  const eraseFields = (columnSql: Sql) => sql`
    ${columnSql} || coalesce((select jsonb_object_agg(key, to_jsonb(${ERASED}::text))
      from jsonb_object_keys(case jsonb_typeof(${columnSql}) when 'object' then ${columnSql} end) as key
      where key = any(${fields})), '{}')`;
  await tx.run(sql`
    update audit_trail set before = ${eraseFields(sql`before`)}, after = ${eraseFields(sql`after`)},
      reason = case when reason is not null then ${ERASED}::text end
    where subject_kind = ${kind} and subject_id = any(${ids})`);
}

/** The pattern of our ids, which no kind of entity matches. */
const ID_PATTERN = /^[a-z]+_[0-9a-z]{26}$/;

export const auditTrailList = defineList({
  select: sql`
    select id, at, actor, address, request_id, action, subject_kind, subject_id, before, after, reason, approved_by
    from audit_trail`,
  filters: {
    actor: filterBy(
      Text(120, { description: 'Id of a staff user, or another actor of the audit trail.' }),
      sql`actor`,
    ),
    subject: filterBy(
      Text(200, {
        description: 'The changed entity: a kind, a kind and an id, or an id such as that of a customer.',
        examples: ['merchant:otica-lume'],
      }),
      (subject) => {
        if (ID_PATTERN.test(subject)) return sql`subject_id = ${subject}`;
        const [kind, id] = subject.split(/:(.*)/s); // at the first colon
        return id === undefined
          ? sql`subject_kind = ${kind}`
          : sql`subject_kind = ${kind} and subject_id = ${id}`;
      },
    ),
    since: filterBy(Timestamp({ description: 'Earliest time.' }), (since) => sql`at >= ${new Date(since)}`),
    ...filterByDays('Changed', sql`at`),
  },
  orderBy: [sql`at`, sql`id`],
  keyOf: ({ at, id }: AuditTrailRow) => [at, id],
});
