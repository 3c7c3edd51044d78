import type { Deps } from '#module';
import type { RewardsSettings } from './settings.ts';

export type Rewards = Deps & { referral: RewardsSettings };
