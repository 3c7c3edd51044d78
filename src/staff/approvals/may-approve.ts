import { DAY_MS } from '#core/values/duration.ts';
import { requireRole } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import type { RequiredRole } from '#platform/http/access.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { Mode } from '#platform/settings.ts';
import { requireSessionId } from '../sign-in/sessions.ts';
import { findLastInvitation } from '../sign-in/store.ts';
import { approverTooNew, ownApproval } from './problems.ts';
import type { ApprovalRow } from './store.ts';

/** A requester who invites or resets another staff user could sign in as that user. */
const NEW_APPROVER_MS = DAY_MS;

/** The second person needs the role of the act, and must not be the requester or a person whom the requester has just invited. */
export async function assertMayApprove(
  tx: Tx,
  caller: Caller,
  { row, role, mode, now }: { row: ApprovalRow; role: RequiredRole; mode: Mode; now: Date },
): Promise<void> {
  requireRole(caller, role);
  if (row.asked_by === caller.staffUserId) throw ownApproval();
  // In live mode a session has a second factor, and an API key has none.
  if (mode === 'live') requireSessionId({ caller });
  const invitation = await findLastInvitation(tx, caller.staffUserId);
  const isNew = invitation && now.getTime() - invitation.invited_at.getTime() < NEW_APPROVER_MS;
  if (isNew && invitation.invited_by === row.asked_by) throw approverTooNew();
}
