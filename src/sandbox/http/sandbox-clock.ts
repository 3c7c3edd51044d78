import { Type } from 'typebox';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { StrictObject, Timestamp } from '#platform/http/schemas.ts';
import { type MoveClock, parseDuration, type SandboxClock } from '../clock/sandbox-clock.ts';
import { fieldProblem } from '../psp/problems.ts';

const ClockReading = Type.Object(
  {
    now: Timestamp({ description: 'The current time of the whole service.' }),
    offset_seconds: Type.Number({ description: 'The difference from real time.' }),
  },
  { $id: 'ClockReading', examples: [{ now: '2026-11-22T12:00:00.000Z', offset_seconds: 604_800 }] },
);

const renderClock = (clock: SandboxClock) => ({
  now: clock.now().toISOString(),
  offset_seconds: clock.offsetMs / 1000,
});

export const getSandboxClock = ({ clock }: { clock: SandboxClock }) =>
  endpoint('GET /sandbox/clock', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getClock',
    summary: 'Get the sandbox clock',
    responses: { 200: { description: 'The current time.', schema: ClockReading } },
    handler: () => renderClock(clock),
  });

/** Date arithmetic supports at least this range. */
const MIN_INSTANT = new Date('2000-01-01T00:00:00Z');
const MAX_INSTANT = new Date('2100-01-01T00:00:00Z');

export const postSandboxClock = ({ clock, moveClock }: { clock: SandboxClock; moveClock: MoveClock }) =>
  endpoint('POST /sandbox/clock', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'moveClock',
    summary: 'Move the sandbox clock',
    description:
      'Moves the clock of all nodes by a duration (`advance`), or to an instant (`now`). Time continues from there. On the way it pauses to run the work of autopay.',
    body: StrictObject(
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
    cli: { command: 'sandbox clock move' },
    responses: { 200: { description: 'The current time.', schema: ClockReading } },
    async handler(request) {
      const { advance, now } = request.body;
      if (advance !== undefined && now !== undefined)
        throw fieldProblem('now', {
          en: 'cannot be sent with advance',
          pt: 'não pode ser enviado junto com advance',
        });
      if (advance !== undefined) {
        const ms = parseDuration(advance);
        if (ms === null)
          throw fieldProblem('advance', {
            en: 'must be a duration like P7D, PT12H or P1W',
            pt: 'deve ser uma duração como P7D, PT12H ou P1W',
          });
        requireSupportedInstant('advance', new Date(clock.now().getTime() + ms));
        // Backwards there is no work of autopay to run, so the clock jumps immediately.
        if (ms > 0) await moveClock({ ms });
        else await clock.advance(ms);
      } else {
        const target = new Date(now!);
        requireSupportedInstant('now', target);
        await moveClock({ to: target });
      }
      return renderClock(clock);
    },
  });

function requireSupportedInstant(field: string, instant: Date): void {
  // An invalid date, such as a leap second, fails both comparisons.
  if (instant >= MIN_INSTANT && instant < MAX_INSTANT) return;
  throw fieldProblem(field, {
    en: 'must lead to an instant between the years 2000 and 2100',
    pt: 'deve levar a um instante entre os anos 2000 e 2100',
  });
}

export const deleteSandboxClock = ({ clock }: { clock: SandboxClock }) =>
  endpoint('DELETE /sandbox/clock', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'resetClock',
    summary: 'Reset the sandbox clock to real time',
    cli: { command: 'sandbox clock reset', confirm: 'This sets the clock back to the real time.' },
    responses: { 200: { description: 'The current time.', schema: ClockReading } },
    async handler() {
      await clock.reset();
      return renderClock(clock);
    },
  });
