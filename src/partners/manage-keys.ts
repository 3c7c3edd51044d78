import type { Static } from 'typebox';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { newId } from '#platform/ids.ts';
import {
  type AuditContext,
  createRowAuditEntity,
  recordAuditEntry,
  withAuditedResult,
} from '#platform/privacy/audit-trail.ts';
import { describeErrorCount, type FieldError, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { buildHint, DEFAULT_REQUESTS_PER_MINUTE, hashSecret, newSecret, type Scope } from './api-key.ts';
import { keyNotRotatable, nameTaken } from './problems.ts';
import { type KeyForm, KeyView, PartnerView } from './schemas.ts';
import { type PartnersDeps, UNRESTRICTED_KEY_FIELDS } from './services.ts';
import {
  clearRevocationAndExpiry,
  findKey,
  findPartner,
  insertKey,
  insertPartner,
  type KeyRow,
  lockKeyWithSuccessor,
  lockReturnOrigins,
  type NewKey,
  type Partner,
  shortenExpiry,
  updateReturnOrigins,
} from './store.ts';

type RequiredField = 'partner_id' | 'label' | 'scopes';
/** `merchant_id` is required with the scope `merchant`, `person_id` and `role` with the scope `operator`. Without the scope they are not allowed. */
export type NewKeyInput = Pick<NewKey, RequiredField> &
  Partial<Omit<NewKey, RequiredField | 'id' | 'hash' | 'hint' | 'created_at'>>;

/** Only the hash of the secret is stored, so the secret cannot be read again. */
type IssuedKey = { id: string; secret: string };

export async function issueKey(
  db: Queryable,
  input: NewKeyInput,
  { mode, clock, secret = newSecret(mode) }: { mode: Mode; clock: Clock; secret?: string },
): Promise<IssuedKey> {
  const now = clock.now();
  const id = newId('key', now);
  const defaults = { ...UNRESTRICTED_KEY_FIELDS, person_id: null, role: null, replaces: null };
  const keyFields = { id, hash: hashSecret(secret), hint: buildHint(secret), created_at: now };
  await insertKey(db, { ...defaults, ...input, ...keyFields });
  return { id, secret };
}

/** Inserts a sandbox key with a published secret, or restores it if it was revoked or has expired. */
export async function ensureKey(
  tx: Tx,
  input: NewKeyInput,
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  await issueKey(tx, input, context); // inserts nothing if a key has this secret
  await clearRevocationAndExpiry(tx, hashSecret(context.secret));
}

/** Replaces the return origins of a sandbox key with a published secret, if the key exists. */
export async function replaceReturnOrigins(
  tx: Tx,
  secret: string,
  computeOrigins: (origins: string[]) => string[],
) {
  const key = await lockReturnOrigins(tx, hashSecret(secret));
  if (key) await updateReturnOrigins(tx, key.id, computeOrigins(key.return_origins));
}

/** Issues a copy of an existing key. The old key stays valid for the overlap, so that callers can switch without downtime. */
export async function rotateKey(
  tx: Tx,
  keyId: string,
  overlapMs: number,
  context: { mode: Mode; clock: Clock },
): Promise<{ issuedKey: IssuedKey; oldKeyExpiresAt: Date }> {
  const { key: oldKey, successor } = await lockKeyWithSuccessor(tx, keyId);
  const now = context.clock.now();
  if (oldKey.revoked_at)
    throw keyNotRotatable({
      en: `Key ${keyId} was revoked. Issue a new one with 'keys create'.`,
      pt: `A chave ${keyId} foi revogada. Emita outra com 'keys create'.`,
    });
  if (successor)
    throw keyNotRotatable({
      en: `Key ${keyId} was rotated before, to ${successor}. Rotate that one.`,
      pt: `A chave ${keyId} já foi trocada por ${successor}. Troque essa.`,
    });
  if (oldKey.expires_at && oldKey.expires_at <= now)
    throw keyNotRotatable({
      en: `Key ${keyId} has expired. Issue a new one with 'keys create'.`,
      pt: `A chave ${keyId} expirou. Emita outra com 'keys create'.`,
    });
  const overlapEndsAt = new Date(now.getTime() + overlapMs);
  const oldKeyExpiresAt =
    oldKey.expires_at && oldKey.expires_at < overlapEndsAt ? oldKey.expires_at : overlapEndsAt;
  await shortenExpiry(tx, keyId, oldKeyExpiresAt);
  // The new key has the same lifetime as the old one.
  const expires_at =
    oldKey.expires_at && new Date(now.getTime() + oldKey.expires_at.getTime() - oldKey.created_at.getTime());
  const issuedKey = await issueKey(tx, { ...oldKey, expires_at, replaces: keyId }, context);
  return { issuedKey, oldKeyExpiresAt };
}

export const renderPartner = (partner: Partner): Static<typeof PartnerView> => project(PartnerView, partner);

export const renderKey = (row: KeyRow): Static<typeof KeyView> => ({
  ...project(KeyView, row),
  partner: { id: row.partner_id, name: row.partner_name },
  origins: row.allowed_origins,
});

export const keyAuditEntity = createRowAuditEntity('key', findKey, renderKey);

/** Returns the id of the new partner, or undefined if the name is taken. */
export async function createPartner(db: Queryable, name: string, clock: Clock): Promise<string | undefined> {
  const createdAt = clock.now();
  const id = newId('ptn', createdAt);
  return (await insertPartner(db, { id, name, createdAt })) ? id : undefined;
}

export async function createPartnerWithAudit(tx: Tx, name: string, auditContext: AuditContext) {
  const id = await createPartner(tx, name, { now: () => auditContext.now });
  if (!id) throw nameTaken(name);
  const view = { id, name, created_at: auditContext.now.toISOString(), keys: 0 };
  await recordAuditEntry(tx, auditContext, { kind: 'partner', id }, view);
  return view;
}

type KeyFormInput = Static<typeof KeyForm>;
type KeyContext = { auditContext: AuditContext; mode: Mode };
type IssuedKeyView = Static<typeof KeyView> & { key: string };

export async function issueKeyWithAudit(
  tx: Tx,
  form: KeyFormInput,
  { auditContext, mode, findMerchantId }: KeyContext & Pick<PartnersDeps, 'findMerchantId'>,
): Promise<IssuedKeyView> {
  const {
    label = '',
    origins: allowed_origins = [],
    return_origins = [],
    backend = false,
    requests_per_minute = DEFAULT_REQUESTS_PER_MINUTE,
  } = form;
  assertReturnOrigins(return_origins, mode);
  const references = await resolveReferences(tx, form, findMerchantId);
  const scopes = new Set<Scope>(form.scopes);
  if (references.merchant_id !== null) scopes.add('merchant');
  const restrictions = { allowed_origins, return_origins, backend, requests_per_minute };
  const input = { ...references, label, scopes: [...scopes], ...restrictions };
  const issuedKey = await issueKey(tx, input, { mode, clock: { now: () => auditContext.now } });
  return recordIssuedKey(tx, issuedKey, auditContext);
}

/** Records a new key in the audit trail. Returns the only view of the key that contains its secret. */
async function recordIssuedKey(
  tx: Tx,
  { id, secret }: IssuedKey,
  auditContext: AuditContext,
): Promise<IssuedKeyView> {
  const view = renderKey((await findKey(tx, id))!);
  await recordAuditEntry(tx, auditContext, { kind: 'key', id }, view);
  return { ...view, key: secret };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the page of an offer may link back to the URL: https, and in the sandbox also http on the same machine. */
export function isAllowedReturnUrl({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (mode === 'sandbox' && protocol === 'http:' && LOOPBACK.test(hostname));
}

export const isReturnOrigin = (text: string, mode: Mode): boolean =>
  URL.canParse(text) && new URL(text).origin === text && isAllowedReturnUrl(new URL(text), mode);

const INVALID_ORIGIN = {
  en: 'must be an https origin like https://www.example.com.br, without a path',
  pt: 'deve ser uma origem https como https://www.example.com.br, sem caminho',
};

export function assertReturnOrigins(origins: readonly string[], mode: Mode): void {
  const errors: FieldError[] = origins.flatMap((origin, i) =>
    isReturnOrigin(origin, mode) ? [] : [{ pointer: `/return_origins/${i}`, message: INVALID_ORIGIN }],
  );
  if (errors.length > 0) throw validationFailed(errors, describeErrorCount('API key', errors.length));
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
  findMerchantId: PartnersDeps['findMerchantId'],
) {
  const errors: FieldError[] = [];
  const partner = await findPartner(db, form.partner);
  if (!partner) errors.push({ pointer: '/partner', message: UNKNOWN_PARTNER });
  // Null without a merchant, undefined for an unknown one.
  const merchantId = form.merchant === undefined ? null : await findMerchantId?.(db, form.merchant);
  if (merchantId === undefined) errors.push({ pointer: '/merchant', message: UNKNOWN_MERCHANT });
  if (merchantId === null && form.scopes.includes('merchant'))
    errors.push({ pointer: '/merchant', message: MERCHANT_MISSING });
  if (form.scopes.includes('till') && (merchantId !== null || form.scopes.includes('merchant')))
    errors.push({ pointer: '/scopes', message: MERCHANT_AND_TILL });
  if (errors.length > 0) throw validationFailed(errors, describeErrorCount('API key', errors.length));
  return { partner_id: partner!.id, merchant_id: merchantId! };
}

/** Rotates a key at the request of a staff user. Returns undefined if there is no such key. */
export async function rotateKeyWithAudit(
  tx: Tx,
  id: string,
  overlapMs: number,
  { auditContext, mode }: KeyContext,
): Promise<IssuedKeyView | undefined> {
  const context = { mode, clock: { now: () => auditContext.now } };
  const rotation = await withAuditedResult(tx, auditContext, { entity: keyAuditEntity, id }, () =>
    rotateKey(tx, id, overlapMs, context),
  );
  return rotation && recordIssuedKey(tx, rotation.result.issuedKey, auditContext);
}
