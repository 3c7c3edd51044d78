import { autopayEndpoint } from '../autopay/staff-door.ts';

export const postSandboxAutopayIdRefuse = autopayEndpoint('POST /sandbox/autopay/:id/refuse', {
  id: 'refuseAutopay',
  summary: 'Refuse to authorise debits, as the payer would in the app of the bank',
});
