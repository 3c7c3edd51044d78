import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { column, columns, type RowOf } from '../database/columns.ts';
import { type Sql, sql, type Tx } from '../database/db.ts';
import { etagOf } from '../http/etag.ts';
import { type Listing, onDays } from '../http/listing.ts';
import { defineProblem, type ProblemMaker } from '../problem.ts';
import { ERASED } from './personal-data.ts';

/** The author of a change: the id of a person, a customer or a member of a merchant, or the command line with the user of its machine. */
type Actor = {
  readonly id: string;
  readonly address: string | null;
  readonly requestId: string | null;
};

/** The thing that is changed, as staff see it: without secrets and full CPFs. Its personal data is masked here. */
export type Subject<T, X extends Tx = Tx> = {
  readonly kind: string;
  /** Locks the row where others can change it. Undefined: not found. */
  readonly read: (tx: X, id: string) => Promise<T | undefined>;
};

/** A thing that is a row: `find` locks and reads it, `render` makes of it what staff see. */
export const rowSubject = <Row, T, X extends Tx = Tx>(
  kind: string,
  find: (tx: X, id: string) => Promise<Row | undefined>,
  render: (row: Row, tx: X) => T | Promise<T>,
): Subject<T, X> => ({
  kind,
  async read(tx, id) {
    const row = await find(tx, id);
    return row === undefined ? undefined : render(row, tx);
  },
});

export type Change = {
  readonly actor: Actor;
  /** The operation id of openapi.json, or the name of the command. */
  readonly action: string;
  readonly reason?: string | undefined;
  readonly now: Date;
};

const changedMeanwhile = defineProblem({
  code: 'changed_meanwhile',
  status: 412,
  title: { en: 'It was changed meanwhile', pt: 'Foi alterado nesse meio-tempo' },
  cause:
    'The `ETag` in If-Match is not that of the thing as it is now: somebody changed it since you read it.',
  remedy: 'Read it again, look at what has changed, and send your change with the new `ETag`.',
  detail: {
    en: 'It is not what you read any more. Read it again.',
    pt: 'O conteúdo mudou depois que você o leu. Leia de novo.',
  },
});

export const changeProblems: ProblemMaker[] = [changedMeanwhile];

/** RFC 9110: a list of ETags, or `*`. */
const isMatch = (ifMatch: string, etag: string) =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((one) => one.trim() === etag);

/**
 * Changes an existing thing and records author, reason, and the values before and after, in the same transaction. Undefined: not
 * found.
 */
export async function recordChange<T, X extends Tx>(
  tx: X,
  change: Change,
  { of, id, ifMatch }: { of: Subject<T, X>; id: string; ifMatch?: string | undefined },
  work: (before: T) => Promise<unknown>,
): Promise<T | undefined> {
  const before = await of.read(tx, id);
  if (before === undefined) return undefined;
  if (ifMatch !== undefined && !isMatch(ifMatch, etagOf(before))) throw changedMeanwhile();
  await work(before);
  const after = await of.read(tx, id);
  await insertTrail(tx, change, { kind: of.kind, id }, before, after);
  return after ?? before;
}

/** Records the creation of a thing, in the transaction that created it. `shown` is without secrets and full CPFs. */
export function recordCreation(
  tx: Tx,
  change: Change,
  subject: { kind: string; id: string },
  shown: object,
): Promise<void> {
  return insertTrail(tx, change, subject, undefined, shown);
}

/** Records many changes of one kind, in the transaction that made them. Unchanged ones are left out. */
export async function recordChanges(
  tx: Tx,
  change: Change,
  kind: string,
  changes: ReadonlyArray<{ id: string; before: unknown; after: unknown }>,
): Promise<void> {
  const rows = changes
    .filter(({ before, after }) => new Set(differing(before, after).map(jsonOf)).size > 1)
    .map(({ id, before, after }) => trailRow(change, { kind, id }, before, after));
  if (rows.length === 0) return;
  await tx.run(sql`insert into audit_trail ${trail.each(rows)}`);
}

/** Parameters of the form of an export, not of its filter. */
const NO_FILTER = new Set(['page', 'limit', 'csv']);

/** Records who exported a list, and with which filter. Personal data in the filter is masked. */
export async function recordExport(
  tx: Tx,
  request: StaffRequest & { query: unknown },
  now: Date,
): Promise<void> {
  const { operation } = request.routeOptions.config;
  const given = Object.entries(request.query as object).filter(([name]) => !NO_FILTER.has(name));
  const after = { filter: Object.fromEntries(given) };
  await insertTrail(tx, changeBy(request, now), { kind: 'export', id: operation! }, undefined, after);
}

/** Records who looked at a person whose data is not masked for them. */
export const recordView = (tx: Tx, request: StaffRequest, id: string, now: Date): Promise<void> =>
  insertTrail(tx, changeBy(request, now), { kind: 'view', id }, undefined, undefined);

export type StaffRequest = Pick<FastifyRequest, 'id' | 'caller' | 'routeOptions'>;

export const changeBy = (
  { id, caller, routeOptions }: StaffRequest,
  now: Date,
  reason?: string | undefined,
): Change => ({
  actor: { id: caller.personId, address: caller.address, requestId: id },
  action: routeOptions.config.operation!,
  reason,
  now,
});

/** A change by a customer, of their own. Without their address: the trail is kept for good. */
export const changeByCustomer = (request: StaffRequest, now: Date, reason?: string): Change => {
  const change = changeBy(request, now, reason);
  return { ...change, actor: { ...change.actor, id: request.caller.customerId, address: null } };
};

