import { Type } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, Timestamp } from '#platform/http/schemas.ts';
import { validationFailed } from '#platform/problem.ts';
import { readDuration } from '../clock/duration.ts';
import type { MoveClock } from '../clock/move-clock.ts';
import { ClockReading, renderClock } from '../clock/render-clock.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';

/** The range that all date arithmetic supports. */
const EARLIEST = new Date('2000-01-01T00:00:00Z');
const LATEST = new Date('2100-01-01T00:00:00Z');

export const postSandboxClock = ({ clock, moveClock }: { clock: SandboxClock; moveClock: MoveClock }) =>
  endpoint('POST /sandbox/clock', {
    access: { scope: 'operator', role: 'support' },
    id: 'moveClock',
    summary: 'Move the time of every node',
    description:
      'Either by a duration (`advance`), or to an instant (`now`). Time runs on from there. On the way it stops wherever a debit (autopay) needs something.',
    body: Form(
      {
        advance: Type.Optional(
          Type.String({
            maxLength: 60,
            description:
              'An ISO 8601 duration in weeks, days, hours, minutes, seconds: P7D, PT12H, P1W, -P1D.',
          }),
        ),
        now: Type.Optional(Timestamp({ description: 'An instant between the years 2000 and 2100.' })),
      },
      {
        $id: 'ClockMove',
        anyOf: [{ required: ['advance'] }, { required: ['now'] }],
        examples: [{ advance: 'P7D' }],
      },
    ),
    answers: { 200: { description: 'The time.', schema: ClockReading } },
    async handler(request) {
      const { advance, now } = request.body;
      if (advance !== undefined && now !== undefined)
        throw wrong('now', {
          en: 'cannot be sent with advance',
          pt: 'não pode ser enviado junto com advance',
        });
      if (advance !== undefined) {
        const ms = readDuration(advance);
        if (ms === null)
          throw wrong('advance', {
            en: 'must be a duration like P7D, PT12H or P1W',
            pt: 'deve ser uma duração como P7D, PT12H ou P1W',
          });
        refuseOutside('advance', new Date(clock.now().getTime() + ms));
        if (ms > 0) await moveClock({ ms });
        else await clock.advance(ms);
      } else {
        const target = new Date(now!);
        refuseOutside('now', target);
        await moveClock({ to: target });
      }
      return renderClock(clock);
    },
  });

function refuseOutside(field: string, instant: Date): void {
  // An invalid date (a leap second) fails both comparisons.
  if (instant >= EARLIEST && instant < LATEST) return;
  throw wrong(field, {
    en: 'must lead to an instant between the years 2000 and 2100',
    pt: 'deve levar a um instante entre os anos 2000 e 2100',
  });
}

function wrong(field: string, message: Bilingual) {
  return validationFailed([{ pointer: `/${field}`, message }]);
}
