import type { CheckMemberCode } from '#members';
import type { Deps } from '#module';

export type PayoutsDeps = Deps & { checkMemberCode: CheckMemberCode };
