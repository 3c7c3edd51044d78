import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { describeAmountError, parseReais, toReais } from '#core/values/money.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { StrictObject, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import { Faults } from '../faults.ts';
import { brCodeUnreadable, fieldProblem } from '../problems.ts';
import type { SimulatorDeps } from '../simulator.ts';

const PAGE_FOLDER = join(import.meta.dirname, '../page');

const FAULT_CHOICES = Object.fromEntries(
  Object.entries(Faults.properties).flatMap(([name, schema]) =>
    'enum' in schema ? [[name, schema.enum]] : [],
  ),
);

/** A page to scan and pay codes, and to set faults by hand. It contains no data of charges, and uses the other endpoints. */
export const getSandboxPsp = (operatorKey: string) =>
  endpoint('GET /sandbox/psp', {
    access: 'open',
    id: 'showPspPage',
    summary: 'Get the page of the PSP simulator',
    responses: { 200: { description: 'The page.', contentType: 'text/html' } },
    async handler(_request, reply) {
      const [html, style, script] = await Promise.all(
        ['page.html', 'page.css', 'page.js'].map((name) => readFile(join(PAGE_FOLDER, name), 'utf8')),
      );
      const page = html!
        .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
        .replace('<script src="page.js"></script>', () => `<script>${script}</script>`)
        .replace('OPERATOR_KEY', () => escapeAttribute(operatorKey))
        .replace('FAULT_CHOICES', () => escapeAttribute(JSON.stringify(FAULT_CHOICES)));
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', buildContentSecurityPolicy(style!, script!))
        .send(page);
    },
  });

function buildContentSecurityPolicy(style: string, script: string): string {
  const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return (
    `default-src 'none'; style-src ${hashSource(style)}; script-src ${hashSource(script)}; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const getSandboxPspFaults = ({ simulator }: SimulatorDeps) =>
  endpoint('GET /sandbox/psp/faults', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPspFaults',
    summary: 'Get the faults of the PSP simulator',
    responses: { 200: { description: 'The current faults.', schema: Faults } },
    handler: () => simulator.getFaults(),
  });

const ScannedCharge = Type.Object(
  {
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    value: Type.Number({ description: 'The amount to pay, in reais; 0 if the payer chooses it.' }),
    receiver: Type.Object(
      { name: Type.String(), city: Type.String(), key: Type.String() },
      { examples: [{ name: 'Semana Sandbox', city: 'Sao Paulo', key: 'pix@semana.example' }] },
    ),
    note: TextOrNull({ description: 'The text of the receiver for the payer.' }),
    status: Type.String({ examples: ['ATIVA'] }),
    expires_at: Timestamp(),
    payable: Type.Boolean({ description: 'Whether banks accept a payment now.' }),
  },
  { $id: 'ScannedCharge' },
);

export const postSandboxPspScan = ({ simulator }: SimulatorDeps) =>
  endpoint('POST /sandbox/psp/scan', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'scanBrCode',
    summary: "Scan a BR Code as the payer's app",
    body: StrictObject({
      br_code: Type.String({
        minLength: 1,
        maxLength: 1024,
        examples: ['00020101021226760014br.gov.bcb.pix…6304D2E5'],
      }),
    }),
    responses: { 200: { description: 'The charge behind the code.', schema: ScannedCharge } },
    problems: [notFound, brCodeUnreadable],
    async handler(request) {
      const { charge, amountCents, receiver, expiresAt, isPayable } = await simulator.scan(
        request.body.br_code,
      );
      return {
        txid: charge.txid,
        value: toReais(amountCents),
        receiver,
        note: charge.terms.solicitacaoPagador ?? null,
        status: charge.status,
        expires_at: expiresAt.toISOString(),
        payable: isPayable,
      };
    },
  });

export const putSandboxPspFaults = ({ simulator }: SimulatorDeps) =>
  endpoint('PUT /sandbox/psp/faults', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'setPspFaults',
    summary: 'Set the faults of the PSP simulator',
    description:
      'Replaces all faults. A missing field gets its default, so an empty object removes all faults. When the response arrives, all nodes use the new faults.',
    body: Faults,
    responses: { 200: { description: 'The new faults.', schema: Faults } },
    async handler(request) {
      // `multipleOf` in the schema cannot check this: in floating point, -0.29 is not a multiple of 0.01.
      if (request.body.wrong_amount !== 0 && parseReais(request.body.wrong_amount) === null) {
        throw fieldProblem('wrong_amount', describeAmountError(request.body.wrong_amount));
      }
      return simulator.setFaults(request.body);
    },
  });
