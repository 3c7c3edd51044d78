import { autopayEndpoint } from '../autopay/staff-door.ts';

export const postSandboxAutopayIdAuthorise = autopayEndpoint('POST /sandbox/autopay/:id/authorise', {
  id: 'authoriseAutopay',
  summary: 'Authorise debits, as the payer would in the app of the bank',
  description: 'Where the code also pays the first open installment, that is paid as well.',
});
