import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import type { Deps, InjectRequest } from '#module';
import { requireRole } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import type { RequiredRole, Role } from '#platform/http/access.ts';
import {
  type ActionDescription,
  type ActionRecorder,
  type ApprovalRule,
  approvalMixed,
  approvalPending,
  approvalRequired,
  approvalStale,
  assertAsApproved,
} from '#platform/http/approval.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import {
  createAuditContext,
  createRowAuditEntity,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import type { Mode } from '#platform/settings.ts';
import { type ReplaySessions, requireSession } from '../sign-in/sessions.ts';
import { findLastInvitation } from '../sign-in/store.ts';
import { findStaffUser } from '../store.ts';
import { actFailed, approvalClosed, approverTooNew, ownApproval } from './problems.ts';
import { APPROVAL_TTL_DAYS, renderApproval, renderMaskedApproval } from './render.ts';
import type { ApprovalSettings } from './settings.ts';
import {
  type ApprovalRow,
  addToActionTotal,
  decryptDetails,
  encryptDetails,
  expireUndecidedApprovals,
  findActionTotal,
  findApproval,
  findPendingApproval,
  insertApproval,
  lockApproval,
  newApprovalColumns,
  purgeActionTotals,
  type StoredRequest,
  saveDecision,
  setFailed,
  setPerformed,
} from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    perform_approved_act: { id: string };
  }
}

/** The job performs an approved action only if the process that approved it has crashed by then. */
const JOB_DELAY_MS = MINUTE_MS;
const JOB_ATTEMPTS = 25;

/** The requester as a principal. Without an API key, `partnerId` is empty. */
type Requester = { staffUserId: string; partnerId: string; role: Role };

type ApprovalsOptions = Pick<Deps<ApprovalSettings>, 'db' | 'clock' | 'settings' | 'config'> & {
  readonly replaySessions: ReplaySessions;
};

export type ApprovalDeps = Pick<Deps<ApprovalSettings>, 'db' | 'clock' | 'resolveSearch' | 'settings'> & {
  readonly approvals: Approvals;
};

/** Stores actions until a second person approves them, and then performs them as their requester. */
export class Approvals {
  readonly #deps: ApprovalsOptions;
  /** Recorders of the actions that this process performs now, by the Authorization header of their requests. */
  readonly #recorders = new Map<string, ActionRecorder>();
  #injectStaff: InjectRequest | undefined;

  constructor(deps: ApprovalsOptions) {
    this.#deps = deps;
  }

  start(injectStaff: InjectRequest): void {
    this.#injectStaff = injectStaff;
  }

  /** Runs before the handler of an endpoint with an approval rule. Sends a 202 if the action requires an approval. */
  async holdForApproval(
    request: FastifyRequest,
    reply: FastifyReply,
    rule: ApprovalRule<FastifyRequest>,
  ): Promise<void> {
    const threshold = this.#deps.settings.fourEyesCents;
    const recorder = this.#recorders.get(request.headers.authorization ?? '');
    // A threshold of 0 switches approvals off. An action that was approved before that is still performed.
    if ((threshold === 0 && !recorder) || isDryRun(request)) return;
    const action = await rule.describe(request);
    if (recorder) {
      request.actionRecorder = recorder;
      assertAsApproved(request, action);
      return;
    }
    if (!action) return;
    const { db, clock } = this.#deps;
    const { staffUserId } = request.caller;
    const totalKey = { staffUserId, kind: rule.kind, day: saoPauloDay(clock.now().getTime()) };
    const amount = action.amount === null ? null : Math.abs(action.amount);
    if (amount !== null && amount + (await findActionTotal(db, totalKey)) <= threshold) {
      const pendingApproval = await findPendingApproval(db, action.subject);
      if (pendingApproval) throw approvalPending(pendingApproval.id);
      // Checked again when the amount is recorded, because concurrent actions add to the same total.
      const recordAmount = async (tx: Tx) => {
        if ((await addToActionTotal(tx, totalKey, amount)) > threshold) throw approvalRequired();
        return true;
      };
      request.actionRecorder = { approvedBy: null, description: null, record: recordOnce(recordAmount) };
      return;
    }
    const otherFields = listOtherFields(request.body, rule);
    if (otherFields.length > 0) throw approvalMixed(otherFields);
    await this.#holdAction(request, reply, rule, action);
  }

