import { amountFault, parseReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Faults } from '../faults.ts';
import { wrongField } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';

export const putSandboxPspFaults = (simulator: PspSimulator) =>
  endpoint('PUT /sandbox/psp/faults', {
    access: { scope: 'operator', role: 'support' },
    id: 'setPspFaults',
    summary: 'Tell the PSP simulator to misbehave',
    description:
      'What is left out is at rest: an empty object makes it behave. When this is answered, every node goes by it.',
    body: Faults,
    answers: { 200: { description: 'The faults as they are now.', schema: Faults } },
    async handler(request) {
      // Not checked by `multipleOf` in the schema: in floating point -0.29 is no multiple of 0.01.
      if (request.body.wrong_amount !== 0 && parseReais(request.body.wrong_amount) === null) {
        throw wrongField('wrong_amount', amountFault(request.body.wrong_amount));
      }
      return simulator.setFaults(request.body);
    },
  });