/** A change by a member of a merchant. Without their address, as for customers. */
export const changeByMember = (request: StaffRequest, now: Date): Change => {
  const change = changeBy(request, now);
  return { ...change, actor: { ...change.actor, id: request.caller.memberId, address: null } };
};

export const changeByCommand = (
  { user, clock }: { readonly user: string; readonly clock: Clock },
  action: string,
): Change => ({
  actor: { id: `command line ${user}`, address: null, requestId: null },
  action,
  now: clock.now(),
});

const trail = columns({
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
});
export type TrailRow = RowOf<typeof trail> & { id: number };

async function insertTrail(tx: Tx, ...of: Parameters<typeof trailRow>): Promise<void> {
  await tx.run(sql`insert into audit_trail ${trail.each([trailRow(...of)])}`);
}

/** Only differences between before and after are stored. */
function trailRow(
  { actor, action, reason, now }: Change,
  { kind, id }: { kind: string; id: string },
  before: unknown,
  after: unknown,
): RowOf<typeof trail> {
  const [was, is] = differing(before, after).map((side) => masked(side, kind) as object | null);
  return {
    at: now,
    actor: actor.id,
    address: actor.address,
    request_id: actor.requestId,
    action,
    subject_kind: kind,
    subject_id: id,
    before: was ?? null,
    after: is ?? null,
    reason: reason ?? null,
  };
}

function differing(before: unknown, after: unknown): [unknown, unknown] {
  if (!isRecord(before) || !isRecord(after)) return [before, after];
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => jsonOf(before[name]) !== jsonOf(after[name]),
  );
  const only = (all: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, all[name]]));
  return [only(before), only(after)];
}

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

/** Kinds of subjects that are persons: more of their fields are masked. */
const PEOPLE = new Set(['customer', 'lead', 'member']);
const initials = (text: string) => text.replaceAll(/([\p{L}\p{N}])[\p{L}\p{N}'’-]*/gu, '$1***');
const hidden = () => '***';
const MASKS: Record<string, (text: string) => string> = {
  phone: (text) => text.replace(/^(\+\d{4})\d+(\d{2})$/, '$1*****$2'),
  email: (text) => text.replace(/^(.).*(@.*)$/, '$1***$2'),
};
const MASKS_OF_PEOPLE: typeof MASKS = {
  ...MASKS,
  name: initials,
  company: hidden,
  message: hidden,
  note: hidden,
};

/** Values of filters by person: an id is kept, a phone or a name is not. */
const idOrHidden = (text: string) => (/^[a-z]+_/.test(text) ? text : hidden());
const MASKS_OF_FILTERS: typeof MASKS = {
  ...MASKS,
  name: initials,
  q: initials,
  cpf: hidden,
  customer: idOrHidden,
  referrer: idOrHidden,
};

/** The trail is kept for good and read by many: it shows that a phone was changed, not the number. */
function masked(value: unknown, kind: string): unknown {
  if (!isRecord(value)) return Array.isArray(value) ? value.map((one) => masked(one, kind)) : value;
  const masks = kind === 'filter' ? MASKS_OF_FILTERS : PEOPLE.has(kind) ? MASKS_OF_PEOPLE : MASKS;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (typeof field !== 'string') return [name, masked(field, name)];
      return [name, Object.hasOwn(masks, name) ? masks[name]!(field) : field];
    }),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const PERSONAL_FIELDS = [
  'name',
  'phone',
  'phone_change',
  'email',
  'cpf',
  'referral_code',
  'company',
  'message',
  'note',
  'description',
  'answer_reason',
];

/** Erases the person, and keeps the fact of the change. For an erasure: see append_only in the migrations. */
export async function eraseTrail(tx: Tx, kind: string, ids: readonly string[]): Promise<void> {
  const without = (side: Sql) => sql`
    ${side} || coalesce((select jsonb_object_agg(key, to_jsonb(${ERASED}::text))
      from jsonb_object_keys(case jsonb_typeof(${side}) when 'object' then ${side} end) as key
      where key = any(${PERSONAL_FIELDS})), '{}')`;
  await tx.run(sql`
    update audit_trail set before = ${without(sql`before`)}, after = ${without(sql`after`)},
      reason = case when reason is not null then ${ERASED}::text end
    where subject_kind = ${kind} and subject_id = any(${ids})`);
}

/** No kind looks like it. */
const OUR_ID = /^[a-z]+_[0-9a-z]{26}$/;

/** `subject` is a kind, a kind and an id, or an id of ours: 'merchant', 'merchant:otica-lume', 'cus_…'. */
export function listedTrail({
  actor,
  subject,
  since,
  ...days
}: {
  actor?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): Listing<TrailRow> {
  const [kind, id] = OUR_ID.test(subject ?? '') ? [undefined, subject] : (subject?.split(/:(.*)/s) ?? []);
  return {
    of: sql`
      select id, at, actor, address, request_id, action, subject_kind, subject_id, before, after, reason from audit_trail`,
    where: [
      ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
      ...(kind === undefined ? [] : [sql`subject_kind = ${kind}`]),
      ...(id === undefined ? [] : [sql`subject_id = ${id}`]),
      ...(since === undefined ? [] : [sql`at >= ${since}`]),
      ...onDays(sql`at`, days),
    ],
    by: [sql`at`, sql`id`],
    keyOf: ({ at, id: entry }) => [at, entry],
  };
}
