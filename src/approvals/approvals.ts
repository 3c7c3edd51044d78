import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS } from '#core/duration.ts';
import { cents, toReais } from '#core/money.ts';
import type { Deps } from '#module';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { Approval, type ApprovalRule, type ShownApproval } from '#platform/http/approval.ts';
import { shown } from '#platform/http/shown.ts';
import { newId } from '#platform/ids.ts';
import { changeBy, recordChange, recordCreation, rowSubject } from '#platform/privacy/trail.ts';
import { listNames } from '#staff';
import { actFailed, approvalClosed, ownApproval } from './problems.ts';
import type { ApprovalSettings } from './settings.ts';
import {
  type ApprovalRow,
  findApproval,
  insertApproval,
  lockApproval,
  markDecided,
  markDone,
  markExpired,
} from './store.ts';

const DAYS_TO_DECIDE = 7;
/** An approved act that is not done after this long was interrupted by a crash. It may be approved again. */
const ABANDONED_MS = 60_000;
/** Names the approval whose act is being done. The values are random and live as long as the act, so nobody can forge one. */
const HEADER = 'x-approval';
/** Headers of the second person's request that belong to that request alone. */
const OWN_HEADERS = new Set([
  'content-length',
  'content-type',
  'transfer-encoding',
  'idempotency-key',
  'if-match',
]);

type Act = { method: string; url: string; body: unknown; ifMatch: string | undefined };
type ActResponse = { status: number; body: unknown };

export type ApprovalDeps = Pick<Deps<ApprovalSettings>, 'db' | 'clock' | 'resolveSearch' | 'settings'> & {
  readonly approvals: Approvals;
};

/** Holds acts until a second person approves them, and then does them. */
export class Approvals {
  readonly #deps: Pick<Deps<ApprovalSettings>, 'db' | 'clock' | 'settings'>;
  readonly #running = new Set<string>();

  constructor(deps: Pick<Deps<ApprovalSettings>, 'db' | 'clock' | 'settings'>) {
    this.#deps = deps;
  }

  /** Before the handler of an endpoint with a rule: answers 202 if the act has to wait. */
  async hold(
    request: FastifyRequest,
    reply: FastifyReply,
    rule: ApprovalRule<FastifyRequest>,
  ): Promise<void> {
    const { db, clock, settings } = this.#deps;
    const bound = settings.fourEyesCents;
    if (bound === 0 || this.#running.has(String(request.headers[HEADER]))) return;
    if ((request.body as { dry_run?: boolean } | undefined)?.dry_run === true) return;
    const stake = await rule.stake(request);
    if (!stake || (stake.amount !== null && stake.amount <= bound)) return;
    const now = clock.now();
    const { reason } = (request.body ?? {}) as { reason?: string };
    const id = newId('apr', now);
    const act: Act = {
      method: request.method,
      url: request.raw.url!,
      body: request.body,
      ifMatch: request.headers['if-match'],
    };
    const text = JSON.stringify(act);
    const approval = {
      id,
      kind: rule.kind,
      amount_cents: stake.amount,
      subject: stake.subject,
      reason: reason ?? null,
      status: 'waiting' as const,
      asked_by: request.caller.personId,
      asked_at: now,
      request_sealed: db.vault.pack(text, id),
      request_hash: createHash('sha256').update(text).digest(),
    };
    const held = await db.transaction(async (tx) => {
      const { row, isNew } = await insertApproval(tx, approval);
      const told = await render(tx, row);
      if (isNew) await recordCreation(tx, changeBy(request, now, reason), { kind: 'approval', id }, told);
      else reply.header('idempotency-replayed', 'true');
      return told;
    });
    await reply.code(202).send({ approval: held });
  }

  /** Claims the approval, calls the act's endpoint and stores the result. Returns the endpoint's response. */
  async approve(request: FastifyRequest, id: string): Promise<unknown> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const change = changeBy(request, now);
    const by = change.actor.id;
    let sealed: Buffer | null = null;
    const claimed = await db.transaction((tx) =>
      recordChange(tx, change, { of: approvalSubject, id }, async () => {
        const row = (await lockApproval(tx, id))!;
        if (row.asked_by === by) throw ownApproval();
        if (row.status !== 'waiting' && !isAbandoned(row, now)) throw approvalClosed(row.status);
        await markDecided(tx, id, { status: 'approved', by, at: now, outcome: null });
        sealed = row.request_sealed;
      }),
    );
    if (!claimed) return undefined;
    const { status, body } = await this.#run(request, id, JSON.parse(db.vault.unpack(sealed!, id)) as Act);
    const isDone = status < 400;
    const outcome = isDone ? null : ((body as { detail?: string }).detail ?? `HTTP ${status}`);
    await db.transaction((tx) =>
      markDone(tx, id, { status: isDone ? 'approved' : 'failed', at: clock.now(), outcome }),
    );
    if (outcome !== null) throw actFailed(outcome);
    return body;
  }

  /** Calls it as the second person, who needs the same permission. The approval's id is the idempotency key, so the act is done once. */
  async #run(request: FastifyRequest, id: string, { method, url, body, ifMatch }: Act): Promise<ActResponse> {
    const token = randomUUID();
    const own = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name));
    this.#running.add(token);
    try {
      const answer = await request.server.inject({
        method: method as 'POST',
        url,
        remoteAddress: request.ip,
        headers: {
          ...Object.fromEntries(own),
          [HEADER]: token,
          'idempotency-key': id,
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body !== undefined && { payload: body as object }),
      });
      return { status: answer.statusCode, body: answer.json() };
    } finally {
      this.#running.delete(token);
    }
  }

  /** Whoever asked may also refuse it, which withdraws the request. */
  async refuse(tx: Tx, id: string, { by, reason }: { by: string; reason: string }): Promise<void> {
    const { status } = (await lockApproval(tx, id))!;
    if (status !== 'waiting') throw approvalClosed(status);
    await markDecided(tx, id, { status: 'refused', by, at: this.#deps.clock.now(), outcome: reason });
  }

  async expire(now: Date): Promise<void> {
    await markExpired(this.#deps.db, new Date(now.getTime() - DAYS_TO_DECIDE * DAY_MS), now);
  }
}

const isAbandoned = ({ status, done_at, decided_at }: ApprovalRow, now: Date): boolean =>
  status === 'approved' && done_at === null && now.getTime() - decided_at!.getTime() > ABANDONED_MS;

export const approvalSubject = rowSubject('approval', lockApproval, (row, tx) => render(tx, row));

const render = async (db: Queryable, row: ApprovalRow): Promise<ShownApproval> =>
  (await renderApprovals(db, [row]))[0]!;

export async function renderApprovals(db: Queryable, rows: readonly ApprovalRow[]): Promise<ShownApproval[]> {
  const ids = rows.flatMap(({ asked_by, decided_by }) => [asked_by, decided_by ?? '']);
  const names = await listNames(db, [...new Set(ids)]);
  const person = (id: string) => ({ id, name: names.get(id) ?? id });
  return rows.map((row) => ({
    ...shown(Approval, row),
    amount: row.amount_cents === null ? null : toReais(cents(row.amount_cents)),
    asked_by: person(row.asked_by),
    decided_by: row.decided_by === null ? null : person(row.decided_by),
    decided_at: row.decided_at?.toISOString() ?? null,
  }));
}

export async function showApproval(db: Queryable, id: string): Promise<ShownApproval | undefined> {
  const row = await findApproval(db, id);
  return row && render(db, row);
}
