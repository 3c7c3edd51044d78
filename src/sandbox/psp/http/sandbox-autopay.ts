import { type Static, Type } from 'typebox';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { PayerAction } from '../autopay/payer.ts';
import type { RecStatus } from '../autopay/store.ts';
import { autopayNotPossible } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';

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
async function actAsPayer({ simulator, findRecId, sync }: AutopayDeps, id: string, action: PayerAction) {
  const recId = id.startsWith('aut_') ? await findRecId(id) : id;
  if (recId === null) return undefined;
  const result = await simulator.actAsPayer(recId, action);
  if (result.kind === 'unknown') return undefined;
  if (result.kind === 'not_allowed') throw autopayNotPossible(STATUSES[result.status]);
  await sync(id);
  return { id, status: STATUSES[result.status] };
}

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
