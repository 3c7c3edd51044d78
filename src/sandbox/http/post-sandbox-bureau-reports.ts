import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { parseCpf } from '#core/cpf.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form } from '#platform/http/schemas.ts';
import { unavailable, validationFailed } from '#platform/problem.ts';

const SLOW_MS = 10_000;
const GOOD = { score: 700, cpf_status: 'regular' };

/** How it behaves is written in the CPF, so that no node has to remember it: seven zeros, one of these digits, any digit. */
const BEHAVIOURS: Readonly<Record<string, () => Promise<object> | object>> = {
  1: () => ({ ...GOOD, score: 120 }),
  2: () => ({ ...GOOD, cpf_status: 'suspended' }),
  3: () => sleep(SLOW_MS, GOOD, { ref: false }),
  4: () => {
    throw unavailable({ en: 'The bureau is away.', pt: 'O bureau está fora do ar.' });
  },
  5: () => ({ score: 'muito bom' }),
  6: () => ({ ...GOOD, score: 320 }),
};

export const postSandboxBureauReports = () =>
  endpoint('POST /sandbox/bureau/reports', {
    access: 'open',
    id: 'askSandboxBureau',
    summary: 'The simulated credit bureau',
    description:
      'Everybody has a score of 700 and a regular CPF, but for CPFs that begin with seven zeros and one of these digits: 1 a score of ' +
      '120, 2 a suspended CPF, 3 an answer after ten seconds, 4 is away, 5 nonsense, 6 a score of 320.',
    body: Form({ cpf: Type.String({ pattern: '^[0-9]{11}$', examples: ['52998224725'] }) }),
    answers: {
      200: {
        description: 'What it says.',
        schema: Type.Object({ score: Type.Unknown(), cpf_status: Type.Optional(Type.Unknown()) }),
      },
    },
    problems: [unavailable],
    async handler({ body: { cpf } }) {
      if (parseCpf(cpf) === null)
        throw validationFailed([
          { pointer: '/cpf', message: { en: 'must be a CPF', pt: 'deve ser um CPF' } },
        ]);
      const behave = cpf.startsWith('0000000') ? BEHAVIOURS[cpf[7]!] : undefined;
      return (behave ? await behave() : GOOD) as typeof GOOD;
    },
  });
