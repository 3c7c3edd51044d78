import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { saoPauloDay } from '#core/day.ts';
import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { CreditDeps } from '../deps.ts';
import { AGES } from '../reports/figures-store.ts';
import { renderListedForOperator } from '../reports/render-staff.ts';
import { listedCheckouts, listSalesCalled } from '../reports/staff-store.ts';
import { OperatorCheckoutItem, STATUSES } from '../schemas.ts';

export const getAdminCheckouts = ({ db, clock, publicUrl, merchants, resolveSearch }: CreditDeps) =>
  endpoint('GET /admin/checkouts', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCheckoutsOfAll',
    summary: 'List purchases of all customers',
    description: 'With what is owed as of now.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('of the merchant, the hash of a purchase, or the merchant’s reference'),
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only those in this status now.' })),
      days_late: Type.Optional(
        Type.Enum([...AGES], {
          description: 'Only those with an installment that is late by so many days now.',
        }),
      ),
      written_off: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'Only those that are, or are not.' }),
      ),
      merchant: Type.Optional(Slug({ description: 'Slug of the merchant.' })),
      customer: Type.Optional(Text(80, { description: 'Id or phone of the customer.' })),
      reference: Type.Optional(Text(100, { description: 'What the merchant calls the offer it came of.' })),
      ...dayParameters('Bought'),
    }),
    answers: listAnswer('A page of purchases.', OperatorCheckoutItem, 'What was financed'),
    async handler(request, reply) {
      const { q, merchant, customer, reference, status, days_late, written_off, from, to } = request.query;
      const now = clock.now().getTime();
      const filter = {
        status,
        daysLate: days_late,
        from,
        to,
        target: await resolveSearch(q),
        among: reference === undefined ? undefined : await listSalesCalled(db, reference),
        writtenOff: written_off === undefined ? undefined : written_off === 'true',
        // No merchant has the id 0, and no customer the id ''.
        merchantId: merchant === undefined ? undefined : ((await findSellingMerchant(db, merchant))?.id ?? 0),
        customerId: customer === undefined ? undefined : ((await findCustomerId(db, customer)) ?? ''),
      };
      return answerList(db, { request, reply }, listedCheckouts(filter, saoPauloDay(now)), {
        item: OperatorCheckoutItem,
        render: (rows) => renderListedForOperator(db, rows, merchants, { now, publicUrl: publicUrl() }),
      });
    },
  });
