import { createPayerActionEndpoint } from '../autopay/payer-action-endpoint.ts';

export const postSandboxAutopayIdAuthorise = createPayerActionEndpoint(
  'POST /sandbox/autopay/:id/authorise',
  {
    id: 'authoriseAutopay',
    summary: 'Authorise autopay as the payer',
    description:
      'Simulates the payer in the bank app. If the code also pays the first open installment, that is paid as well.',
  },
);

export const postSandboxAutopayIdCancel = createPayerActionEndpoint('POST /sandbox/autopay/:id/cancel', {
  id: 'cancelAutopay',
  summary: 'Cancel autopay as the payer',
  description: 'Simulates the payer in the bank app, who can cancel at any time.',
});

export const postSandboxAutopayIdRefuse = createPayerActionEndpoint('POST /sandbox/autopay/:id/refuse', {
  id: 'refuseAutopay',
  summary: 'Refuse autopay as the payer',
});
