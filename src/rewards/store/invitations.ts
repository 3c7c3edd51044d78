import { column, columns } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

/** Serializes invitations until the end of the transaction, because two concurrent invitations could form a cycle. */
export const lockReferrers = (tx: CustomerTx) =>
  tx.run(sql`lock table referrers in share row exclusive mode`);

export async function findReferrer(tx: Queryable, customerId: string): Promise<string | undefined> {
  return (await tx.row<{ referrer_id: string }>(findReferrers({ customerId })))?.referrer_id;
}

const findReferrers = batchable(
  (rows) => sql`
    select customer_id, referrer_id from referrers
    where customer_id = any(${rows.map(({ customerId }) => customerId)})`,
);

/** Whether the inviter has invited the customer, directly or through others. */
export const hasInvited = async (
  tx: CustomerTx,
  { inviterId, customerId }: { inviterId: string; customerId: string },
) => (await tx.value<boolean>(sql`select ${inviterId} in (select referrers_of(${customerId}))`))!;

/**
 * Counts the customers invited since an instant by the referrer, the referrer's referrer, and so on. Detects rings of accounts that
 * invite each other, as a star or as a chain.
 */
export async function countInvitedInNetwork(tx: Tx, referrerId: string, since: Date): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*) from invitations
    where customer_id = any(${await listReferrerNetwork(tx, referrerId)}) and invited_at > ${since}`);
  return row!.count;
}

/** Lists the referrer, the referrer's referrer, and so on. */
async function listReferrerNetwork(tx: Tx, referrerId: string): Promise<string[]> {
  const referrers = await tx.rows<{ id: string }>(sql`select referrers_of(${referrerId}) as id`);
  return [referrerId, ...pluck(referrers, 'id')];
}

/** Counts the rewards since an instant, for purchases at this merchant, of the referrer, the referrer's referrer, and so on. */
export async function countRewardsAtMerchant(
  tx: Tx,
  { referrerId, merchantId, since }: { referrerId: string; merchantId: number; since: Date },
): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*) from invitations
    where customer_id = any(${await listReferrerNetwork(tx, referrerId)}) and reward_cents > 0 and rewarded_at > ${since}
      and merchant_id = ${merchantId}`);
  return row!.count;
}

/** The encrypted name is masked, because referrers may see only the masked name. */
export const invitationColumns = columns({
  invited_id: column.text(),
  invited_name_sealed: column.encryptedText({ context: 'invited', rowIdColumn: 'invited_id' }),
});
const { invited_name_sealed: encryptedName } = invitationColumns.declarations;

export const decryptName = (vault: Vault, invitedId: string, encrypted: Buffer): string =>
  encryptedName.decrypt(vault, invitedId, encrypted);

type NewInvitation = {
  readonly referrerId: string;
  readonly invitedId: string;
  readonly invitedName: string;
  readonly invitedAt: Date;
  readonly promisedReward: {
    readonly referrerCents: number;
    readonly invitedCents: number;
    readonly minPaidCents: number;
  };
};

/** Stores the referrer and the invitation. The caller has checked them while it holds `lockReferrers`. */
export async function insertInvitation(tx: CustomerTx, invitation: NewInvitation): Promise<void> {
  const { referrerId, invitedId, invitedName, invitedAt, promisedReward } = invitation;
  await tx.run(sql`insert into referrers (customer_id, referrer_id) values (${invitedId}, ${referrerId})`);
  await tx.run(sql`
    insert into invitations (customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents,
                             invited_reward_cents, min_paid_cents)
    values (${referrerId}, ${invitedId}, ${encryptedName.encrypt(tx.vault, invitedId, invitedName)}, ${invitedAt},
            ${promisedReward.referrerCents}, ${promisedReward.invitedCents}, ${promisedReward.minPaidCents})`);
}

