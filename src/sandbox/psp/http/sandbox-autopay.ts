import { type Static, Type } from 'typebox';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { PayerAction } from '../autopay/payer.ts';
import type { RecStatus } from '../autopay/store.ts';
import { autopayNotPossible } from '../problems.ts';
import type { SimulatorDeps } from '../simulator.ts';

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

const createPayerActionEndpoint =
  <A extends PayerAction>(
    route: `POST /sandbox/autopay/:id/${A}`,
    documentation: { id: string; summary: string; description?: string },
  ) =>
  ({ simulator, autopay }: SimulatorDeps) =>
    endpoint(route, {
      ...documentation,
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
      async handler({ params: { id } }) {
        const action = route.split('/').at(-1) as A;
        const recId = id.startsWith('aut_') ? await autopay.findRecId(id) : id;
        const actionResult = recId === null ? undefined : await simulator.actAsPayer(recId, action);
        if (!actionResult) return undefined;
        if (!actionResult.isDone) throw autopayNotPossible(STATUSES[actionResult.status]);
        // The payer has acted: the service reads the new status now, without waiting for the callback.
        await autopay.sync(id);
        return { id, status: STATUSES[actionResult.status] };
      },
    });

export const postSandboxAutopayIdAuthorise = createPayerActionEndpoint(
  'POST /sandbox/autopay/:id/authorise',
  {
    id: 'authoriseAutopay',
    summary: 'Authorise autopay as the payer',
    description:
      'Simulates the payer in the bank app. If the QR code of the authorisation includes the first open installment, that is paid as well.',
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
