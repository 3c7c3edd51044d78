import { Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Pix } from '../pix.ts';
import { refundNotGivenUp } from '../problems.ts';
import { retryRecorded } from '../refunds/retry-refund.ts';
import { ofRefund, PixRefund } from '../schemas.ts';

export const postAdminPixRefundsIdRetry = ({ db, clock, events }: Pix) =>
  endpoint('POST /admin/pix/refunds/:id/retry', {
    access: { scope: 'operator', role: 'finance' },
    id: 'retryPixRefund',
    summary: 'Try again to give money back',
    description:
      'What this refund had given up to return is asked for anew, as another refund, and tried as often as the first.',
    ...ofRefund,
    answers: {
      200: {
        description: 'The refund as it stands now, and what is asked for anew.',
        schema: Type.Object({
          asked: Type.Number({ description: 'What is asked of the payment provider again, in reais.' }),
          refund: PixRefund,
        }),
      },
    },
    problems: [refundNotGivenUp],
    async handler(request) {
      const { id } = request.params;
      const change = changeBy(request, clock.now());
      const retried = await retryRecorded(db, { events, clock }, id, change);
      if (!retried) throw request.notFound();
      return { asked: toReais(cents(retried.askedCents)), refund: retried.refund };
    },
  });
