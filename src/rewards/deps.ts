import type { Deps } from '#module';
import type { RewardsSettings } from './settings.ts';

export type RewardsDeps = Deps & { referral: RewardsSettings };
