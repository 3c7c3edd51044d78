import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { parseCpf } from '#core/values/cpf.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { StrictObject } from '#platform/http/schemas.ts';
import { invalidField, unavailable } from '#platform/problem.ts';

const SLOW_RESPONSE_MS = 10_000;
const GOOD_REPORT = { score: 700, cpf_status: 'regular' };

/** A CPF that begins with seven zeros and one of these digits selects a behaviour, so that no state is stored. */
const BEHAVIOURS: Readonly<Record<string, () => Promise<object> | object>> = {
  1: () => ({ ...GOOD_REPORT, score: 120 }),
  2: () => ({ ...GOOD_REPORT, cpf_status: 'suspended' }),
  3: () => sleep(SLOW_RESPONSE_MS, GOOD_REPORT, { ref: false }),
  4: () => {
    throw unavailable({ en: 'The bureau is unavailable.', pt: 'O bureau está fora do ar.' });
  },
  5: () => ({ score: 'muito bom' }),
  6: () => ({ ...GOOD_REPORT, score: 320 }),
};

export const postSandboxBureauReports = () =>
  endpoint('POST /sandbox/bureau/reports', {
    access: 'open',
    id: 'askSandboxBureau',
    summary: 'Get a report of the simulated credit bureau',
    description:
      'Every CPF is regular and has a score of 700, except CPFs that begin with seven zeros and one of these digits: 1 a score of ' +
      '120, 2 a suspended CPF, 3 a response after ten seconds, 4 unavailable, 5 an invalid response, 6 a score of 320.',
    body: StrictObject({ cpf: Type.String({ pattern: '^[0-9]{11}$', examples: ['52998224725'] }) }),
    responses: {
      200: {
        description: 'The report.',
        schema: Type.Object({ score: Type.Unknown(), cpf_status: Type.Optional(Type.Unknown()) }),
      },
    },
    problems: [unavailable],
    async handler({ body: { cpf } }) {
      if (parseCpf(cpf) === null) throw invalidField('/cpf', { en: 'must be a CPF', pt: 'deve ser um CPF' });
      const respond = cpf.startsWith('0000000') ? BEHAVIOURS[cpf[7]!] : undefined;
      return (respond ? await respond() : GOOD_REPORT) as typeof GOOD_REPORT;
    },
  });
