import type { Static } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import { type Change, recordChange, recordCreation, rowSubject } from '#platform/privacy/trail.ts';
import { defineProblem, type FieldError, faultsIn, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, type Scope } from './api-key.ts';
import { createPartner } from './create-partner.ts';
import { issueKey, type RotatedKey, rotateKey } from './issue-key.ts';
import type { FindMerchant } from './merchant-directory.ts';
import { mustBeReturnOrigins } from './return-origins.ts';
import { type KeyForm, KeyShown, PartnerShown } from './schemas.ts';
import { findKey, findPartner, type KeyRow, markReturnOrigins, markRevoked, type Partner } from './store.ts';

export const nameTaken = defineProblem({
  code: 'name_taken',
  status: 409,
  title: { en: 'There is one of that name', pt: 'Já existe um com esse nome' },
  cause: 'The name is unique, and somebody has it.',
  remedy: 'Take another name, or use the one that is there.',
  detail: (name: string) => ({
    en: `There is a partner named '${name}' already.`,
    pt: `Já existe um parceiro chamado '${name}'.`,
  }),
});

export const keyEnded = defineProblem({
  code: 'key_ended',
  status: 409,
  title: { en: 'The key cannot be rotated any more', pt: 'A chave não pode mais ser rotacionada' },
  cause: 'It was revoked, has expired, or has a successor already. `detail` says which.',
  remedy: 'Issue a new key, or rotate the successor.',
});

export const renderPartner = (partner: Partner): Static<typeof PartnerShown> => shown(PartnerShown, partner);

export const renderKey = (row: KeyRow): Static<typeof KeyShown> => ({
  ...shown(KeyShown, row),
  partner: { id: row.partner_id, name: row.partner_name },
  origins: row.allowed_origins,
});

const keySubject = rowSubject('key', findKey, renderKey);

export async function addPartner(tx: Tx, name: string, change: Change): Promise<Static<typeof PartnerShown>> {
  const id = await createPartner(tx, name, { now: () => change.now });
  if (!id) throw nameTaken(name);
  const shown = { id, name, created_at: change.now.toISOString(), keys: 0 };
  await recordCreation(tx, change, { kind: 'partner', id }, shown);
  return shown;
}

type NewKeyWishes = Static<typeof KeyForm> & { expires_at?: Date };
type IssuedKeyShown = Static<typeof KeyShown> & { key: string };

export async function addKey(
  tx: Tx,
  form: NewKeyWishes,
  { change, mode, findMerchant }: { change: Change; mode: Mode; findMerchant: FindMerchant | undefined },
): Promise<IssuedKeyShown> {
  mustBeReturnOrigins(form.return_origins ?? [], mode);
  const { partner, merchant } = await resolve(tx, form, findMerchant);
  const scopes: Scope[] = [...new Set([...form.scopes, ...(merchant === null ? [] : ['merchant' as const])])];
  const wishes = {
    partnerId: partner,
    label: form.label ?? '',
    scopes,
    merchantId: merchant,
    allowedOrigins: form.origins ?? [],
    returnOrigins: form.return_origins ?? [],
    backend: form.backend ?? false,
    requestsPerMinute:
      form.requests_per_minute === undefined ? DEFAULT_REQUESTS_PER_MINUTE : form.requests_per_minute,
    expiresAt: form.expires_at ?? null,
  };
  const { id, secret } = await issueKey(tx, wishes, { mode, clock: { now: () => change.now } });
  const shown = renderKey((await findKey(tx, id))!);
  await recordCreation(tx, change, { kind: 'key', id }, shown);
  return { ...shown, key: secret };
}

const NO_PARTNER = { en: 'no partner has this id or name', pt: 'nenhum parceiro tem este id ou nome' };
const NO_MERCHANT = { en: 'no merchant has this slug', pt: 'nenhuma loja tem este slug' };
const MERCHANT_MISSING = {
  en: 'is missing: a key with the scope merchant belongs to one',
  pt: 'é obrigatório: uma chave com o escopo merchant pertence a uma loja',
};

const MERCHANT_AND_TILL = {
  en: 'cannot have merchant and till together: a till acts for the merchant of whoever is logged in',
  pt: 'não pode ter merchant e till juntos: um caixa age pela loja de quem entrou',
};

/** Reports all faults of the form together. */
async function resolve(db: Queryable, form: NewKeyWishes, findMerchant: FindMerchant | undefined) {
  const errors: FieldError[] = [];
  const partner = await findPartner(db, form.partner);
  if (!partner) errors.push({ pointer: '/partner', message: NO_PARTNER });
  const merchant = form.merchant === undefined ? null : await findMerchant?.(db, form.merchant);
  if (merchant === undefined) errors.push({ pointer: '/merchant', message: NO_MERCHANT });
  if (merchant === null && form.scopes.includes('merchant'))
    errors.push({ pointer: '/merchant', message: MERCHANT_MISSING });
  if (form.scopes.includes('till') && (merchant !== null || form.scopes.includes('merchant')))
    errors.push({ pointer: '/scopes', message: MERCHANT_AND_TILL });
  if (errors.length > 0) throw validationFailed(errors, faultsIn('key', errors.length));
  return { partner: partner!.id, merchant: merchant! };
}

type KeyChange = { id: string; return_origins: string[]; ifMatch?: string | undefined };

/** Undefined: there is no such key. */
export function changeKey(
  tx: Tx,
  { id, return_origins, ifMatch }: KeyChange,
  { change, mode }: { change: Change; mode: Mode },
): Promise<Static<typeof KeyShown> | undefined> {
  mustBeReturnOrigins(return_origins, mode);
  return recordChange(tx, change, { of: keySubject, id, ifMatch }, () =>
    markReturnOrigins(tx, id, return_origins),
  );
}

export function revokeKey(tx: Tx, id: string, change: Change) {
  return recordChange(tx, change, { of: keySubject, id }, () => markRevoked(tx, id, change.now));
}

/** Undefined when there is no such key. */
export async function rotateKeyRecorded(
  tx: Tx,
  id: string,
  overlapMs: number,
  { change, mode }: { change: Change; mode: Mode },
): Promise<(RotatedKey & { shown: IssuedKeyShown }) | undefined> {
  let rotated: RotatedKey | { refused: Bilingual } | undefined;
  const old = await recordChange(tx, change, { of: keySubject, id }, async () => {
    rotated = await rotateKey(tx, id, overlapMs, { mode, clock: { now: () => change.now } });
    if ('refused' in rotated) throw keyEnded(rotated.refused);
  });
  if (!old || !rotated || 'refused' in rotated) return undefined;
  const shown = renderKey((await findKey(tx, rotated.issued.id))!);
  await recordCreation(tx, change, { kind: 'key', id: shown.id }, shown);
  return { ...rotated, shown: { ...shown, key: rotated.issued.secret } };
}
