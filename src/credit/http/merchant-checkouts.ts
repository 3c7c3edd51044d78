import { Type } from 'typebox';
import { type Day, day, endOfDay, laterDay, parseDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import { findCustomerName, listCustomerNames } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { dryRun, pluck } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { LINK_HEADER, pageParameters, respondWithPage, toPageRange } from '#platform/http/pagination.ts';
import { Id, Text } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import type { CreditDeps } from '../deps.ts';
import { CHECKOUT_HASH_PATTERN } from '../fields.ts';
import {
  buildSaleOriginLookup,
  isClerk,
  ownerRoleRequired,
  toRecordCreator,
} from '../offers/offer-authors.ts';
import { returnProblems, returnWaiting } from '../problems.ts';
import { withCurrentMerchants } from '../purchases/checkout-record.ts';
import {
  findCheckout,
  findCustomerByCheckout,
  findSaleParties,
  listMerchantSales,
  toStatusRange,
} from '../purchases/reading-store.ts';
import { renderSale, renderSaleItem } from '../purchases/render-checkout.ts';
import { renderReturn, renderReturnPreview, renderWaitingReturn } from '../returns/render-return.ts';
import { type CompletedReturn, previewReturn, requestReturn } from '../returns/return-purchase.ts';
import { ReturnPreview, WaitingReturnResponse } from '../returns/schemas.ts';
import {
  dryRunParameter,
  MerchantReturn,
  ReturnOrder,
  Sale,
  SalePage,
  STATUSES,
  saleRoute,
} from '../schemas.ts';
import { MAX_SALES_SEARCHED, resolveSaleSearch } from '../staff/staff-store.ts';

const EARLIEST_DAY = day('2000-01-01');
const LATEST_DAY = day('2999-12-31');

const defineDayFilter = (daysDescription: string) =>
  Type.Optional(Type.String({ format: 'date', description: `Only sales made ${daysDescription}.` }));

export const getMerchantCheckouts = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /merchant/checkouts', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'listSales',
    summary: 'List your sales',
    description:
      'Lists your sales, newest first, with the amounts owed as of now. All filters that are sent must match. A clerk sees the sales of today, and any sale ' +
      'they look up by `hash` or `code`.',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only sales with this status.' })),
      on: defineDayFilter('on this day'),
      from: defineDayFilter('on this day or later'),
      to: defineDayFilter('on this day or before'),
      hash: Type.Optional(
        Type.String({ pattern: CHECKOUT_HASH_PATTERN, description: 'Only the sale with this hash.' }),
      ),
      code: Type.Optional(Text(40, { description: 'Only the sale from the open offer with this code.' })),
      amount: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          format: 'reais',
          description: 'Only sales with exactly this amount.',
        }),
      ),
      q: Type.Optional(
        Text(60, {
          description: `Only sales to customers whose name, as masked for you, contains this text. Searches the newest ${MAX_SALES_SEARCHED} sales of the period.`,
        }),
      ),
      by: Type.Optional(Id('mbr', { description: 'Only sales from offers of this member.' })),
      ...pageParameters(),
    }),
    responses: { 200: { description: 'A page of sales.', schema: SalePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const now = clock.now().getTime();
      const today = saoPauloDay(now);
      const { page, limit, status, ...search } = request.query;
      const { on, from = on, to = on } = search;
      const isLookup = search.hash !== undefined || search.code !== undefined;
      const days = isClerk(request.caller) && !isLookup ? requireToday(today, { from, to }) : { from, to };
      const period = {
        merchantId: request.caller.merchantId,
        since: new Date(startOfDay(clampDay(days.from, EARLIEST_DAY))),
        before: new Date(endOfDay(clampDay(days.to, LATEST_DAY))),
      };
      const filter = await resolveSaleSearch(db, period, search);
      const { sales, total } = filter
        ? await listMerchantSales(
            db,
            filter,
            toStatusRange(status, today),
            today,
            toPageRange({ page, limit }),
          )
        : { sales: [], total: 0 };
      const customerNames = await listCustomerNames(db, [...new Set(pluck(sales, 'customer_id'))]);
      const renderContext = { now, publicUrl: publicUrl() };
      const salesWithMerchants = await withCurrentMerchants(sales, merchants);
      const findOrigin = await buildSaleOriginLookup(db, pluck(sales, 'offer_id'));
      const query = { page, limit, status, ...search };
      return respondWithPage(
        reply,
        { url: `${renderContext.publicUrl}/merchant/checkouts`, query, total },
        salesWithMerchants.map((sale) =>
          renderSaleItem(sale, customerNames.get(sale.customer_id), {
            ...renderContext,
            ...findOrigin(sale.offer_id),
          }),
        ),
      );
    },
  });

type DayRange = { from?: string | undefined; to?: string | undefined };

