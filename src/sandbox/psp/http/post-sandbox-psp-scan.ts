import { Type } from 'typebox';
import { toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import { brCodeUnreadable } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';

const ScannedCharge = Type.Object(
  {
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    value: Type.Number({ description: 'What it costs now, in reais; 0 where the payer chooses.' }),
    receiver: Type.Object(
      { name: Type.String(), city: Type.String(), key: Type.String() },
      { examples: [{ name: 'Semana Sandbox', city: 'Sao Paulo', key: 'pix@semana.example' }] },
    ),
    note: TextOrNull({ description: 'What the receiver wrote for the payer.' }),
    status: Type.String({ examples: ['ATIVA'] }),
    expires_at: Timestamp(),
    payable: Type.Boolean({ description: 'Whether banks would take a payment now.' }),
  },
  { $id: 'ScannedCharge' },
);

export const postSandboxPspScan = (simulator: PspSimulator) =>
  endpoint('POST /sandbox/psp/scan', {
    access: { scope: 'operator', role: 'support' },
    id: 'scanBrCode',
    summary: "Read a BR Code, as the payer's app would",
    body: Form({
      br_code: Type.String({
        minLength: 1,
        maxLength: 1024,
        examples: ['00020101021226760014br.gov.bcb.pix…6304D2E5'],
      }),
    }),
    answers: { 200: { description: 'The charge behind the code.', schema: ScannedCharge } },
    problems: [notFound, brCodeUnreadable],
    async handler(request) {
      const scanned = await simulator.scan(request.body.br_code);
      if (scanned.kind === 'unreadable') throw brCodeUnreadable(scanned.reason);
      if (scanned.kind === 'not_ours')
        throw notFound({
          en: 'The code leads to no charge of this PSP.',
          pt: 'O código não leva a nenhuma cobrança deste PSP.',
        });
      return {
        txid: scanned.txid,
        value: toReais(scanned.amountCents),
        receiver: scanned.receiver,
        note: scanned.note,
        status: scanned.status,
        expires_at: scanned.expiresAt.toISOString(),
        payable: scanned.isPayable,
      };
    },
  });
