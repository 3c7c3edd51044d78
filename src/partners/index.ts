import type { Command } from '#platform/command.ts';
import { keyCreate } from './commands/key-create.ts';
import { keyList } from './commands/key-list.ts';
import { keyRevoke } from './commands/key-revoke.ts';
import { keyRotate } from './commands/key-rotate.ts';
import { partnerCreate } from './commands/partner-create.ts';
import { partnerList } from './commands/partner-list.ts';

export { clientIpHeader } from './client-address.ts';
export { answerPreflight } from './cors.ts';
export { createPartner } from './create-partner.ts';
export { apiKeyGuard, apiKeyGuardSync } from './guard.ts';
export { ensureKey, issueKey } from './issue-key.ts';
export { KeyUse } from './key-use.ts';
export { Keyring } from './keyring.ts';
export { partnerProblems, rateLimited } from './problems.ts';
export { RateLimiter } from './rate-limiter.ts';
export { findPartner } from './store.ts';

export const partnerCommands: Command[] = [
  partnerCreate,
  partnerList,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
];
