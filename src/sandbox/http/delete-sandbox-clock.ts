import { endpoint } from '#platform/http/endpoint.ts';
import { ClockReading, renderClock } from '../clock/render-clock.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';

export const deleteSandboxClock = ({ clock }: { clock: SandboxClock }) =>
  endpoint('DELETE /sandbox/clock', {
    access: { scope: 'operator', role: 'support' },
    id: 'resetClock',
    summary: 'Back to real time',
    answers: { 200: { description: 'The time.', schema: ClockReading } },
    async handler() {
      await clock.reset();
      return renderClock(clock);
    },
  });
