import { Type } from 'typebox';
import { addDays, type Day, daysBetween, saoPauloDay } from '#core/day.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { DayParameter } from '#platform/http/schemas.ts';
import { validationFailed } from '#platform/problem.ts';
import type { Payouts } from '../payouts.ts';
import { SalesByDay } from '../schemas.ts';
import { listDays } from '../summary.ts';

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

export const getMerchantSalesByDay = ({ db, clock }: Payouts) =>
  endpoint('GET /merchant/sales-by-day', {
    access: { scope: 'merchant', member: 'owner' },
    id: 'listSalesByDay',
    summary: 'Show what each day came to',
    description: `For a chart. The last ${USUAL_DAYS} days unless sent, ${MOST_DAYS} at most.`,
    query: Type.Object({
      from: Type.Optional(DayParameter('The first day')),
      to: Type.Optional(DayParameter('The last day; today unless sent')),
    }),
    answers: { 200: { description: 'The days.', schema: SalesByDay } },
    async handler(request) {
      const to = (request.query.to as Day | undefined) ?? saoPauloDay(clock.now().getTime());
      const from = (request.query.from as Day | undefined) ?? addDays(to, 1 - USUAL_DAYS);
      const days = daysBetween(from, to) + 1;
      if (days < 1 || days > MOST_DAYS)
        throw validationFailed([
          {
            pointer: '/from',
            message: {
              en: `is to be on or before \`to\`, by at most ${MOST_DAYS} days`,
              pt: `deve ser até \`to\`, com no máximo ${MOST_DAYS} dias`,
            },
          },
        ]);
      return { data: await listDays(db.shared, request.caller.merchantId, { from, to }) };
    },
  });
