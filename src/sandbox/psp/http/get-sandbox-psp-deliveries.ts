import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import type { PspSimulator } from '../simulator.ts';

const SHOWN = 50;

const PspDelivery = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.Enum(['pix', 'rec', 'cobr'], {
      description: 'What it is about: a payment, an authorisation, a debit.',
    }),
    state: Type.Enum(['waiting', 'delivered', 'failed', 'withheld']),
    attempts: Type.Integer(),
    last_outcome: TextOrNull({ description: 'How the last attempt ended: a status, or why there was none.' }),
    pix: Type.Unknown({ description: "One element of the notice's list, as it was sent." }),
    created_at: Timestamp(),
  },
  { $id: 'PspDelivery' },
);

export const getSandboxPspDeliveries = (simulator: PspSimulator) =>
  endpoint('GET /sandbox/psp/deliveries', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPspDeliveries',
    summary: 'Notices the PSP simulator sent, will send, or held back',
    description: `The newest ${SHOWN}.`,
    answers: { 200: { description: 'The notices.', schema: ListOf(PspDelivery) } },
    async handler() {
      const rows = await simulator.deliveries(SHOWN);
      // The address is left out: it contains the secret that authenticates notices.
      return {
        data: rows.map(({ url: _, created_at, ...row }) => ({
          ...row,
          created_at: created_at.toISOString(),
        })),
      };
    },
  });
