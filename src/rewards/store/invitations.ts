import { batchable } from '#platform/database/batchable.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

/** Serializes invitations until the end of the transaction: two concurrent ones could form a cycle. */
export async function lockReferrers(tx: CustomerTx): Promise<void> {
  await tx.run(sql`lock table referrers in share row exclusive mode`);
}

export async function findReferrer(tx: Queryable, customerId: string): Promise<string | undefined> {
  return (await tx.row<{ referrer_id: string }>(findReferrers({ customerId })))?.referrer_id;
}

const findReferrers = batchable(
  (rows) => sql`
    select customer_id, referrer_id from referrers
    where customer_id = any(${rows.map(({ customerId }) => customerId)})`,
);

/** Whether `above` invited the customer, directly or through others. */
export async function isAbove(tx: CustomerTx, above: string, customerId: string): Promise<boolean> {
  const row = await tx.row<{ found: boolean }>(
    sql`select ${above} in (select referrers_of(${customerId})) as found`,
  );
  return row!.found;
}

/**
 * How many were invited since an instant by the customer, or by whoever invited that one, and so on upwards: a ring of accounts that
 * invite each other, as a star or as a chain.
 */
export async function countInvitedAround(tx: Tx, referrerId: string, since: Date): Promise<number> {
  const above = await tx.rows<{ id: string }>(sql`select referrers_of(${referrerId}) as id`);
  const row = await tx.row<{ count: number }>(sql`
    select count(*) from invitations
    where customer_id = any(${[referrerId, ...above.map(({ id }) => id)]}) and invited_at > ${since}`);
  return row!.count;
}

export const sealName = (vault: Vault, invitedId: string, name: string): Buffer =>
  vault.pack(name, `invited ${invitedId}`);

export const openName = (vault: Vault, invitedId: string, sealed: Buffer): string =>
  vault.unpack(sealed, `invited ${invitedId}`);

type NewInvitation = {
  readonly referrerId: string;
  readonly invitedId: string;
  readonly invitedName: string;
  readonly invitedAt: Date;
  readonly promise: {
    readonly referrerCents: number;
    readonly invitedCents: number;
    readonly minPaidCents: number;
  };
};

export async function insertInvitation(tx: CustomerTx, invitation: NewInvitation): Promise<void> {
  const { referrerId, invitedId, invitedName, invitedAt, promise } = invitation;
  await tx.run(sql`insert into referrers (customer_id, referrer_id) values (${invitedId}, ${referrerId})`);
  await tx.run(sql`
    insert into invitations (customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents,
                             invited_reward_cents, min_paid_cents)
    values (${referrerId}, ${invitedId}, ${sealName(tx.vault, invitedId, invitedName)}, ${invitedAt}, ${promise.referrerCents},
            ${promise.invitedCents}, ${promise.minPaidCents})`);
}

/** Who was invited, what was promised, and when it was fulfilled. */
export type Invitation = {
  invited_id: string;
  invited_at: Date;
  referrer_reward_cents: number;
  invited_reward_cents: number;
  rewarded_at: Date | null;
};

export type InvitationRow = Invitation & {
  referrer_id: string;
  min_paid_cents: number;
  referrer_position: number | null;
  invited_position: number | null;
};

export async function findInvitation(
  tx: CustomerTx,
  referrerId: string,
  invitedId: string,
): Promise<InvitationRow | undefined> {
  return tx.row(sql`
    select customer_id as referrer_id, invited_id, invited_at, referrer_reward_cents,
           invited_reward_cents, min_paid_cents, rewarded_at, referrer_position, invited_position
    from invitations where customer_id = ${referrerId} and invited_id = ${invitedId}`);
}

/**
 * The instant of a reward that is given now, and how many rewards there were in the days before. Clocks of nodes differ, and the
 * last transaction to lock the customer may have read the clock first: rewards are still in the order of their instants.
 */
export async function findNextReward(
  tx: CustomerTx,
  referrerId: string,
  now: Date,
  days: number,
): Promise<{ at: Date; before: number }> {
  const row = await tx.row<{ at: Date; before: number }>(sql`
    select next.at, (select count(*) from invitations
                     where customer_id = ${referrerId} and reward_cents > 0
                       and rewarded_at > next.at - make_interval(days => ${days})) as before
    from (select greatest(${now}, max(rewarded_at)) as at from invitations where customer_id = ${referrerId}) as next`);
  return row!;
}

type Reward = {
  readonly rewardedAt: Date;
  readonly rewardCents: number;
  readonly referrerPosition: number | null;
  readonly invitedPosition: number | null;
};

/** null: no longer rewarded. */
export async function markRewarded(
  tx: CustomerTx,
  { referrer_id, invited_id }: InvitationRow,
  reward: Reward | null,
): Promise<void> {
  await tx.run(sql`
    update invitations set
      rewarded_at = ${reward?.rewardedAt ?? null}, reward_cents = ${reward?.rewardCents ?? null},
      referrer_position = ${reward?.referrerPosition ?? null}, invited_position = ${reward?.invitedPosition ?? null}
    where customer_id = ${referrer_id} and invited_id = ${invited_id}`);
}

/** Reencrypts masked names with the current key. Returns the invited customers, who are unique here. */
export async function resealNames(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: { afterId: string; limit: number; all: boolean },
): Promise<string[]> {
  const rows = await tx.rows<{ customer_id: string; invited_id: string; invited_name_sealed: Buffer }>(sql`
    select customer_id, invited_id, invited_name_sealed from invitations
    where invited_id > ${afterId} and (${all} or substr(invited_name_sealed, 1, 4) <> ${vault.packedVersion})
    order by invited_id limit ${limit}`);
  for (const { customer_id, invited_id, invited_name_sealed } of rows) {
    const sealed = sealName(vault, invited_id, openName(vault, invited_id, invited_name_sealed));
    // Unless the invited customer has been erased meanwhile.
    await tx.run(sql`
      update invitations set invited_name_sealed = ${sealed}
      where customer_id = ${customer_id} and invited_id = ${invited_id} and invited_name_sealed = ${invited_name_sealed}`);
  }
  return rows.map(({ invited_id }) => invited_id);
}
