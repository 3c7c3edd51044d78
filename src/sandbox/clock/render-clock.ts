import { Type } from 'typebox';
import { Timestamp } from '#platform/http/schemas.ts';
import type { SandboxClock } from './sandbox-clock.ts';

export const ClockReading = Type.Object(
  {
    now: Timestamp({ description: 'What time it is for the whole service.' }),
    offset_seconds: Type.Number({ description: 'How far that is from real time.' }),
  },
  { $id: 'ClockReading', examples: [{ now: '2026-11-22T12:00:00.000Z', offset_seconds: 604_800 }] },
);

export function renderClock(clock: SandboxClock) {
  return { now: clock.now().toISOString(), offset_seconds: clock.offsetMs / 1000 };
}
