import { getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { readWebhook, type Webhook } from './translate.ts';

export type FoundWebhook = { kind: 'found'; webhook: Webhook } | { kind: 'not_found' };

/** What the PSP reports: payments for a key, authorisations, or debits. It appends `/pix`, `/rec` or `/cobr` to the address. */
type Hook = { key: string } | 'authorisations' | 'debits';

export const AUTOPAY_HOOKS = ['authorisations', 'debits'] as const;

/** Before it answers, a PSP may call the address itself, with and without its certificate (Efí does, for up to a minute). */
const PUT_TIMEOUT_MS = 60_000;

/** Registers the address at which the PSP reports. Idempotent. */
export async function putWebhook(http: PspHttp, which: Hook, url: string): Promise<void> {
  const { secrets = [], ...at } = addressOf(which);
  const request: PspRequest = {
    method: 'PUT',
    ...at,
    body: { webhookUrl: url },
    secrets: [url, ...secrets],
    timeoutMs: PUT_TIMEOUT_MS,
  };
  const result = await http.sendWithRetries(request, http.deadline() + PUT_TIMEOUT_MS);
  if (result.kind === 'refused') throw result.refusal;
  if (result.kind === 'unavailable') throw result.failure;
}

export async function findWebhook(http: PspHttp, which: Hook): Promise<FoundWebhook> {
  const request: PspRequest = { method: 'GET', ...addressOf(which) };
  const webhook = await getResource(http, { request, read: readWebhook, deadlineMs: http.deadline() });
  return webhook ? { kind: 'found', webhook } : { kind: 'not_found' };
}

function addressOf(which: Hook): Pick<PspRequest, 'route' | 'params' | 'secrets'> {
  if (which === 'authorisations') return { route: '/webhookrec', params: {} };
  if (which === 'debits') return { route: '/webhookcobr', params: {} };
  return { route: '/webhook/:key', params: { key: which.key }, secrets: [which.key] };
}
