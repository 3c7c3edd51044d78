import type { Static } from 'typebox';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { newId } from '#platform/ids.ts';
import {
  type AuditContext,
  recordAuditEntry,
  rowAuditEntity,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { defineProblem, describeErrorCount, type FieldError, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, type Scope } from './api-key.ts';
import { issueKey, rotateKey } from './issue-key.ts';
import type { PartnersDeps } from './merchant-lookup.ts';
import { assertReturnOrigins } from './return-origins.ts';
import { type KeyForm, KeyView, PartnerView } from './schemas.ts';
import {
  findKey,
  findPartner,
  insertPartner,
  type KeyRow,
  type Partner,
  setRevokedAt,
  updateReturnOrigins,
} from './store.ts';

export const nameTaken = defineProblem({
  code: 'name_taken',
  status: 409,
  title: { en: 'The name is taken', pt: 'Já existe um com esse nome' },
  cause: 'Names are unique, and a partner with this name exists.',
  remedy: 'Choose another name, or use the existing partner.',
  detail: (name: string) => ({
    en: `A partner named '${name}' already exists.`,
    pt: `Já existe um parceiro chamado '${name}'.`,
  }),
});

export const renderPartner = (partner: Partner): Static<typeof PartnerView> => project(PartnerView, partner);

export const renderKey = (row: KeyRow): Static<typeof KeyView> => ({
  ...project(KeyView, row),
  partner: { id: row.partner_id, name: row.partner_name },
  origins: row.allowed_origins,
});

const keyAuditEntity = rowAuditEntity('key', findKey, renderKey);

/** Returns the id, or undefined if the name is taken. */
export async function createPartner(db: Queryable, name: string, clock: Clock): Promise<string | undefined> {
  const createdAt = clock.now();
  const id = newId('ptn', createdAt);
  return (await insertPartner(db, { id, name, createdAt })) ? id : undefined;
}

export async function addPartner(
  tx: Tx,
  name: string,
  auditContext: AuditContext,
): Promise<Static<typeof PartnerView>> {
  const id = await createPartner(tx, name, { now: () => auditContext.now });
  if (!id) throw nameTaken(name);
  const view = { id, name, created_at: auditContext.now.toISOString(), keys: 0 };
  await recordAuditEntry(tx, auditContext, { kind: 'partner', id }, view);
  return view;
}

type KeyFormInput = Static<typeof KeyForm>;
type KeyContext = { auditContext: AuditContext; mode: Mode };
type IssuedKeyView = Static<typeof KeyView> & { key: string };

export async function addKey(
  tx: Tx,
  form: KeyFormInput,
  { auditContext, mode, findMerchant }: KeyContext & Pick<PartnersDeps, 'findMerchant'>,
): Promise<IssuedKeyView> {
  const {
    label = '',
    origins: allowed_origins = [],
    return_origins = [],
    backend = false,
    requests_per_minute = DEFAULT_REQUESTS_PER_MINUTE,
  } = form;
  assertReturnOrigins(return_origins, mode);
  const references = await resolveReferences(tx, form, findMerchant);
  const isMerchantKey = references.merchant_id !== null;
  const scopes: Scope[] = [...new Set([...form.scopes, ...(isMerchantKey ? ['merchant' as const] : [])])];
  const input = {
    ...references,
    label,
    scopes,
    allowed_origins,
    return_origins,
    backend,
    requests_per_minute,
  };
  const { id, secret } = await issueKey(tx, input, { mode, clock: { now: () => auditContext.now } });
  const view = renderKey((await findKey(tx, id))!);
  await recordAuditEntry(tx, auditContext, { kind: 'key', id }, view);
  return { ...view, key: secret };
}

const UNKNOWN_PARTNER = { en: 'no partner has this id or name', pt: 'nenhum parceiro tem este id ou nome' };
const UNKNOWN_MERCHANT = { en: 'no merchant has this slug', pt: 'nenhuma loja tem este slug' };
const MERCHANT_MISSING = {
  en: 'is required: a key with the scope merchant belongs to a merchant',
  pt: 'é obrigatório: uma chave com o escopo merchant pertence a uma loja',
};

const MERCHANT_AND_TILL = {
  en: 'must not have both merchant and till: a till acts for the merchant of the logged-in member',
  pt: 'não pode ter merchant e till juntos: um caixa age pela loja de quem entrou',
};

/** Looks up the partner and the merchant of a form. Reports all errors of the form together. */
async function resolveReferences(
  db: Queryable,
  form: KeyFormInput,
  findMerchant: PartnersDeps['findMerchant'],
) {
  const errors: FieldError[] = [];
  const partner = await findPartner(db, form.partner);
  if (!partner) errors.push({ pointer: '/partner', message: UNKNOWN_PARTNER });
  const merchant = form.merchant === undefined ? null : await findMerchant?.(db, form.merchant);
  if (merchant === undefined) errors.push({ pointer: '/merchant', message: UNKNOWN_MERCHANT });
  if (merchant === null && form.scopes.includes('merchant'))
    errors.push({ pointer: '/merchant', message: MERCHANT_MISSING });
  if (form.scopes.includes('till') && (merchant !== null || form.scopes.includes('merchant')))
    errors.push({ pointer: '/scopes', message: MERCHANT_AND_TILL });
  if (errors.length > 0) throw validationFailed(errors, describeErrorCount('key', errors.length));
  return { partner_id: partner!.id, merchant_id: merchant! };
}

type KeyPatch = { id: string; return_origins: string[]; ifMatch?: string | undefined };

/** Returns undefined if there is no such key. */
export function changeKey(
  tx: Tx,
  { id, return_origins, ifMatch }: KeyPatch,
  { auditContext, mode }: KeyContext,
): Promise<Static<typeof KeyView> | undefined> {
  assertReturnOrigins(return_origins, mode);
  return withAuditedUpdate(tx, auditContext, { entity: keyAuditEntity, id, ifMatch }, () =>
    updateReturnOrigins(tx, id, return_origins),
  );
}

export function revokeKey(tx: Tx, id: string, auditContext: AuditContext) {
  return withAuditedUpdate(tx, auditContext, { entity: keyAuditEntity, id }, () =>
    setRevokedAt(tx, id, auditContext.now),
  );
}

export async function rotateKeyAudited(
  tx: Tx,
  id: string,
  overlapMs: number,
  { auditContext, mode }: KeyContext,
): Promise<IssuedKeyView | undefined> {
  const context = { mode, clock: { now: () => auditContext.now } };
  let rotated: Awaited<ReturnType<typeof rotateKey>> | undefined;
  await withAuditedUpdate(tx, auditContext, { entity: keyAuditEntity, id }, async () => {
    rotated = await rotateKey(tx, id, overlapMs, context);
  });
  if (!rotated) return undefined;
  const { issued } = rotated;
  const view = renderKey((await findKey(tx, issued.id))!);
  await recordAuditEntry(tx, auditContext, { kind: 'key', id: view.id }, view);
  return { ...view, key: issued.secret };
}
