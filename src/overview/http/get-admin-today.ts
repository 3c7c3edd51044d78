import { endpoint } from '#platform/http/endpoint.ts';
import type { Overview } from '../overview.ts';
import { Today } from '../schemas.ts';

export const getAdminToday = ({ today }: Overview) =>
  endpoint('GET /admin/today', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'showToday',
    summary: 'Show what waits for somebody, what falls due and what is late',
    answers: { 200: { description: 'The day.', schema: Today } },
    handler: () => today(),
  });