  /** Stores the request until the action is approved, and sends a 202. Equal requests share an approval, even from different IP addresses. */
  async #holdAction(
    request: FastifyRequest,
    reply: FastifyReply,
    rule: ApprovalRule<FastifyRequest>,
    action: ActionDescription,
  ): Promise<void> {
    const { db, clock } = this.#deps;
    const { caller, routeOptions } = request;
    const now = clock.now();
    const { reason } = (request.body ?? {}) as { reason?: string };
    const id = newId('apr', now);
    const { access } = routeOptions.config;
    const storedRequest: StoredRequest = {
      method: request.method,
      url: request.raw.url!,
      body: action.body ?? request.body,
      ifMatch: request.headers['if-match'],
      ipAddress: caller.ipAddress,
      role: rule.role ?? (access as { role: RequiredRole }).role,
    };
    const { ipAddress: _ipAddress, ...hashedFields } = storedRequest;
    const requestHash = createHash('sha256').update(JSON.stringify(hashedFields)).digest();
    const approval = {
      id,
      kind: rule.kind,
      amount_cents: action.amount,
      subject_kind: action.subject.kind,
      subject: action.subject.id,
      details_sealed: encryptDetails(db.vault, id, action),
      reason: reason ?? null,
      status: 'waiting' as const,
      asked_by: caller.staffUserId,
      asked_at: now,
      request_sealed: newApprovalColumns.declarations.request_sealed.encrypt(db.vault, id, storedRequest),
      request_hash: requestHash,
    };
    const renderedApproval = await db.transaction(async (tx) => {
      if (!(await insertApproval(tx, approval))) {
        const pendingApproval = await findPendingApproval(tx, action.subject);
        // Without a pending approval, the conflicting one was closed meanwhile.
        if (!pendingApproval?.request_hash.equals(requestHash))
          throw approvalPending(pendingApproval?.id ?? '');
        reply.header('idempotency-replayed', 'true');
        return renderApproval(tx, pendingApproval, caller.role);
      }
      const row = (await findApproval(tx, id))!;
      const auditContext = createAuditContext(request, now, reason);
      await recordAuditEntry(tx, auditContext, { kind: 'approval', id }, await renderMaskedApproval(tx, row));
      return renderApproval(tx, row, caller.role);
    });
    await reply.code(202).send({ approval: renderedApproval });
  }

  /** Records the approval, performs the action and returns the response body of its endpoint. Returns undefined if not found. */
  async approve(request: FastifyRequest, id: string): Promise<unknown> {
    const { db, clock, config } = this.#deps;
    const now = clock.now();
    const auditContext = createAuditContext(request, now);
    const approval = await db.transaction((tx) =>
      withAuditedUpdate(tx, auditContext, { entity: approvalAuditEntity, id }, async () => {
        const row = (await lockApproval(tx, id))!;
        if (row.status !== 'waiting') throw approvalClosed(row.status);
        const { role } = this.#decryptRequest(row);
        await assertMayApprove(tx, request.caller, { row, role, mode: config.mode, now });
        const decidedBy = request.caller.staffUserId;
        await saveDecision(tx, id, { status: 'approved', decidedBy, decidedAt: now, outcome: null });
        const jobOptions = { key: `perform ${id}`, delayMs: JOB_DELAY_MS };
        await enqueue(tx, 'perform_approved_act', { id }, JOB_ATTEMPTS, jobOptions);
      }),
    );
    return approval && this.perform(id, { requestId: request.id, headers: request.headers });
  }

  /**
   * Repeats the stored request on behalf of its requester. The transaction of the action also marks the approval as performed, so the action is
   * performed exactly once, however often this method is called.
   */
  async perform(
    id: string,
    { requestId, headers }: { requestId?: string; headers?: FastifyRequest['headers'] } = {},
  ): Promise<unknown> {
    const { db, clock, replaySessions } = this.#deps;
    const row = await findApproval(db, id);
    if (row?.status !== 'approved' || row.done_at !== null) return undefined;
    const requester = await this.#findRequester(row);
    if (!requester) return this.#failApproval(id, 'requester_removed', REQUESTER_REMOVED_OUTCOME);
    const storedRequest = this.#decryptRequest(row);
    const recorder: ActionRecorder = {
      approvedBy: row.decided_by,
      description: {
        amount: row.amount_cents as ActionDescription['amount'],
        ...decryptDetails(db.vault, row),
      },
      record: recordOnce((tx) => setPerformed(tx, id, clock.now())),
    };
    const response = await replaySessions.run({ id, ...requester }, async (token) => {
      const authorization = `Bearer ${token}`;
      this.#recorders.set(authorization, recorder);
      try {
        return await this.#injectStaff!({
          method: storedRequest.method as 'POST',
          url: storedRequest.url,
          headers: {
            authorization,
            'x-client-ip': storedRequest.ipAddress,
            ...(requestId !== undefined && { 'x-request-id': requestId }),
            // Without an approver, in a job, the outcome is stored in Portuguese.
            'accept-language': headers?.['accept-language'] ?? 'pt-BR',
            ...(storedRequest.ifMatch !== undefined && { 'if-match': storedRequest.ifMatch }),
          },
          ...(storedRequest.body !== undefined && { payload: storedRequest.body as object }),
        });
      } finally {
        this.#recorders.delete(authorization);
      }
    });
    return this.#readOutcome(id, response);
  }

  /** Returns the body of a successful response. For any other response, saves the failure if it is final, and throws. */
  async #readOutcome(id: string, response: LightMyRequestResponse): Promise<unknown> {
    const { statusCode } = response;
    const body = response.json() as { code?: string; detail?: string };
    // The job `perform_approved_act` performs the action again later.
    if (statusCode >= 500) throw new Error(`The approved action ${id} failed with status ${statusCode}.`);
    if (statusCode >= 400)
      return this.#failApproval(id, body.code ?? '', body.detail ?? `HTTP ${statusCode}`);
    const { done_at } = (await findApproval(this.#deps.db, id))!;
    if (done_at === null) throw new Error(`The approved action ${id} left no entry in the audit trail.`);
    return body;
  }

  async #failApproval(id: string, code: string, outcome: string): Promise<never> {
    await setFailed(this.#deps.db, id, this.#deps.clock.now(), outcome);
    throw STALE_APPROVAL_CODES.has(code) ? approvalStale() : actFailed(outcome);
  }

  async #findRequester({ asked_by }: ApprovalRow): Promise<Requester | undefined> {
    const user = await findStaffUser(this.#deps.db, asked_by);
    return user?.removed_at === null ? { staffUserId: user.id, partnerId: '', role: user.role } : undefined;
  }

  #decryptRequest({ id, request_sealed, details_sealed }: ApprovalRow): StoredRequest {
    // Approvals stored by an earlier release lack the change that the approver must see.
    if (request_sealed === null || details_sealed === null) throw approvalStale();
    return newApprovalColumns.declarations.request_sealed.decrypt(this.#deps.db.vault, id, request_sealed);
  }

  /** Expires undecided approvals, and deletes the totals of past days. */
  async expireUndecided(now: Date): Promise<void> {
    await expireUndecidedApprovals(this.#deps.db, new Date(now.getTime() - APPROVAL_TTL_DAYS * DAY_MS), now);
    await purgeActionTotals(this.#deps.db, saoPauloDay(now.getTime() - 2 * DAY_MS));
  }
}

const REQUESTER_REMOVED_OUTCOME = 'The requester is no longer a staff user.';
const STALE_APPROVAL_CODES = new Set([approvalStale.kind.code, 'changed_meanwhile']);

const isDryRun = ({ body, query }: FastifyRequest): boolean =>
  (body as { dry_run?: boolean } | undefined)?.dry_run === true ||
  (query as { dry_run?: string } | undefined)?.dry_run === 'true';

const listOtherFields = (body: unknown, { fields }: ApprovalRule<FastifyRequest>): string[] =>
  fields === undefined ? [] : Object.keys((body ?? {}) as object).filter((name) => !fields.includes(name));

/**
 * Creates a function that records an action once, in its first transaction that commits: a transaction may have several entries in the
 * audit trail. `record` returns false if the action was already performed.
 */
function recordOnce(record: (tx: Tx) => Promise<boolean>): ActionRecorder['record'] {
  let recordingTx: Tx | undefined;
  return async (tx) => {
    if (recordingTx === tx) return;
    if (!(await record(tx))) throw approvalClosed('approved');
    recordingTx = tx;
  };
}

export const approvalAuditEntity = createRowAuditEntity('approval', lockApproval, (row, tx) =>
  renderMaskedApproval(tx, row),
);

/** Refuses an action. The requester may refuse too, which cancels the request. */
export async function refuseAction(
  tx: Tx,
  id: string,
  { refusedBy, reason, now }: { refusedBy: string; reason: string; now: Date },
): Promise<void> {
  const { status } = (await lockApproval(tx, id))!;
  if (status !== 'waiting') throw approvalClosed(status);
  await saveDecision(tx, id, { status: 'refused', decidedBy: refusedBy, decidedAt: now, outcome: reason });
}

/** A requester who invites or resets another staff user could sign in as that user, and approve. */
const NEW_APPROVER_MS = DAY_MS;

/** The approver needs the role of the action, and must not be the requester or a person whom the requester has just invited. */
async function assertMayApprove(
  tx: Tx,
  caller: Caller,
  { row, role, mode, now }: { row: ApprovalRow; role: RequiredRole; mode: Mode; now: Date },
): Promise<void> {
  requireRole(caller, role);
  if (row.asked_by === caller.staffUserId) throw ownApproval();
  // In live mode only a session proves a second factor; an API key does not.
  if (mode === 'live') requireSession({ caller });
  const invitation = await findLastInvitation(tx, caller.staffUserId);
  const isNew = invitation && now.getTime() - invitation.invited_at.getTime() < NEW_APPROVER_MS;
  if (isNew && invitation.invited_by === row.asked_by) throw approverTooNew();
}
