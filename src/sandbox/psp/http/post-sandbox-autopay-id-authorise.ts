import { endpoint } from '#platform/http/endpoint.ts';
import {
  type Autopayer,
  answerAutopay,
  SandboxAutopay,
  SandboxAutopayParams,
} from '../autopay/staff-door.ts';
import { autopayNotPossible } from '../problems.ts';

export const postSandboxAutopayIdAuthorise = (autopayer: Autopayer) =>
  endpoint('POST /sandbox/autopay/:id/authorise', {
    access: { scope: 'operator', role: 'support' },
    id: 'authoriseAutopay',
    summary: 'Authorise debits, as the payer would in the app of the bank',
    description: 'Where the code also pays the first open installment, that is paid as well.',
    params: SandboxAutopayParams,
    notFound: {
      en: 'The PSP simulator has no such authorisation.',
      pt: 'O simulador do PSP não tem essa autorização.',
    },
    answers: { 200: { description: 'How it stands now.', schema: SandboxAutopay } },
    problems: [autopayNotPossible],
    async handler(request) {
      const answered = await answerAutopay(autopayer, request.params.id, 'authorise');
      if (!answered) throw request.notFound();
      return answered;
    },
  });
