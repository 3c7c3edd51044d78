import { endpoint } from '#platform/http/endpoint.ts';
import {
  type Autopayer,
  answerAutopay,
  SandboxAutopay,
  SandboxAutopayParams,
} from '../autopay/staff-door.ts';
import { autopayNotPossible } from '../problems.ts';

export const postSandboxAutopayIdCancel = (autopayer: Autopayer) =>
  endpoint('POST /sandbox/autopay/:id/cancel', {
    access: { scope: 'operator', role: 'support' },
    id: 'cancelAutopay',
    summary: 'End an authorisation from the side of the bank',
    description: 'As the payer can at any time.',
    params: SandboxAutopayParams,
    notFound: {
      en: 'The PSP simulator has no such authorisation.',
      pt: 'O simulador do PSP não tem essa autorização.',
    },
    answers: { 200: { description: 'How it stands now.', schema: SandboxAutopay } },
    problems: [autopayNotPossible],
    async handler(request) {
      const answered = await answerAutopay(autopayer, request.params.id, 'cancel');
      if (!answered) throw request.notFound();
      return answered;
    },
  });
