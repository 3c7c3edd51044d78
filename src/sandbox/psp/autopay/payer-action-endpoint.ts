import { type Static, Type } from 'typebox';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { autopayNotPossible } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';
import type { PayerAction } from './payer-actions.ts';
import type { RecStatus } from './store.ts';

export type AutopayDeps = {
  simulator: PspSimulator;
  /** Returns the PSP's id of an authorisation. */
  findRecId(id: string): Promise<string | null>;
  /** Makes the service read the authorisation now, independently of callbacks. */
  sync(id: string): Promise<unknown>;
};

const SandboxAutopayParams = Type.Object({
  id: Type.String({
    pattern: '^aut_[0-9a-z]{26}$|^[0-9A-Za-z]{29}$',
    description: 'The id of the authorisation, or its id at the PSP.',
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

/** Creates the endpoint of a payer's action. Its path ends with the action. */
export const createPayerActionEndpoint =
  <A extends PayerAction>(
    route: `POST /sandbox/autopay/:id/${A}`,
    docs: { id: string; summary: string; description?: string },
  ) =>
  (deps: AutopayDeps) =>
    endpoint(route, {
      ...docs,
      access: { scope: 'operator', role: CUSTOMER_ROLES },
      params: SandboxAutopayParams,
      notFound: {
        en: 'The PSP simulator has no such authorisation.',
        pt: 'O simulador do PSP não tem essa autorização.',
      },
      responses: {
        200: { description: 'The authorisation with its current status.', schema: SandboxAutopay },
      },
      problems: [autopayNotPossible],
      handler: ({ params }) => actAsPayer(deps, params.id, route.split('/').at(-1) as A),
    });

/** Returns undefined if the simulator does not have the authorisation. */
async function actAsPayer(
  { simulator, findRecId, sync }: AutopayDeps,
  id: string,
  action: PayerAction,
): Promise<Static<typeof SandboxAutopay> | undefined> {
  const recId = id.startsWith('aut_') ? await findRecId(id) : id;
  if (recId === null) return undefined;
  const result = await simulator.actAsPayer(recId, action);
  if (result.kind === 'unknown') return undefined;
  if (result.kind === 'not_allowed') throw autopayNotPossible(STATUSES[result.status]);
  await sync(id);
  return { id, status: STATUSES[result.status] };
}
