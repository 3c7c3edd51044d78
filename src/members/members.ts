import type { Static } from 'typebox';
import type { MerchantCache } from '#catalog';
import { cents, parseReais, toReais } from '#core/money.ts';
import type { SignIn } from '#customers';
import type { Deps } from '#module';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordChange, recordCreation, type Subject } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import { lastOwner, memberExists } from './problems.ts';
import type { Member, MemberChange, MemberForm } from './schemas.ts';
import { markAllEnded } from './sessions.ts';
import {
  findMember,
  insertMember,
  listOwnerIds,
  lockMembers,
  type MemberRow,
  markMember,
  markRemoved,
  personOf,
} from './store.ts';

export type Members = Pick<Deps, 'db' | 'clock'> & { signIn: SignIn; merchants: MerchantCache };

/** Announced with the id of a member who was changed. */
export const MEMBERS_TOPIC = 'members';

export type ShownMember = Static<typeof Member>;

export function renderMember(vault: Vault, row: MemberRow): ShownMember {
  return {
    id: row.id,
    ...personOf(vault, row),
    role: row.role,
    max_amount: row.max_amount_cents === null ? null : toReais(cents(row.max_amount_cents)),
    may_return: row.may_return,
    status: row.removed_at === null ? 'active' : 'removed',
    created_at: row.created_at.toISOString(),
  };
}

/** An active member of this merchant. Any other id is unknown. */
const memberSubject = (merchantId: number): Subject<ShownMember> => ({
  kind: 'member',
  async read(tx, id) {
    await lockMembers(tx, merchantId);
    const row = await findMember(tx, id);
    return row?.merchant_id === merchantId ? renderMember(tx.vault, row) : undefined;
  },
});

const centsOf = (amount: number | null | undefined) => (amount == null ? null : parseReais(amount)!);

export async function addMember(tx: Tx, merchantId: number, form: Static<typeof MemberForm>, change: Change) {
  const id = newId('mbr', change.now);
  await lockMembers(tx, merchantId);
  const inserted = await insertMember(tx, {
    id,
    merchant_id: merchantId,
    name: form.name.trim(),
    phone: form.phone,
    role: form.role,
    max_amount_cents: centsOf(form.max_amount),
    may_return: form.may_return ?? false,
    created_at: change.now,
  });
  if (!inserted) throw memberExists();
  // The first is an owner: else nobody could add the others, or lead the merchant.
  if (form.role !== 'owner') await keepAnOwner(tx, merchantId);
  const shown = renderMember(tx.vault, (await findMember(tx, id))!);
  await recordCreation(tx, change, { kind: 'member', id }, shown);
  return shown;
}

type MemberKey = { merchantId: number; id: string };

/** Undefined when there is no such member. */
export function changeMember(
  tx: Tx,
  { merchantId, id }: MemberKey,
  wishes: Static<typeof MemberChange>,
  change: Change,
): Promise<ShownMember | undefined> {
  return recordActive(tx, { merchantId, id }, change, async (row) => {
    const { name } = personOf(tx.vault, row);
    await markMember(tx, row, {
      name: wishes.name?.trim() ?? name,
      role: wishes.role ?? row.role,
      max_amount_cents: wishes.max_amount === undefined ? row.max_amount_cents : centsOf(wishes.max_amount),
      may_return: wishes.may_return ?? row.may_return,
    });
    await keepAnOwner(tx, merchantId);
    tx.announce(MEMBERS_TOPIC, id);
  });
}

/** Ends their sessions as well. Returns those, or undefined when there is no such member. */
export async function removeMember(tx: Tx, named: MemberKey, change: Change): Promise<string[] | undefined> {
  let endedSessions: string[] = [];
  const removed = await recordActive(tx, named, change, async ({ id }) => {
    await markRemoved(tx, id, change.now);
    endedSessions = await markAllEnded(tx, id, 'removed', change.now);
    await keepAnOwner(tx, named.merchantId);
  });
  return removed && endedSessions;
}

async function recordActive(
  tx: Tx,
  { merchantId, id }: MemberKey,
  change: Change,
  work: (row: MemberRow) => Promise<void>,
): Promise<ShownMember | undefined> {
  await lockMembers(tx, merchantId);
  const row = await findMember(tx, id);
  if (!row || row.removed_at) return undefined;
  return recordChange(tx, change, { of: memberSubject(merchantId), id }, () => work(row));
}

async function keepAnOwner(tx: Tx, merchantId: number): Promise<void> {
  if ((await listOwnerIds(tx, merchantId)).length === 0) throw lastOwner();
}
