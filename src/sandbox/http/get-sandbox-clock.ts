import { endpoint } from '#platform/http/endpoint.ts';
import { ClockReading, renderClock } from '../clock/render-clock.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';

export const getSandboxClock = ({ clock }: { clock: SandboxClock }) =>
  endpoint('GET /sandbox/clock', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getClock',
    summary: 'What time it is',
    answers: { 200: { description: 'The time.', schema: ClockReading } },
    handler: () => renderClock(clock),
  });
