import type { Static, TObject } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import type { FieldRoles } from '#platform/http/access.ts';
import type { PageRange } from '#platform/http/list-query.ts';
import {
  type AuditContext,
  type AuditEntity,
  type AuditedRequest,
  createAuditContext,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { validationFailed } from '#platform/problem.ts';
import type { MerchantCache } from '../merchant-cache.ts';
import { alreadyExists } from '../problems.ts';
import { describeViolations, type FieldViolation } from './fields.ts';
import {
  type CheckResult,
  checkPatch,
  checkRecord,
  type GetMaxPlanRate,
  KINDS,
  type KindName,
} from './kinds.ts';
import { lockCreation } from './record-store.ts';

export type ContentDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly getMaxRate: GetMaxPlanRate;
  readonly merchants: Pick<MerchantCache, 'findIds'>;
};

type Fields = Record<string, unknown>;
/** A record as the staff API returns it. */
type Content = Static<TObject>;

/** A kind of content that the staff API manages. Its fields are validated by the same rules as an import. */
export type Resource = {
  readonly kind: KindName;
  /** The noun in summaries and descriptions: 'merchant'. */
  readonly noun: string;
  /** The noun in operation ids: 'Merchant'. */
  readonly operationNoun: string;
  readonly notFound: Bilingual;
  readonly exampleKey: string;
  readonly schema: TObject;
  readonly createForm: TObject;
  readonly patchForm: TObject;
  readonly fieldRoles?: FieldRoles;
  readonly bodyLimitBytes?: number;
  /** Turns an import record, whose type depends on the kind, into the response. */
  render(record: never): Content;
  /** Turns a request body into an import record. */
  readonly toRecord?: (body: Fields) => Fields;
  /** The JSON pointer in the body for a field of an import record. */
  readonly toPointer?: (field: string) => string;
  list(db: Queryable, filter: Fields, range: PageRange): Promise<{ total: number; rows: unknown[] }>;
  remove(tx: Tx, key: string): Promise<unknown>;
};

/** The `read` of the entity locks the record. */
export const buildContentAuditEntity = ({ kind, render }: Resource): AuditEntity<Content> => ({
  kind: KINDS[kind].auditKind,
  async read(tx, key) {
    const [record] = await KINDS[kind].lock(tx, [key]);
    return record && render(record as never);
  },
});

export async function insertContent(
  tx: Tx,
  resource: Resource,
  body: unknown,
  { auditContext, getMaxRate }: { auditContext: AuditContext; getMaxRate: GetMaxPlanRate },
): Promise<Content> {
  const { key: keyName, find, auditKind } = KINDS[resource.kind];
  const record = requireValid(resource, checkRecord, body, getMaxRate);
  const key = record[keyName] as string;
  await lockCreation(tx, resource.kind, key);
  if (await find(tx, key)) throw alreadyExists(key);
  await writeRecord(tx, resource, record);
  const content = (await buildContentAuditEntity(resource).read(tx, key))!;
  await recordAuditEntry(tx, auditContext, { kind: auditKind, id: key }, content);
  return content;
}

export const validatePatch = (resource: Resource, body: unknown, getMaxRate: GetMaxPlanRate): Fields =>
  requireValid(resource, checkPatch, body, getMaxRate);

/** Changes only the fields of the patch. Returns undefined if the record does not exist. */
export function updateContent(
  { db, clock }: ContentDeps,
  resource: Resource,
  request: AuditedRequest & { headers: { 'if-match'?: string } },
  key: string,
  buildPatch: (tx: Tx, auditContext: AuditContext) => Fields | Promise<Fields>,
): Promise<Content | undefined> {
  const auditContext = createAuditContext(request, clock.now());
  const target = { entity: buildContentAuditEntity(resource), id: key, ifMatch: request.headers['if-match'] };
  return db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, target, async () => {
      const storedRecord = await KINDS[resource.kind].find(tx, key);
      await writeRecord(tx, resource, { ...storedRecord, ...(await buildPatch(tx, auditContext)) });
    }),
  );
}

function requireValid(
  resource: Resource,
  check: typeof checkRecord,
  body: unknown,
  getMaxRate: GetMaxPlanRate,
) {
  const { kind, toRecord = (fields: Fields) => fields } = resource;
  const result: CheckResult = check(KINDS[kind], toRecord(body as Fields), getMaxRate);
  if ('violations' in result) throw toProblem(resource, result.violations);
  return result.value;
}

async function writeRecord(tx: Tx, resource: Resource, record: Fields) {
  const violations = await KINDS[resource.kind].write(tx, [record]);
  const violation = violations.get(record);
  if (violation !== undefined) throw toProblem(resource, [violation]);
}

function toProblem({ toPointer }: Resource, violations: readonly FieldViolation[]) {
  const errors = violations.map(({ field, message }) => ({
    pointer: toPointer?.(field) ?? `/${field}`,
    message,
  }));
  return validationFailed(errors, describeViolations(violations));
}
