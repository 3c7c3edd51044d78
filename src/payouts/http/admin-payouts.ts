import { Type } from 'typebox';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { cents, sum } from '#core/values/money.ts';
import type { Deps } from '#module';
import { dryRun } from '#platform/database/db.ts';
import { type ActionDescription, assertAsApproved, buildAmountChange } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { computeEtag, ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { negotiateLanguage } from '#platform/http/problem-body.ts';
import { fileParameters, readFileBody, rethrowAsFileProblem } from '#platform/http/raw-body.ts';
import { ListOf } from '#platform/http/schemas.ts';
import {
  createAuditContext,
  preconditionProblems,
  recordAuditEntry,
  updateForStaff,
} from '#platform/privacy/audit-trail.ts';
import { fileRefused } from '#platform/problem.ts';
import { createPayouts, markPayoutFailed, markPayoutPaid, payoutAuditEntity } from '../payouts.ts';
import { payoutClosed } from '../problems.ts';
import { renderPayout, renderPayoutItem, renderPayoutWithLines } from '../render.ts';
import { applyReturnFile, RETURN_FORMATS, renderOutcome } from '../return-file/apply-return-file.ts';
import {
  Payout,
  PayoutBatch,
  PayoutFailedForm,
  PayoutPaidForm,
  PayoutWithLines,
  payoutRoute,
  ReturnFileOutcome,
  StaffPayoutItem,
} from '../schemas.ts';
import { findPayout, type PayoutRow, payoutList } from '../store.ts';

export const getAdminPayouts = (deps: Deps) =>
  listEndpoint('GET /admin/payouts', deps, payoutList, {
    id: 'listPayouts',
    summary: 'List payouts',
    description:
      'Each payout has the account that it was created with. With `Accept: text/csv` the response has all payouts without pages, for the bank.',
    cli: {
      columns: 'id, merchant, amount, status, due_on, created_at, reference|reason',
      examples: ['semana payouts list --status pending'],
    },
    page: 'A page of payouts.',
    item: StaffPayoutItem,
    sum: 'Paid out amount',
    render: (rows) => rows.map(renderPayoutItem),
  });

export const postAdminPayouts = ({ db, clock }: Deps) =>
  endpoint('POST /admin/payouts', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createPayouts',
    summary: 'Create payouts for all due amounts',
    description:
      'Creates one payout per merchant with due amounts that are in no payout yet. A second request includes only new amounts. A merchant ' +
      'whose returns exceed its due amounts gets no payout; its next due amounts reduce the debt first.',
    idempotent: true,
    body: PayoutBatch,
    bodyOptional: true,
    cli: {
      emptyText: 'Nothing is due until then that is in no payout yet.',
      confirm: 'This creates payouts of everything that merchants are owed until then.',
      examples: ['semana payouts create', 'semana payouts create --until 2026-11-17'],
    },
    responses: {
      201: {
        description: 'The created payouts, by merchant; empty if nothing is due.',
        schema: ListOf(Payout),
      },
    },
    approval: {
      kind: 'payout',
      async describe({ body }) {
        const now = clock.now();
        const until = (body.until as Day | undefined) ?? saoPauloDay(now.getTime());
        return describeBatch(until, await dryRun(db, (tx) => createPayouts(tx, until, now)));
      },
    },
    handler(request, reply) {
      const now = clock.now();
      const until = (request.body.until as Day | undefined) ?? saoPauloDay(now.getTime());
      const auditContext = createAuditContext(request, now);
      return createOnce(db, { request, reply, now }, async (tx) => {
        const payouts = await createPayouts(tx, until, now);
        assertAsApproved(request, describeBatch(until, payouts));
        const data = payouts.map(renderPayout);
        for (const payout of data)
          await recordAuditEntry(tx, auditContext, { kind: 'payout', id: payout.id }, payout);
        await recordAuditEntry(
          tx,
          auditContext,
          { kind: 'payouts', id: until },
          { until, payouts: data.length },
        );
        return { data };
      });
    },
  });

/** Describes a batch for approval. An approved batch must pay exactly these merchants and amounts. */
function describeBatch(until: Day, payouts: readonly PayoutRow[]): ActionDescription {
  const change = payouts.map(({ merchant_slug, amount_cents }) =>
    buildAmountChange(merchant_slug, null, cents(amount_cents)),
  );
  return {
    amount: sum(payouts.map(({ amount_cents }) => cents(amount_cents))),
    subject: { kind: 'payouts', id: until, name: null },
    change: change.toSorted((a, b) => a.field.localeCompare(b.field)),
    body: { until },
  };
}

