import type { Static } from 'typebox';
import {
  createMerchantFromLead,
  findMerchantWithPlan,
  type GetMaxPlanRate,
  type MerchantCache,
} from '#catalog';
import { cents, parseReais, toReais } from '#core/values/money.ts';
import { endAllSessions, type SignInDeps } from '#customers';
import type { Deps } from '#module';
import type { Tx } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import { newId } from '#platform/ids.ts';
import {
  type AuditContext,
  type AuditEntity,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { invalidField } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { lastOwner, memberExists } from './problems.ts';
import type { LeadMerchantForm, Member, MemberChange, MemberForm } from './schemas.ts';
import {
  decryptPerson,
  findMember,
  insertMember,
  listOwnerIds,
  lockMembers,
  type MemberRow,
  markMemberRemoved,
  updateMember,
} from './store.ts';

export type MembersDeps = Pick<Deps, 'db' | 'clock'> & {
  signIn: SignInDeps;
  merchants: MerchantCache;
  getMaxRate: GetMaxPlanRate;
};

/** The change feed topic that carries the ids of changed members. */
export const MEMBERS_TOPIC = 'members';

export type MemberView = Static<typeof Member>;

export function renderMember(vault: Vault, row: MemberRow): MemberView {
  return {
    id: row.id,
    ...decryptPerson(vault, row),
    role: row.role,
    max_amount: row.max_amount_cents === null ? null : toReais(cents(row.max_amount_cents)),
    may_return: row.may_return,
    status: row.removed_at === null ? 'active' : 'removed',
    created_at: row.created_at.toISOString(),
  };
}

const createMemberAuditEntity = (merchantId: number): AuditEntity<MemberView> => ({
  kind: 'member',
  async read(tx, id) {
    await lockMembers(tx, merchantId);
    const row = await findMember(tx, id);
    return row?.merchant_id === merchantId ? renderMember(tx.vault, row) : undefined;
  },
});

/** Null and an omitted amount mean that there is no limit. */
const toCentsOrNull = (amount: number | null | undefined) => (amount == null ? null : parseReais(amount)!);

export async function addMember(
  tx: Tx,
  merchantId: number,
  form: Static<typeof MemberForm>,
  auditContext: AuditContext,
) {
  const id = newId('mbr', auditContext.now);
  await lockMembers(tx, merchantId);
  const isInserted = await insertMember(tx, {
    id,
    merchant_id: merchantId,
    name: form.name.trim(),
    phone: form.phone,
    role: form.role,
    max_amount_cents: toCentsOrNull(form.max_amount),
    may_return: form.may_return ?? false,
    created_at: auditContext.now,
  });
  if (!isInserted) throw memberExists();
  // The first member must be an owner, because only owners can add members.
  if (form.role !== 'owner') await assertOwnerRemains(tx, merchantId);
  const view = renderMember(tx.vault, (await findMember(tx, id))!);
  await recordAuditEntry(tx, auditContext, { kind: 'member', id }, view);
  return view;
}

type MemberKey = { merchantId: number; id: string };

/** Returns undefined if there is no such active member. */
export function changeMember(
  tx: Tx,
  { merchantId, id }: MemberKey,
  patch: Static<typeof MemberChange>,
  auditContext: AuditContext,
): Promise<MemberView | undefined> {
  return withAuditedActiveMember(tx, { merchantId, id }, auditContext, async (row) => {
    const { name } = decryptPerson(tx.vault, row);
    await updateMember(tx, row, {
      name: patch.name?.trim() ?? name,
      role: patch.role ?? row.role,
      max_amount_cents:
        patch.max_amount === undefined ? row.max_amount_cents : toCentsOrNull(patch.max_amount),
      may_return: patch.may_return ?? row.may_return,
    });
    await assertOwnerRemains(tx, merchantId);
    tx.notifyAfterCommit(MEMBERS_TOPIC, id);
  });
}

/** Removes a member and ends their sessions. Returns undefined if there is no such active member. */
export const removeMember = (tx: Tx, signIn: SignInDeps, memberKey: MemberKey, auditContext: AuditContext) =>
  withAuditedActiveMember(tx, memberKey, auditContext, async ({ id }) => {
    await markMemberRemoved(tx, id, auditContext.now);
    await endAllSessions(tx, signIn, id, 'removed', auditContext.now);
    await assertOwnerRemains(tx, memberKey.merchantId);
  });

async function withAuditedActiveMember(
  tx: Tx,
  { merchantId, id }: MemberKey,
  auditContext: AuditContext,
  update: (row: MemberRow) => Promise<void>,
): Promise<MemberView | undefined> {
  await lockMembers(tx, merchantId);
  const row = await findMember(tx, id);
  if (!row || row.removed_at) return undefined;
  return withAuditedUpdate(tx, auditContext, { entity: createMemberAuditEntity(merchantId), id }, () =>
    update(row),
  );
}

async function assertOwnerRemains(tx: Tx, merchantId: number): Promise<void> {
  if ((await listOwnerIds(tx, merchantId)).length === 0) throw lastOwner();
}

/** Creates a merchant and its owner from a lead, in one transaction. Returns undefined if there is no such lead. */
export async function onboardLead(
  tx: Tx,
  id: string,
  { owner, ...fields }: Static<typeof LeadMerchantForm>,
  { auditContext, getMaxRate }: { auditContext: AuditContext; getMaxRate: GetMaxPlanRate },
) {
  const merchantAndLead = await createMerchantFromLead(tx, id, fields, { auditContext, getMaxRate });
  if (!merchantAndLead) return undefined;
  const { merchant, lead } = merchantAndLead;
  const { id: merchantId } = (await findMerchantWithPlan(tx, merchant.slug))!;
  const ownerForm = { ...resolveOwner(lead, owner), role: 'owner' as const };
  return { merchant, owner: await addMember(tx, merchantId, ownerForm, auditContext) };
}

/** Returns name and phone of the merchant's owner from the form, or else from the lead. */
export function resolveOwner(
  lead: { name: string; phone: string | null },
  owner: Static<typeof LeadMerchantForm>['owner'] = {},
) {
  const phone = owner.phone ?? normalizePhone(lead.phone ?? '');
  if (phone !== null) return { name: owner.name ?? lead.name, phone };
  const message = { en: 'is required: the lead has no phone', pt: 'é necessário: o formulário não tem' };
  throw invalidField('/owner/phone', message);
}
