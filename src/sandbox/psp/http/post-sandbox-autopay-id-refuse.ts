import { endpoint } from '#platform/http/endpoint.ts';
import {
  type Autopayer,
  answerAutopay,
  SandboxAutopay,
  SandboxAutopayParams,
} from '../autopay/staff-door.ts';
import { autopayNotPossible } from '../problems.ts';

export const postSandboxAutopayIdRefuse = (autopayer: Autopayer) =>
  endpoint('POST /sandbox/autopay/:id/refuse', {
    access: { scope: 'operator', role: 'support' },
    id: 'refuseAutopay',
    summary: 'Refuse to authorise debits, as the payer would in the app of the bank',

    params: SandboxAutopayParams,
    notFound: {
      en: 'The PSP simulator has no such authorisation.',
      pt: 'O simulador do PSP não tem essa autorização.',
    },
    answers: { 200: { description: 'How it stands now.', schema: SandboxAutopay } },
    problems: [autopayNotPossible],
    async handler(request) {
      const answered = await answerAutopay(autopayer, request.params.id, 'refuse');
      if (!answered) throw request.notFound();
      return answered;
    },
  });