export const getAdminPayoutsId = ({ db }: Deps) =>
  endpoint('GET /admin/payouts/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPayout',
    summary: 'Get a payout',
    description: 'Includes a page of the lines that it settled, the earliest first.',
    ...payoutRoute,
    query: Type.Object(pageParameters()),
    responses: { 200: { description: 'The payout.', schema: PayoutWithLines, etag: true } },
    async handler(request, reply) {
      const payout = await findPayout(db, request.params.id);
      if (!payout) throw request.notFound();
      reply.header('etag', computeEtag(renderPayout(payout)));
      return renderPayoutWithLines(db, payout, request.query);
    },
  });

/** Each line may take a transaction of some 10 ms while the caller waits for the response. */
const MAX_LINES = 1_000;

export const postAdminPayoutsReturnFile = ({ db, clock, events }: Deps) =>
  endpoint('POST /admin/payouts/return-file', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutsByFile',
    summary: 'Mark payouts from a return file',
    description:
      `Marks payouts as paid or failed from a return file of the bank. The body is the file, at most 2 MiB and ${MAX_LINES} lines. ` +
      '`csv`: the CSV list of `GET /admin/payouts` with `status` (paid or failed) and `reference` or `reason` filled in; an `amount` must match. ' +
      '`cnab240`: FEBRABAN’s return file of payments. A bad line does not affect the others, and repeating a file changes nothing. With `dry_run` nothing is written.',
    query: Type.Object(fileParameters(RETURN_FORMATS)),
    rawBody: true,
    rawContentTypes: ['text/csv', 'text/plain'],
    cli: {
      columns: 'line, outcome, payout, merchant, amount, message',
      emptyText: 'No lines.',
      failedIf: 'totals.bad.lines',
      confirm: 'This records the payouts of the file as paid or failed.',
      examples: [
        'semana payouts return-file repasses.csv --dry-run',
        'semana payouts return-file RETORNO.RET --format cnab240 --encoding latin1 --yes',
      ],
    },
    responses: { 200: { description: 'The result of each line.', schema: ReturnFileOutcome } },
    problems: [fileRefused],
    async handler(request) {
      const { dry_run, format = 'csv', encoding = 'utf-8' } = request.query;
      const bytes = await readFileBody(request.raw);
      const file = { bytes: [bytes], format, encoding, isDryRun: dry_run === 'true', maxLines: MAX_LINES };
      const auditContext = createAuditContext(request, clock.now());
      const results = await applyReturnFile(db, file, { auditContext, events }).catch(rethrowAsFileProblem);
      return renderOutcome(results, negotiateLanguage(request.headers['accept-language']));
    },
  });

export const postAdminPayoutsIdFailed = (deps: Deps) =>
  endpoint('POST /admin/payouts/:id/failed', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutFailed',
    summary: 'Mark a payout as failed',
    description:
      'The bank did not pay. The merchant is owed the amount again, and the next batch pays it. Repeating the request with the same reason changes nothing.',
    ...payoutRoute,
    headers: ifMatchHeader,
    body: PayoutFailedForm,
    cli: {
      confirm: 'This records that the bank did not pay the payout {id}.',
      done: '{merchant} is owed {amount} again.',
    },
    responses: { 200: { description: 'The payout.', schema: Payout, etag: true } },
    problems: [...preconditionProblems, payoutClosed],
    async handler(request) {
      const { params, headers, body } = request;
      const { id } = params;
      const { reason } = body;
      const target = { entity: payoutAuditEntity, id, ifMatch: headers['if-match'], reason };
      return updateForStaff(deps, request, target, (tx, now) => markPayoutFailed(tx, id, reason, now));
    },
  });

export const postAdminPayoutsIdPaid = (deps: Deps) =>
  endpoint('POST /admin/payouts/:id/paid', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutPaid',
    summary: 'Mark a payout as paid',
    description:
      'Requires the reference of the bank. Repeating the request with the same reference changes nothing.',
    ...payoutRoute,
    headers: ifMatchHeader,
    body: PayoutPaidForm,
    cli: {
      confirm: 'This records that the bank paid the payout {id}.',
      done: '{merchant} was paid {amount}.',
    },
    responses: { 200: { description: 'The payout.', schema: Payout, etag: true } },
    problems: [...preconditionProblems, payoutClosed],
    async handler(request) {
      const { params, headers, body } = request;
      const target = { entity: payoutAuditEntity, id: params.id, ifMatch: headers['if-match'] };
      return updateForStaff(deps, request, target, (tx, now) =>
        markPayoutPaid(tx, params.id, body.reference, { events: deps.events, now }),
      );
    },
  });
