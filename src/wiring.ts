import { creditAuditor } from '#credit';
import { type Events, openEvents } from '#events';
import type { Auditor } from '#ledger';
import { pixAuditor } from '#pix';

/** Who acts on what happens: the same for the service, the command line and the demo data. */
export function wireEvents(): Events {
  return openEvents([]);
}

/** Every house that moves money, for 'semana audit'. */
export const AUDITORS: readonly Auditor[] = [creditAuditor, pixAuditor];
