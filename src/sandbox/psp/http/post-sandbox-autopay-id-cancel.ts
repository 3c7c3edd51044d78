import { autopayEndpoint } from '../autopay/staff-door.ts';

export const postSandboxAutopayIdCancel = autopayEndpoint('POST /sandbox/autopay/:id/cancel', {
  id: 'cancelAutopay',
  summary: 'End an authorisation from the side of the bank',
  description: 'As the payer can at any time.',
});
