import type { CheckMemberCode } from '#members';
import type { Deps } from '#module';

export type Payouts = Deps & { checkMemberCode: CheckMemberCode };