/** The invited customer, the promised rewards, and when they were credited. */
export type Invitation = {
  invited_id: string;
  invited_at: Date;
  referrer_reward_cents: number;
  invited_reward_cents: number;
  rewarded_at: Date | null;
  /** Set while the reward waits for a staff user. */
  held_at: Date | null;
  /** The decision of a staff user about a held reward, which is final. */
  reward_outcome: RewardDecision | null;
};

export type RewardDecision = 'approved' | 'refused';

export type InvitationRow = Invitation & {
  referrer_id: string;
  min_paid_cents: number;
  /** The merchant to whom the invited customer had paid the most when the reward was due. */
  merchant_id: number | null;
  /** The positions of the credits in both statements; null if the invitation is not rewarded. */
  referrer_position: number | null;
  invited_position: number | null;
};

export const findInvitation = (tx: CustomerTx, referrerId: string, invitedId: string) =>
  tx.row<InvitationRow>(sql`
    select customer_id as referrer_id, invited_id, invited_at, referrer_reward_cents,
           invited_reward_cents, min_paid_cents, rewarded_at, held_at, reward_outcome, merchant_id, referrer_position,
           invited_position
    from invitations where customer_id = ${referrerId} and invited_id = ${invitedId}`);

/**
 * Finds the instant at which to credit the next reward, and counts the rewards in the `countedDays` before that instant. The instant is now
 * or, if the clocks of nodes differ or this transaction read the clock before it got the lock, that of the previous reward.
 */
export async function findNextReward(tx: CustomerTx, referrerId: string, now: Date, countedDays: number) {
  const row = await tx.row<{ rewarded_at: Date; previous_reward_count: number }>(sql`
    select next.rewarded_at, (select count(*) from invitations invitation
                              where invitation.customer_id = ${referrerId} and invitation.reward_cents > 0
                                and invitation.rewarded_at > next.rewarded_at - make_interval(days => ${countedDays})) as previous_reward_count
    from (select greatest(${now}, max(rewarded_at)) as rewarded_at from invitations where customer_id = ${referrerId}) as next`);
  return row!;
}

/** The credited reward, with the positions of the credits in both statements. All fields are null if the invitation is not rewarded. */
type Reward = {
  readonly rewardedAt: Date | null;
  readonly rewardCents: number | null;
  readonly referrerPosition: number | null;
  readonly invitedPosition: number | null;
  readonly merchantId: number | null;
};

export const NO_REWARD: Reward = {
  rewardedAt: null,
  rewardCents: null,
  referrerPosition: null,
  invitedPosition: null,
  merchantId: null,
};

/** Saves a reward, or with `NO_REWARD` that it was reversed. Ends a hold. The caller has locked both customers. */
export const saveReward = (tx: CustomerTx, { referrer_id, invited_id }: InvitationRow, reward: Reward) =>
  tx.run(sql`
    update invitations set
      rewarded_at = ${reward.rewardedAt}, reward_cents = ${reward.rewardCents},
      referrer_position = ${reward.referrerPosition}, invited_position = ${reward.invitedPosition},
      merchant_id = ${reward.merchantId}, held_at = null
    where customer_id = ${referrer_id} and invited_id = ${invited_id}`);

/** Saves that the reward waits for a staff user. The caller has locked both customers. */
export async function holdReward(
  tx: CustomerTx,
  { referrer_id, invited_id }: InvitationRow,
  { merchantId, heldAt }: { merchantId: number; heldAt: Date },
): Promise<void> {
  await tx.run(sql`
    update invitations set held_at = ${heldAt}, merchant_id = ${merchantId}
    where customer_id = ${referrer_id} and invited_id = ${invited_id}`);
}

/** Saves the decision about a held reward, and ends the hold. The caller has locked both customers. */
export async function saveRewardDecision(
  tx: CustomerTx,
  { referrer_id, invited_id }: InvitationRow,
  decision: RewardDecision,
): Promise<void> {
  await tx.run(sql`
    update invitations set held_at = null, reward_outcome = ${decision}
    where customer_id = ${referrer_id} and invited_id = ${invited_id}`);
}

export const countHeldRewards = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from invitations where held_at is not null`))!;