/** Allows a clerk only the sales of today. For other days, throws a problem that names the required role. */
function requireToday(today: Day, { from = today, to = today }: DayRange): DayRange {
  if (from !== today || to !== today) throw ownerRoleRequired();
  return { from, to };
}

/** Parses a day, and clamps it to the range that the database can represent as timestamps. */
function clampDay(text: string | undefined, defaultDay: Day): Day {
  const requestedDay = laterDay(parseDay(text) ?? defaultDay, EARLIEST_DAY);
  return requestedDay > LATEST_DAY ? LATEST_DAY : requestedDay;
}

export const getMerchantCheckoutsHash = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /merchant/checkouts/:hash', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'getSale',
    summary: 'Get one of your sales',
    ...saleRoute,
    responses: { 200: { description: 'The sale.', schema: Sale } },
    async handler(request) {
      const { hash } = request.params;
      const customerId = await findCustomerByCheckout(db, hash);
      const checkout = customerId && (await findCheckout(db, customerId, hash, merchants));
      if (!checkout || checkout.merchant_id !== request.caller.merchantId) throw request.notFound();
      const customerName = await findCustomerName(db, checkout.customer_id);
      const renderContext = { now: clock.now().getTime(), publicUrl: publicUrl() };
      const findOrigin = await buildSaleOriginLookup(db, [checkout.offer_id]);
      return renderSale(checkout, customerName, { ...renderContext, ...findOrigin(checkout.offer_id) });
    },
  });

export const postMerchantCheckoutsHashReturns = (deps: CreditDeps) =>
  endpoint('POST /merchant/checkouts/:hash/returns', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'returnSale',
    summary: 'Return a sale, in part or in full',
    description:
      'From now on the purchase is treated as if its amount had been smaller from the beginning. Money paid in excess pays the other ' +
      'installments, the earliest first; the remainder is refunded to the customer. Pending PIX charges are cancelled. A return that ' +
      'would leave you owing more than your limit waits for the operator’s approval, and no money moves until then. With `dry_run` ' +
      'nothing is written, and the response shows the result. A clerk needs the permission `may_return`.',
    ...saleRoute,
    idempotent: true,
    query: dryRunParameter(),
    body: ReturnOrder,
    responses: {
      200: { description: 'The result of a dry run.', schema: ReturnPreview },
      201: { description: 'The return.', schema: MerchantReturn },
      202: { description: 'The return waits for the operator’s approval.', schema: WaitingReturnResponse },
    },
    problems: [...returnProblems, returnWaiting],
    async handler(request, reply) {
      const { db, clock, merchants, publicUrl } = deps;
      const { hash } = request.params;
      const { amount, reason } = request.body;
      const { merchantId, keyId, member } = request.caller;
      if (isClerk(request.caller) && !member!.mayReturn) throw ownerRoleRequired();
      const saleParties = await findSaleParties(db, hash);
      if (saleParties?.merchant_id !== merchantId) throw request.notFound();
      const now = clock.now();
      const order = {
        customerId: saleParties.customer_id,
        hash,
        reason,
        authorId: member?.id ?? keyId,
        amount: amount === undefined ? undefined : parseReais(amount)!,
      };
      const renderCompleted = async (tx: CustomerTx, completedReturn: CompletedReturn) => {
        const record = (await findCheckout(tx, order.customerId, hash, merchants))!;
        const customerName = await findCustomerName(tx, order.customerId);
        const findOrigin = await buildSaleOriginLookup(tx, [record.offer_id]);
        const renderContext = { now: now.getTime(), publicUrl: publicUrl(), ...findOrigin(record.offer_id) };
        const checkout = renderSale(record, customerName, renderContext);
        return { ...renderReturn(completedReturn, order, toRecordCreator(request.caller)), checkout };
      };
      const transactions = forCustomer(db, order.customerId);
      if (request.query.dry_run === 'true') {
        const preview = await dryRun(transactions, async (tx) => {
          const returnPreview = await previewReturn(tx, order, { ...deps, now });
          const returnView = await renderCompleted(tx, returnPreview.completedReturn);
          return { ...omit(returnView, 'id'), ...renderReturnPreview(returnPreview) };
        });
        return reply.code(200).send(preview);
      }
      const requestAndRender = async (tx: CustomerTx) => {
        const outcome = await requestReturn(tx, order, { ...deps, now });
        return 'completedReturn' in outcome
          ? renderCompleted(tx, outcome.completedReturn)
          : { return: renderWaitingReturn(outcome.waitingReturn, toRecordCreator(request.caller)) };
      };
      const fingerprint = [hash, request.body];
      const response = await createOnce(transactions, { request, reply, now }, requestAndRender, fingerprint);
      if ('return' in response) return reply.code(202).send(response);
      return reply.code(201).send(response);
    },
  });
