import { endpoint } from '#platform/http/endpoint.ts';
import { Faults } from '../faults.ts';
import type { PspSimulator } from '../simulator.ts';

export const getSandboxPspFaults = (simulator: PspSimulator) =>
  endpoint('GET /sandbox/psp/faults', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPspFaults',
    summary: 'How the PSP simulator misbehaves',
    answers: { 200: { description: 'The faults; all at rest means none.', schema: Faults } },
    handler: () => simulator.faults(),
  });
