import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { autopayNotPossible } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';
import type { BankAnswer } from './answers.ts';
import type { RecStatus } from './store.ts';

/** The bank, and the service as it sees authorisations. */
export type Autopayer = {
  simulator: PspSimulator;
  /** What the PSP calls an authorisation. */
  findRecId(id: string): Promise<string | null>;
  /** Has the service read it now, whether or not a notice comes. */
  sync(id: string): Promise<unknown>;
};

const SandboxAutopayParams = Type.Object({
  id: Type.String({
    pattern: '^aut_[0-9a-z]{26}$|^[0-9A-Za-z]{29}$',
    description: 'The authorisation, or what the PSP calls it.',
    examples: ['aut_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  }),
});

const SandboxAutopay = Type.Object(
  {
    id: SandboxAutopayParams.properties.id,
    status: Type.Enum(['pending', 'active', 'rejected', 'expired', 'ended']),
  },
  { $id: 'SandboxAutopay', examples: [{ id: 'aut_01kfx3v9e2r4s6t8w0y2a4c6e8', status: 'active' }] },
);

const STATUSES: Record<RecStatus, Static<typeof SandboxAutopay>['status']> = {
  CRIADA: 'pending',
  APROVADA: 'active',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'ended',
};

/** An endpoint by which the payer's bank answers; its path ends with the answer. */
export const autopayEndpoint =
  <A extends BankAnswer>(
    route: `POST /sandbox/autopay/:id/${A}`,
    about: { id: string; summary: string; description?: string },
  ) =>
  (autopayer: Autopayer) =>
    endpoint(route, {
      ...about,
      access: { scope: 'operator', role: 'support' },
      params: SandboxAutopayParams,
      notFound: {
        en: 'The PSP simulator has no such authorisation.',
        pt: 'O simulador do PSP não tem essa autorização.',
      },
      answers: { 200: { description: 'How it stands now.', schema: SandboxAutopay } },
      problems: [autopayNotPossible],
      handler: ({ params }) => answerAutopay(autopayer, params.id, route.split('/').at(-1) as A),
    });

/** Undefined: the simulator has none. */
async function answerAutopay(
  { simulator, findRecId, sync }: Autopayer,
  id: string,
  answer: BankAnswer,
): Promise<Static<typeof SandboxAutopay> | undefined> {
  const recId = id.startsWith('aut_') ? await findRecId(id) : id;
  if (recId === null) return undefined;
  const answered = await simulator.answer(recId, answer);
  if (answered.kind === 'unknown') return undefined;
  if (answered.kind === 'impossible') throw autopayNotPossible(STATUSES[answered.status]);
  await sync(id);
  return { id, status: STATUSES[answered.status] };
}
